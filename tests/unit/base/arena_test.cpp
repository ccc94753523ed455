// The arena: alignment, growth, reuse without allocation.
#include "base/arena.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tidegate::base {
namespace {

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

TEST_CASE("nothing is held before the first use") {
  const Arena arena;
  CHECK(arena.capacity() == 0);
}

TEST_CASE("pieces are aligned and do not overlap") {
  Arena arena(256);
  struct Piece {
    unsigned char* bytes;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t alignment = std::size_t{1} << (i % 5);
    const std::size_t size = i % 37;
    auto* bytes = static_cast<unsigned char*>(arena.allocate(size, alignment));
    REQUIRE(bytes != nullptr);
    CHECK(number_of(bytes) % alignment == 0);
    const auto mark = static_cast<unsigned char>(i);
    std::memset(bytes, mark, size);
    pieces.push_back({bytes, size, mark});
  }
  for (const Piece& piece : pieces) {
    for (std::size_t at = 0; at < piece.size; ++at) REQUIRE(piece.bytes[at] == piece.mark);
  }
}

TEST_CASE("a piece larger than a block gets a block of its own") {
  Arena arena(64);
  auto* small = static_cast<char*>(arena.allocate(10, 1));
  std::memset(small, 's', 10);
  auto* large = static_cast<char*>(arena.allocate(10'000));
  std::memset(large, 'l', 10'000);
  CHECK(number_of(large) % alignof(std::max_align_t) == 0);
  CHECK(std::string(small, 10) == std::string(10, 's'));
  CHECK(arena.capacity() >= 10'064);
}

TEST_CASE("the last byte of a block is used before another is taken") {
  Arena arena(128);
  arena.allocate(64, 1);
  CHECK(arena.capacity() == 128);
  arena.allocate(64, 1);
  CHECK(arena.capacity() == 128);
  arena.allocate(1, 1);
  CHECK(arena.capacity() > 128);
}

TEST_CASE("a warm arena takes no memory and gives the same again") {
  Arena arena(1024);
  void* first = arena.allocate(100);
  arena.reset();
  CHECK(arena.capacity() == 1024);
  for (int round = 0; round < 3; ++round) {
    CHECK(arena.allocate(100) == first);
    arena.allocate(500);
    CHECK(arena.capacity() == 1024);
    arena.reset();
  }
}

TEST_CASE("a reset keeps the first block only, at its size") {
  Arena arena(256);
  void* first = arena.allocate(1);
  arena.allocate(5000);
  arena.allocate(50'000);
  CHECK(arena.capacity() > 55'000);
  arena.reset();
  CHECK(arena.capacity() == 256);
  CHECK(arena.allocate(256, 1) == first);
  CHECK(arena.capacity() == 256);
  arena.allocate(1, 1);
  CHECK(arena.capacity() > 256);
  Arena unused(256);
  unused.reset();
  CHECK(unused.capacity() == 0);
  CHECK(unused.allocate(8) != nullptr);
}

TEST_CASE("a first block that had to be larger is kept as it is") {
  Arena arena(64);
  void* first = arena.allocate(1000);
  arena.allocate(5000);
  arena.reset();
  CHECK(arena.capacity() == 1000);
  CHECK(arena.allocate(1000) == first);
  CHECK(arena.capacity() == 1000);
}

TEST_CASE("copies of texts last until the reset") {
  Arena arena(32);
  std::vector<std::string_view> copies;
  for (int i = 0; i < 100; ++i) copies.push_back(arena.copy("text number " + std::to_string(i)));
  for (int i = 0; i < 100; ++i) CHECK(copies[static_cast<std::size_t>(i)] == "text number " + std::to_string(i));
  CHECK(arena.copy("").empty());
}

TEST_CASE("arrays are aligned for their type") {
  Arena arena(100);
  arena.allocate(1, 1);
  auto* numbers = arena.allocate_array<std::uint64_t>(4);
  CHECK(number_of(numbers) % alignof(std::uint64_t) == 0);
  for (std::uint64_t i = 0; i < 4; ++i) numbers[i] = i;
  CHECK(numbers[3] == 3);
}

}  // namespace
}  // namespace tidegate::base
