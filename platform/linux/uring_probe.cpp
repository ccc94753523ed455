#include "platform/linux/uring_probe.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "platform/linux/uring_buffers.h"
#include "platform/linux/uring_ring.h"
#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/small_file.h"

namespace tidegate::platform {

namespace {

constexpr std::int64_t kByteLimitMs = 2000;  // a byte through a socket pair is there at once; this only bounds the wait
constexpr std::uint64_t kTag = 0x7469646567617465;

std::unexpected<std::string> failed(base::Error error) { return std::unexpected(reason_of_uring_failure(error)); }

std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? names.release : "of unknown version";
}

std::string refused() {
  const auto disabled = read_text("/proc/sys/kernel/io_uring_disabled");
  if (disabled && disabled->starts_with('2')) return "kernel.io_uring_disabled is 2: the system forbids io_uring";
  if (disabled && disabled->starts_with('1')) {
    return "kernel.io_uring_disabled is 1: the system forbids io_uring to unprivileged processes";
  }
  return "io_uring is not permitted (a seccomp filter or another security policy)";
}

std::string no_memory() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "the kernel is out of memory";
  return "no memory for the rings: RLIMIT_MEMLOCK is " + std::to_string(limit.rlim_cur / 1024) + " KiB";
}

std::expected<void, std::string> check_operations(UringRing& ring) {
  constexpr unsigned kOperations = 64;
  // The header is followed by one entry an operation; a vector of its widest member gives the alignment.
  std::vector<std::uint64_t> memory((sizeof(io_uring_probe) + kOperations * sizeof(io_uring_probe_op)) /
                                    sizeof(std::uint64_t));
  auto* answer = reinterpret_cast<io_uring_probe*>(memory.data());
  if (const int error = ring.register_with(IORING_REGISTER_PROBE, answer, kOperations); error != 0) {
    return failed(from_errno(error, base::Domain::kIo));
  }
  for (const unsigned needed : {IORING_OP_ACCEPT, IORING_OP_RECV, IORING_OP_SEND, IORING_OP_SENDMSG, IORING_OP_POLL_ADD,
                                IORING_OP_READ, IORING_OP_ASYNC_CANCEL}) {
    if ((answer->ops[needed].flags & IO_URING_OP_SUPPORTED) == 0) {
      return std::unexpected("the kernel's io_uring lacks operation " + std::to_string(needed));
    }
  }
  return {};
}

// Multishot receive out of the buffer ring: the newest thing that the driver is built on, and the proof that entering
// the ring is permitted.
std::expected<void, std::string> check_receive(UringRing& ring) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return failed(from_errno(errno, base::Domain::kIo));
  }
  const Descriptor receiver(pair[0]);
  const Descriptor sender(pair[1]);
  io_uring_sqe& request = ring.next_request();
  io_uring_prep_recv_multishot(&request, receiver.get(), nullptr, 0, 0);
  request.flags = IOSQE_BUFFER_SELECT;
  request.buf_group = UringBuffers::kGroup;
  request.user_data = kTag;
  const char byte = '!';
  if (::send(sender.get(), &byte, 1, MSG_NOSIGNAL) != 1) return failed(from_errno(errno, base::Domain::kIo));
  if (const int error = ring.enter(kByteLimitMs); error != 0) return failed(from_errno(error, base::Domain::kIo));
  constexpr unsigned kWanted = IORING_CQE_F_MORE | IORING_CQE_F_BUFFER;
  const io_uring_cqe* completion = ring.peek();
  if (completion == nullptr || completion->user_data != kTag || completion->res != 1 ||
      (completion->flags & kWanted) != kWanted) {
    return std::unexpected("the kernel's io_uring has no multishot receive");
  }
  return {};
}

}  // namespace

std::string reason_of_uring_failure(base::Error error) {
  switch (error.os_code) {
    case EPERM:
    case EACCES: return refused();
    case ENOSYS: return "the kernel has no io_uring, or a filter hides it";
    case ENOMEM: return no_memory();
    case EINVAL: return "kernel " + kernel_release() + " lacks a part of io_uring that is needed (6.1 has all of it)";
    default:
      return "io_uring fails: " + std::string(base::name_of(error.code)) + " (errno " + std::to_string(error.os_code) +
             ")";
  }
}

std::expected<void, std::string> probe_uring() {
  UringBuffers buffers(2, 64);
  auto ring = UringRing::create(8, 16);  // goes before the buffers
  if (!ring) return failed(ring.error());
  if (const base::Error error = buffers.lend_to(*ring)) return failed(error);
  if (const base::Error error = ring->enable()) return failed(error);
  if (auto checked = check_operations(*ring); !checked) return checked;
  return check_receive(*ring);
}

}  // namespace tidegate::platform
