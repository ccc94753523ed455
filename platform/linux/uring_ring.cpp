#include "platform/linux/uring_ring.h"

#include <linux/time_types.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "platform/posix/errno.h"

namespace tidegate::platform {

namespace {

// Newer than the header of liburing 2.3.
constexpr unsigned kSetupNoSqArray = 1U << 16U;   // IORING_SETUP_NO_SQARRAY, Linux 6.6
constexpr unsigned kFeatureNoIowait = 1U << 17U;  // IORING_FEAT_NO_IOWAIT, Linux 6.15
constexpr unsigned kEnterNoIowait = 1U << 7U;     // IORING_ENTER_NO_IOWAIT

constexpr unsigned kSetupFlags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE |
                                 IORING_SETUP_R_DISABLED | IORING_SETUP_SUBMIT_ALL;
constexpr unsigned kFeaturesNeeded = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_SUBMIT_STABLE |
                                     IORING_FEAT_FAST_POLL | IORING_FEAT_EXT_ARG | IORING_FEAT_CQE_SKIP;

// Names the calling thread. Unlike the system's thread numbers, a name is never given twice.
std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t name = ++last;
  return name;
}

base::Error io_error(int number) { return from_errno(number, base::Domain::kIo); }

int setup(unsigned submissions, io_uring_params& params, unsigned flags) {
  const unsigned completions = params.cq_entries;
  params = {};
  params.flags = flags;
  params.cq_entries = completions;
  return ::io_uring_setup(submissions, &params);
}

}  // namespace

base::Result<UringRing> UringRing::create(unsigned submissions, unsigned completions) {
  UringRing made;
  io_uring_params params{};
  params.cq_entries = completions;
  int ring = setup(submissions, params, kSetupFlags | kSetupNoSqArray);
  if (ring == -EINVAL) ring = setup(submissions, params, kSetupFlags);
  if (ring < 0) return std::unexpected(io_error(-ring));
  made.ring_ = Descriptor(ring);
  made.enter_fd_ = ring;
  made.features_ = params.features;
  if ((params.features & kFeaturesNeeded) != kFeaturesNeeded) return std::unexpected(io_error(ENOSYS));
  if (const base::Error error = made.map(params)) return std::unexpected(error);
  return made;
}

base::Error UringRing::map(const io_uring_params& params) {
  const auto map_part = [this](std::size_t size, off_t offset) {
    return Mapping(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring_.get(), offset), size);
  };
  const bool has_array = (params.flags & kSetupNoSqArray) == 0;
  const std::size_t sq_size = has_array ? params.sq_off.array + params.sq_entries * sizeof(unsigned) : 0;
  const std::size_t cq_size = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
  queues_ = map_part(std::max(sq_size, cq_size), IORING_OFF_SQ_RING);
  if (!queues_.valid()) return io_error(errno);
  requests_mapping_ = map_part(params.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
  if (!requests_mapping_.valid()) return io_error(errno);

  sq_head_ = queues_.at<unsigned>(params.sq_off.head);
  sq_tail_ = queues_.at<unsigned>(params.sq_off.tail);
  cq_head_ = queues_.at<unsigned>(params.cq_off.head);
  cq_tail_ = queues_.at<unsigned>(params.cq_off.tail);
  completions_ = queues_.at<io_uring_cqe>(params.cq_off.cqes);
  requests_ = requests_mapping_.at<io_uring_sqe>(0);
  sq_entries_ = params.sq_entries;
  sq_mask_ = params.sq_entries - 1;
  cq_mask_ = params.cq_entries - 1;
  if (has_array) {
    unsigned* array = queues_.at<unsigned>(params.sq_off.array);
    for (unsigned i = 0; i < sq_entries_; ++i) array[i] = i;  // requests are handed over in place, in order
  }
  return {};
}

base::Error UringRing::enable() {
  if (const int failed = register_with(IORING_REGISTER_ENABLE_RINGS, nullptr, 0); failed != 0) return io_error(failed);
  owner_ = this_thread();
  enter_flags_ = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG;
  // A server that waits for requests is idle, not kept waiting by a disk: tools should not show it as "iowait".
  if ((features_ & kFeatureNoIowait) != 0) enter_flags_ |= kEnterNoIowait;
  // A registered ring saves the look-up of its descriptor in each call. Without it all works, only dearer.
  io_uring_rsrc_update self{};
  self.offset = UINT32_MAX;  // any free place
  self.data = static_cast<unsigned>(ring_.get());
  if (::io_uring_register(static_cast<unsigned>(ring_.get()), IORING_REGISTER_RING_FDS, &self, 1) == 1) {
    enter_fd_ = static_cast<int>(self.offset);
    enter_flags_ |= IORING_ENTER_REGISTERED_RING;
    registered_ = true;
  }
  return {};
}

bool UringRing::is_mine() const { return owner_ == this_thread(); }

void UringRing::close() {
  if (!ring_.valid()) return;
  // The thread's list of registered rings keeps the ring alive; it ends with the thread.
  if (registered_ && is_mine()) {
    io_uring_rsrc_update self{};
    self.offset = static_cast<std::uint32_t>(enter_fd_);
    ::io_uring_register(static_cast<unsigned>(ring_.get()), IORING_UNREGISTER_RING_FDS, &self, 1);
  }
  queues_.reset();
  requests_mapping_.reset();
  ring_.reset();
  backlog_.clear();
}

int UringRing::register_with(unsigned what, void* argument, unsigned count) {
  const int result = ::io_uring_register(static_cast<unsigned>(ring_.get()), what, argument, count);
  return result < 0 ? -result : 0;
}

int UringRing::submit() {
  std::atomic_ref(*sq_tail_).store(tail_, std::memory_order_release);
  const unsigned count = tail_ - load(sq_head_);
  const unsigned flags = registered_ ? IORING_ENTER_REGISTERED_RING : 0;
  const int result = ::io_uring_enter(static_cast<unsigned>(enter_fd_), count, 0, flags, nullptr);
  return result < 0 ? -result : 0;
}

io_uring_sqe& UringRing::next_request_slow() {
  if (is_mine() && backlog_.empty()) {
    submit();
    if (tail_ - load(sq_head_) < sq_entries_) return requests_[tail_++ & sq_mask_];
  }
  return backlog_.emplace_back();
}

void UringRing::move_backlog() {
  std::size_t moved = 0;
  while (moved < backlog_.size()) {
    if (tail_ - load(sq_head_) == sq_entries_) {
      submit();
      if (tail_ - load(sq_head_) == sq_entries_) break;
    }
    requests_[tail_++ & sq_mask_] = backlog_[moved++];
  }
  backlog_.erase(backlog_.begin(), backlog_.begin() + static_cast<std::ptrdiff_t>(moved));
}

int UringRing::enter(std::int64_t timeout_ms) {
  TIDEGATE_CHECK(is_mine());  // a registered ring's number means another ring elsewhere
  if (!backlog_.empty()) move_backlog();
  std::atomic_ref(*sq_tail_).store(tail_, std::memory_order_release);
  const unsigned count = tail_ - load(sq_head_);
  const bool wait = timeout_ms != 0 && peek() == nullptr && backlog_.empty();
  __kernel_timespec limit{};
  io_uring_getevents_arg argument{};
  argument.sigmask_sz = _NSIG / 8;
  if (wait && timeout_ms > 0) {
    limit.tv_sec = timeout_ms / 1000;
    limit.tv_nsec = timeout_ms % 1000 * 1'000'000;
    argument.ts = reinterpret_cast<std::uint64_t>(&limit);
  }
  const int result = ::io_uring_enter2(static_cast<unsigned>(enter_fd_), count, wait ? 1 : 0, enter_flags_,
                                       reinterpret_cast<sigset_t*>(&argument), sizeof argument);
  return result < 0 ? -result : 0;
}

}  // namespace tidegate::platform
