// Reading at offsets, with and without permission to wait.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>

#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using sys::Wait;
using test::OwnedFile;
using test::TempDir;

OwnedFile open_at(const std::string& directory, const char* name) {
  const OwnedFile root = test::root_at(directory);
  const auto opened = sys::open_beneath(root.get(), name, sys::Links::kNever, Wait::kMayBlock);
  REQUIRE(opened.has_value());
  return OwnedFile(opened->file);
}

std::string read_text(const OwnedFile& file, std::size_t size, std::uint64_t offset, Wait wait = Wait::kMayBlock) {
  std::string text(size, '?');
  const auto got = sys::read_at(file.get(), text.data(), size, offset, wait);
  if (!got) return "error: " + std::string(base::name_of(got.error().code));
  text.resize(*got);
  return text;
}

TEST_CASE("ranges of a file are read, and nothing behind its end") {
  const TempDir dir;
  test::write_file(dir / "file", "0123456789");
  test::write_file(dir / "empty", "");
  const OwnedFile file = open_at(dir.path(), "file");
  CHECK(read_text(file, 4, 0) == "0123");
  CHECK(read_text(file, 4, 3) == "3456");
  CHECK(read_text(file, 100, 8) == "89");
  CHECK(read_text(file, 4, 10).empty());
  CHECK(read_text(file, 4, 1'000'000).empty());
  CHECK(read_text(file, 0, 0).empty());
  CHECK(read_text(open_at(dir.path(), "empty"), 4, 0).empty());
  CHECK(read_text(file, 4, std::numeric_limits<std::uint64_t>::max()) == "error: invalid");
}

TEST_CASE("a sparse file of 5 GiB is read beyond 4 GiB") {
  const TempDir dir;
  constexpr std::uint64_t kSize = std::uint64_t{5} << 30U;
  constexpr std::uint64_t kAt = (std::uint64_t{9} << 29U) + 1;  // 4.5 GiB and a byte
  {
    const platform::Descriptor made(::open((dir / "large").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    REQUIRE(::ftruncate(made.get(), static_cast<off_t>(kSize)) == 0);
    REQUIRE(::pwrite(made.get(), "far away", 8, static_cast<off_t>(kAt)) == 8);
  }
  const OwnedFile file = open_at(dir.path(), "large");
  CHECK(sys::stat_of(file.get())->size == kSize);
  CHECK(read_text(file, 8, kAt) == "far away");
  CHECK(read_text(file, 2, kAt - 2) == std::string(2, '\0'));
  CHECK(read_text(file, 10, kSize - 3) == std::string(3, '\0'));
  CHECK(read_text(file, 10, kSize).empty());
}

// Whether the first page of the file is in memory.
bool is_resident(int file) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* mapped = ::mmap(nullptr, page, PROT_READ, MAP_SHARED, file, 0);
  REQUIRE(mapped != MAP_FAILED);
  unsigned char resident = 0;
  REQUIRE(::mincore(mapped, page, &resident) == 0);
  ::munmap(mapped, page);
  return (resident & 1U) != 0;
}

bool can_tell(int file) {
  char byte = 0;
  const iovec piece{.iov_base = &byte, .iov_len = 1};
  return ::preadv2(file, &piece, 1, 0, RWF_NOWAIT) >= 0 || errno == EAGAIN;
}

TEST_CASE("a read that must not wait gives what is in memory and would block otherwise") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  const OwnedFile file = open_at(dir.path(), "file");
  if (!can_tell(file.number())) {
    MESSAGE("this file system cannot tell whether a read would wait");
    CHECK(read_text(file, 7, 0, Wait::kCachedOnly) == "error: would block");
    return;
  }
  CHECK(read_text(file, 7, 0) == "content");
  CHECK(read_text(file, 7, 0, Wait::kCachedOnly) == "content");
  CHECK(read_text(file, 7, 100, Wait::kCachedOnly).empty());
  REQUIRE(::fsync(file.number()) == 0);
  REQUIRE(::posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED) == 0);
  if (is_resident(file.number())) {
    MESSAGE("the kernel kept the file in memory");
    return;
  }
  CHECK(read_text(file, 7, 0, Wait::kCachedOnly) == "error: would block");
  CHECK(read_text(file, 7, 0) == "content");
  CHECK(read_text(file, 7, 0, Wait::kCachedOnly) == "content");
}

TEST_CASE("a file system that cannot tell is left to those who may wait") {
  const OwnedFile root = test::root_at("/proc/self");
  const auto opened = sys::open_beneath(root.get(), "statm", sys::Links::kNever, Wait::kMayBlock);
  REQUIRE(opened.has_value());
  const OwnedFile file(opened->file);
  CHECK(read_text(file, 4, 0, Wait::kCachedOnly) == "error: would block");
  CHECK(!read_text(file, 4, 0).empty());
}

}  // namespace
}  // namespace tidegate
