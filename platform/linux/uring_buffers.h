// The receive buffers of a UringDriver: the kernel takes them from a ring of its own when data arrives. One thread.
//
// A buffer is in exactly one of three places: in the kernel's ring, lent to a receiver, or in reserve. The kernel
// uses its ring in order, so every buffer in it is touched sooner or later; therefore only `ring_target_` buffers are
// kept there and the rest stays in reserve, untouched, until the kernel reports that its ring ran dry. Released
// buffers become visible to the kernel at publish(), once a turn.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "io/buffer_pool.h"
#include "platform/linux/mapping.h"
#include "platform/linux/uring_ring.h"

namespace tidegate::platform {

class UringBuffers final : public io::BufferPool {
 public:
  static constexpr std::uint16_t kGroup = 0;           // the ring's name in requests
  static constexpr std::uint16_t kRingTargetMin = 64;  // buffers in the kernel's ring at first

  UringBuffers(std::uint16_t count, std::uint32_t buffer_size);
  // Registers the kernel's ring and fills it; `ring` must be closed before this pool goes.
  // Errors: kNoMemory, kInvalid (the kernel does not know buffer rings).
  [[nodiscard]] base::Error lend_to(UringRing& ring);

  void release(io::Buffer buffer) override;
  // The buffer that a completion names, with the bytes received into it; it is lent from now on.
  [[nodiscard]] io::Buffer taken_by_kernel(std::uint16_t id, std::uint32_t bytes);
  // Called when the kernel found its ring empty. Returns whether there are buffers for another try.
  [[nodiscard]] bool refill();
  // Shows the kernel what was released.
  void publish();

 private:
  void put_in_ring(std::uint16_t id);
  void top_up();

  Mapping mapping_;
  io_uring_buf* slots_ = nullptr;
  std::uint16_t* shared_tail_ = nullptr;
  std::uint16_t mask_ = 0;
  std::uint16_t tail_ = 0;
  std::uint16_t published_ = 0;
  std::uint16_t in_ring_ = 0;
  std::uint16_t ring_target_;
  bool grown_ = false;  // since the last publish: one burst of reports enlarges the ring once
  std::vector<std::uint16_t> reserve_;
  std::vector<bool> is_lent_;  // by id: a buffer that came back twice would be given to two receivers
};

}  // namespace tidegate::platform
