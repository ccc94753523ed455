#include "platform/linux/uring_buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>

#include "base/check.h"
#include "platform/posix/errno.h"

namespace tidegate::platform {

UringBuffers::UringBuffers(std::uint16_t count, std::uint32_t buffer_size)
    : BufferPool(count, buffer_size), ring_target_(std::min(count, kRingTargetMin)), is_lent_(count, false) {
  // All buffers leave the base's free list, so that take() cannot hand out what the kernel may write to.
  while (take()) {
  }
  lent_ = 0;
  reserve_.reserve(count);
  for (std::uint16_t id = count; id-- > 0;) reserve_.push_back(id);
}

base::Error UringBuffers::lend_to(UringRing& ring) {
  const auto entries = std::bit_ceil(count_);
  const std::size_t size = entries * sizeof(io_uring_buf);
  mapping_ =
      Mapping(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0), size);
  if (!mapping_.valid()) return from_errno(errno, base::Domain::kIo);
  slots_ = mapping_.at<io_uring_buf>(0);
  // The tail lies in the unused last field of the first slot (io_uring_register_buf_ring(3)).
  shared_tail_ = mapping_.at<std::uint16_t>(offsetof(io_uring_buf, resv));
  mask_ = static_cast<std::uint16_t>(entries - 1);

  io_uring_buf_reg description{};
  description.ring_addr = reinterpret_cast<std::uint64_t>(slots_);
  description.ring_entries = entries;
  description.bgid = kGroup;
  if (const int failed = ring.register_with(IORING_REGISTER_PBUF_RING, &description, 1); failed != 0) {
    return from_errno(failed, base::Domain::kIo);
  }
  publish();
  return {};
}

void UringBuffers::put_in_ring(std::uint16_t id) {
  io_uring_buf& slot = slots_[tail_ & mask_];
  slot.addr = reinterpret_cast<std::uint64_t>(data_of(id));
  slot.len = buffer_size_;
  slot.bid = id;  // not `resv`: in the first slot that is the tail
  ++tail_;
  ++in_ring_;
}

void UringBuffers::release(io::Buffer buffer) {
  TIDEGATE_CHECK(buffer.id < count_ && is_lent_[buffer.id] && buffer.data == data_of(buffer.id));
  is_lent_[buffer.id] = false;
  --lent_;
  if (in_ring_ < ring_target_) {
    put_in_ring(buffer.id);
  } else {
    reserve_.push_back(buffer.id);
  }
}

io::Buffer UringBuffers::taken_by_kernel(std::uint16_t id, std::uint32_t bytes) {
  TIDEGATE_CHECK(id < count_ && in_ring_ > 0 && !is_lent_[id]);
  is_lent_[id] = true;
  --in_ring_;
  ++lent_;
  return {data_of(id), bytes, id};
}

bool UringBuffers::refill() {
  if (!grown_) ring_target_ = static_cast<std::uint16_t>(std::min(2 * ring_target_, int{count_}));
  grown_ = true;
  top_up();
  return in_ring_ > 0;
}

void UringBuffers::publish() {
  grown_ = false;
  top_up();
  if (published_ == tail_) return;
  published_ = tail_;
  std::atomic_ref(*shared_tail_).store(tail_, std::memory_order_release);
}

void UringBuffers::top_up() {
  while (in_ring_ < ring_target_ && !reserve_.empty()) {
    put_in_ring(reserve_.back());
    reserve_.pop_back();
  }
}

}  // namespace tidegate::platform
