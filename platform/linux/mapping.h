// Memory mapped from the kernel or of this process's own, unmapped when its owner goes. Used inside platform code only.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace tidegate::platform {

class Mapping {
 public:
  Mapping() = default;
  // Takes what mmap(2) returned; MAP_FAILED gives an invalid mapping and leaves errno alone.
  Mapping(void* start, std::size_t size) : start_(start == MAP_FAILED ? nullptr : start), size_(size) {}
  Mapping(Mapping&& other) noexcept : start_(std::exchange(other.start_, nullptr)), size_(other.size_) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Mapping() { reset(); }

  [[nodiscard]] bool valid() const { return start_ != nullptr; }
  // The address `offset` bytes behind the start, as a T.
  template <class T>
  [[nodiscard]] T* at(std::size_t offset) const {
    return static_cast<T*>(static_cast<void*>(static_cast<std::byte*>(start_) + offset));
  }
  void reset() {
    if (start_ != nullptr) ::munmap(start_, size_);
    start_ = nullptr;
  }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tidegate::platform
