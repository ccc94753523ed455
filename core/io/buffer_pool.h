// Receive buffers of one driver: a fixed number of equal pieces of one mapping. Idle connections hold none.
//
// The driver hands a buffer out with a completion; it is the receiver's until release(). One thread. A native driver
// that lends buffers to the kernel overrides where a released buffer goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tidegate::io {

// A lent buffer. `size` is the number of bytes received into it, `capacity` is the pool's buffer_size().
struct Buffer {
  static constexpr std::uint16_t kNone = UINT16_MAX;
  char* data = nullptr;
  std::uint32_t size = 0;
  std::uint16_t id = kNone;
  explicit operator bool() const { return id != kNone; }
};

class BufferPool {
 public:
  static constexpr std::uint16_t kCountMax = 32768;  // what the largest native driver can lend to its kernel

  // count: 1 to kCountMax. buffer_size: bytes, not 0. Memory is touched only when a buffer is used.
  BufferPool(std::uint16_t count, std::uint32_t buffer_size);
  virtual ~BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // A free buffer with size 0, or an empty Buffer when all are lent. For readiness drivers.
  Buffer take();
  // Gives a buffer back.
  virtual void release(Buffer buffer);

  [[nodiscard]] std::uint32_t buffer_size() const { return buffer_size_; }
  [[nodiscard]] std::uint16_t count() const { return count_; }
  [[nodiscard]] std::uint16_t lent() const { return lent_; }
  [[nodiscard]] char* data_of(std::uint16_t id) { return memory_.get() + std::size_t{id} * buffer_size_; }

 protected:
  std::uint16_t count_;
  std::uint16_t lent_ = 0;
  std::uint32_t buffer_size_;

 private:
  std::unique_ptr<char[]> memory_;
  std::vector<std::uint16_t> free_;  // last in, first out: the warmest buffer is used next
  std::vector<bool> taken_;          // by id: a buffer that came back twice would be lent to two receivers
};

}  // namespace tidegate::io
