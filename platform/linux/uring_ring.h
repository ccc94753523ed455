// One io_uring instance: the two queues shared with the kernel and the system call that submits and waits.
//
// The ring is created disabled, by any thread; enable() binds it to the calling thread, and from then on only that
// thread may use it (IORING_SETUP_SINGLE_ISSUER). liburing supplies the system calls and the request layouts; its own
// queue is not used because the driver needs three things of it that it hides: every turn enters the kernel with
// IORING_ENTER_GETEVENTS (completions are posted only then, IORING_SETUP_DEFER_TASKRUN), a queue without the index
// array where the kernel has it, and a ring that may be taken down by a thread that may no longer enter it. Sources:
// io_uring_setup(2), io_uring_enter(2), io_uring_register(2).
#pragma once

#include <liburing.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "platform/linux/mapping.h"
#include "platform/posix/descriptor.h"

namespace tidegate::platform {

class UringRing {
 public:
  // Sizes are rounded up to powers of two by the kernel. Errors: kNotSupported (no io_uring here, or a kernel before
  // 6.1), kDenied, kNoMemory (RLIMIT_MEMLOCK), kNoDescriptors, kInvalid (the kernel does not know a flag).
  [[nodiscard]] static base::Result<UringRing> create(unsigned submissions, unsigned completions);
  UringRing(UringRing&&) = default;
  UringRing& operator=(UringRing&&) = default;
  ~UringRing() { close(); }

  // Binds the ring to the calling thread and starts it.
  [[nodiscard]] base::Error enable();
  [[nodiscard]] bool enabled() const { return owner_ != 0; }
  // Whether the calling thread may use the ring, now that it is enabled.
  [[nodiscard]] bool is_mine() const;
  // Ends the ring; the kernel cancels what is in flight. Any thread, provided that no other uses the ring.
  void close();

  // The next request to fill in. Never fails: when the queue is full it is handed to the kernel, and where that
  // cannot be done the request waits outside. Valid until the next call.
  [[nodiscard]] io_uring_sqe& next_request() {
    if (tail_ - load(sq_head_) < sq_entries_ && backlog_.empty()) return requests_[tail_++ & sq_mask_];
    return next_request_slow();
  }

  // Submits and, when no completion is there, waits up to timeout_ms (-1: for ever; 0: not at all). Returns 0 or an
  // errno value: EINTR, ETIME, EAGAIN (no memory now), EBUSY. Only on the ring's thread.
  int enter(std::int64_t timeout_ms);

  // The oldest completion, or nullptr. Good until seen().
  [[nodiscard]] const io_uring_cqe* peek() const {
    const unsigned head = *cq_head_;  // written by this thread only
    return head == load(cq_tail_) ? nullptr : &completions_[head & cq_mask_];
  }
  void seen() { std::atomic_ref(*cq_head_).store(*cq_head_ + 1, std::memory_order_release); }

  // io_uring_register(2). Returns 0 or an errno value.
  int register_with(unsigned what, void* argument, unsigned count);
  [[nodiscard]] unsigned features() const { return features_; }

 private:
  UringRing() = default;
  static unsigned load(unsigned* shared) { return std::atomic_ref(*shared).load(std::memory_order_acquire); }
  base::Error map(const io_uring_params& params);
  io_uring_sqe& next_request_slow();
  void move_backlog();
  int submit();

  Descriptor ring_;
  Mapping queues_;
  Mapping requests_mapping_;
  unsigned* sq_head_ = nullptr;
  unsigned* sq_tail_ = nullptr;
  unsigned* cq_head_ = nullptr;
  unsigned* cq_tail_ = nullptr;
  io_uring_sqe* requests_ = nullptr;
  io_uring_cqe* completions_ = nullptr;
  unsigned sq_entries_ = 0;
  unsigned sq_mask_ = 0;
  unsigned cq_mask_ = 0;
  unsigned tail_ = 0;  // of the requests filled in; the kernel sees it at the next system call
  unsigned features_ = 0;
  unsigned enter_flags_ = 0;  // of the system call that waits
  int enter_fd_ = -1;         // the ring's number among the thread's registered rings, or its descriptor
  bool registered_ = false;
  std::uint64_t owner_ = 0;            // the thread; 0 before enable()
  std::vector<io_uring_sqe> backlog_;  // requests that found no room, oldest first
};

}  // namespace tidegate::platform
