// A file descriptor with an owner: closed when the owner goes. Used inside platform code only; what crosses to core is a
// plain handle.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <utility>

namespace tidegate::platform {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  // Gives the descriptor away.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_ = -1;
};

// The descriptor in a sys::FileHandle or sys::SocketHandle.
[[nodiscard]] inline int number_of(std::intptr_t handle) { return static_cast<int>(handle); }

}  // namespace tidegate::platform
