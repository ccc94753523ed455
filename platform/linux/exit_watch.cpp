// The end of another process, through a pidfd: it becomes readable when the process ends, waited for or not (poll(2)).
#include "sys/exit_watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/clock.h"
#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"

namespace tidegate::sys {

base::Error wait_for_exit(std::int64_t pid, std::int64_t timeout_ms) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  if (pid <= 0 || pid > kMost) return platform::sys_error(base::Code::kInvalid);
  const std::int64_t deadline_ms = base::monotonic_ms() + std::max<std::int64_t>(timeout_ms, 0);
  const platform::Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U)));
  if (!process.valid()) return errno == ESRCH ? base::Error{} : platform::last_error();
  for (;;) {
    const std::int64_t left_ms = std::clamp<std::int64_t>(deadline_ms - base::monotonic_ms(), 0, kMost);
    pollfd ended{.fd = process.get(), .events = POLLIN, .revents = 0};
    const int found = ::poll(&ended, 1, static_cast<int>(left_ms));
    if (found > 0) return {};
    if (found < 0 && errno != EINTR) return platform::last_error();
    if (found == 0 && left_ms < kMost) return platform::sys_error(base::Code::kTimedOut);
  }
}

}  // namespace tidegate::sys
