// The slab: handles that go stale, addresses that stay.
#include "base/slab.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace tidegate::base {
namespace {

// Counts how many of it live.
struct Counted {
  static inline int live = 0;
  int value;
  explicit Counted(int given) : value(given) { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }
};

TEST_CASE("an object is found by its handle until it is destroyed") {
  Slab<Counted> slab;
  CHECK(slab.size() == 0);
  const Handle handle = slab.create(7);
  CHECK(handle.valid());
  CHECK(slab.size() == 1);
  CHECK(Counted::live == 1);
  REQUIRE(slab.find(handle) != nullptr);
  CHECK(slab.find(handle)->value == 7);
  slab.destroy(handle);
  CHECK(slab.find(handle) == nullptr);
  CHECK(slab.size() == 0);
  CHECK(Counted::live == 0);
}

TEST_CASE("a handle never names a later object in the same place") {
  Slab<Counted> slab;
  const Handle first = slab.create(1);
  slab.destroy(first);
  const Handle second = slab.create(2);
  CHECK(second.index == first.index);  // the place is used again
  CHECK(second.generation != first.generation);
  CHECK(slab.find(first) == nullptr);
  CHECK(slab.find(second)->value == 2);
  slab.destroy(second);
}

TEST_CASE("handles that were never given name nothing") {
  Slab<Counted, 4> slab;
  CHECK(slab.find({}) == nullptr);
  CHECK(slab.find({.index = 0, .generation = 1}) == nullptr);
  const Handle handle = slab.create(1);
  CHECK(slab.find({.index = 3, .generation = 1}) == nullptr);  // a place of the chunk that was never used
  CHECK(slab.find({.index = 4, .generation = 1}) == nullptr);
  CHECK(slab.find({.index = handle.index, .generation = handle.generation + 1}) == nullptr);
  CHECK(!Handle{}.valid());
  slab.destroy(handle);
}

TEST_CASE("a handle passes through a number") {
  const Handle handle{.index = 0xdeadbeef, .generation = 0x12345678};
  CHECK(Handle::unpack(handle.packed()) == handle);
  CHECK(handle.packed() == 0x12345678deadbeefULL);
}

TEST_CASE("objects stay where they are while the slab grows") {
  Slab<Counted, 4> slab;
  std::vector<Handle> handles;
  std::vector<Counted*> places;
  for (int i = 0; i < 100; ++i) {
    handles.push_back(slab.create(i));
    places.push_back(slab.find(handles.back()));
  }
  CHECK(slab.size() == 100);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    CHECK(slab.find(handles[i]) == places[i]);
    CHECK(places[i]->value == static_cast<int>(i));
    slab.destroy(handles[i]);
  }
}

TEST_CASE("each object is visited once, and may be destroyed there") {
  Slab<Counted, 4> slab;
  for (int i = 0; i < 10; ++i) slab.create(i);
  int sum = 0;
  slab.for_each([&](Handle handle, Counted& object) {
    sum += object.value;
    CHECK(slab.find(handle) == &object);
    if (object.value % 2 == 0) slab.destroy(handle);
  });
  CHECK(sum == 45);
  CHECK(slab.size() == 5);
  slab.for_each([&](Handle handle, Counted& object) {
    CHECK(object.value % 2 == 1);
    slab.destroy(handle);
  });
  CHECK(slab.size() == 0);
  CHECK(Counted::live == 0);
}

TEST_CASE("places are aligned as their objects ask") {
  struct alignas(64) Wide {
    char byte = 0;
  };
  Slab<Wide> slab;
  for (int i = 0; i < 3; ++i) CHECK(reinterpret_cast<std::uintptr_t>(slab.find(slab.create())) % 64 == 0);
  slab.for_each([&](Handle handle, Wide&) { slab.destroy(handle); });
}

TEST_CASE("long use with creations and destructions in any order") {
  Slab<std::string, 8> slab;
  std::unordered_map<std::uint64_t, std::string> model;
  std::vector<std::uint64_t> dead;
  std::mt19937 random(20250101);
  for (int step = 0; step < 20'000; ++step) {
    if (model.empty() || (random() % 100 < 52 && model.size() < 200)) {
      const std::string text(random() % 40, static_cast<char>('a' + step % 26));
      const Handle handle = slab.create(text);
      REQUIRE(model.emplace(handle.packed(), text).second);
    } else {
      const auto victim = std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
      const Handle handle = Handle::unpack(victim->first);
      REQUIRE(*slab.find(handle) == victim->second);
      slab.destroy(handle);
      dead.push_back(victim->first);
      model.erase(victim);
    }
    REQUIRE(slab.size() == model.size());
  }
  for (const std::uint64_t handle : dead) REQUIRE(slab.find(Handle::unpack(handle)) == nullptr);
  for (const auto& [handle, text] : model) {
    REQUIRE(*slab.find(Handle::unpack(handle)) == text);
    slab.destroy(Handle::unpack(handle));
  }
}

}  // namespace
}  // namespace tidegate::base
