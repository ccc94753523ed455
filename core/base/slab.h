// A slab of objects named by Handle{index, generation}: a late reference to a freed object is recognised, never followed.
//
// Addresses are stable (chunks of kChunk objects, never moved); freed places are reused last in, first out, which keeps
// the hot ones in cache. One owner, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/check.h"

namespace tidegate::base {

struct Handle {
  std::uint32_t index = UINT32_MAX;
  std::uint32_t generation = 0;

  [[nodiscard]] bool valid() const { return index != UINT32_MAX; }
  [[nodiscard]] std::uint64_t packed() const { return (std::uint64_t{generation} << 32U) | index; }
  static Handle unpack(std::uint64_t value) {
    return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U)};
  }
  friend bool operator==(const Handle&, const Handle&) = default;
};

template <class T, std::size_t kChunk = 64>
class Slab {
 public:
  Slab() = default;
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab() { TIDEGATE_CHECK(size_ == 0); }

  // Constructs a T in a free place. Allocates only when all places are taken.
  template <class... Args>
  Handle create(Args&&... args) {
    if (free_ == kNone) grow();
    const std::uint32_t index = free_;
    Place& place = at(index);
    free_ = place.next_free;
    ::new (static_cast<void*>(place.bytes)) T(std::forward<Args>(args)...);
    place.live = true;
    ++size_;
    return {index, place.generation};
  }

  // The object, or nullptr when the handle is stale.
  [[nodiscard]] T* find(Handle handle) {
    if (handle.index >= chunks_.size() * kChunk) return nullptr;
    Place& place = at(handle.index);
    return place.live && place.generation == handle.generation ? place.object() : nullptr;
  }

  // Destroys the object; its handles become stale at once.
  void destroy(Handle handle) {
    T* object = find(handle);
    TIDEGATE_CHECK(object != nullptr);
    object->~T();
    Place& place = at(handle.index);
    place.live = false;
    ++place.generation;
    place.next_free = free_;
    free_ = handle.index;
    --size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  // Calls visit(Handle, T&) for each live object; visit may destroy the object that it is given.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (std::uint32_t index = 0; index < chunks_.size() * kChunk; ++index) {
      Place& place = at(index);
      if (place.live) visit(Handle{index, place.generation}, *place.object());
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Place {
    alignas(T) std::byte bytes[sizeof(T)];
    std::uint32_t generation = 1;
    std::uint32_t next_free = kNone;
    bool live = false;
    T* object() { return std::launder(reinterpret_cast<T*>(bytes)); }
  };
  struct Chunk {
    Place places[kChunk];
  };

  Place& at(std::uint32_t index) { return chunks_[index / kChunk]->places[index % kChunk]; }

  void grow() {
    const auto first = static_cast<std::uint32_t>(chunks_.size() * kChunk);
    chunks_.push_back(std::make_unique<Chunk>());
    for (std::uint32_t i = kChunk; i-- > 0;) {
      at(first + i).next_free = free_;
      free_ = first + i;
    }
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t free_ = kNone;
  std::size_t size_ = 0;
};

}  // namespace tidegate::base
