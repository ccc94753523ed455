#include "platform/linux/epoll_selector.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "platform/posix/errno.h"

namespace tidegate::platform {

namespace {

constexpr std::uint64_t kWakeKey = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kEventsMax = 512;

class EpollSelector final : public io::Selector {
 public:
  EpollSelector(int epoll, int wake) : epoll_(epoll), wake_(wake) {}
  ~EpollSelector() override {
    ::close(wake_);
    ::close(epoll_);
  }
  EpollSelector(const EpollSelector&) = delete;
  EpollSelector& operator=(const EpollSelector&) = delete;

  [[nodiscard]] std::string_view name() const override { return "epoll"; }

  [[nodiscard]] base::Error add(sys::SocketHandle socket, std::uint64_t key) override {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = key;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, static_cast<int>(socket), &event) == 0) return {};
    base::Error error = from_errno(errno, base::Domain::kIo);
    if (error.os_code == ENOSPC) error.code = base::Code::kNoMemory;  // fs.epoll.max_user_watches
    return error;
  }

  // Closing the last descriptor of a socket removes it; an explicit call would be a wasted system call.
  void remove(sys::SocketHandle, std::uint64_t) override {}
  void want(std::uint64_t, bool, bool) override {}

  std::size_t wait(std::int64_t timeout_ms, std::span<io::ReadyEvent> events) override {
    const int room = static_cast<int>(std::min(events.size(), kEventsMax));
    const int timeout = static_cast<int>(std::min<std::int64_t>(timeout_ms, std::numeric_limits<int>::max()));
    const int count = ::epoll_wait(epoll_, raw_.data(), room, timeout);
    std::size_t used = 0;
    for (int i = 0; i < count; ++i) {
      const epoll_event& raw = raw_[static_cast<std::size_t>(i)];
      if (raw.data.u64 == kWakeKey) continue;
      const bool failed = (raw.events & (EPOLLERR | EPOLLHUP)) != 0;
      events[used++] = {.key = raw.data.u64,
                        .readable = failed || (raw.events & (EPOLLIN | EPOLLRDHUP)) != 0,
                        .writable = failed || (raw.events & EPOLLOUT) != 0,
                        .peer_closed = failed || (raw.events & EPOLLRDHUP) != 0};
    }
    return used;
  }

  // Each write is an edge, so the counter is never read; it would take centuries to fill it.
  void wake() override {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(wake_, &one, sizeof one));
  }

 private:
  int epoll_;
  int wake_;
  std::array<epoll_event, kEventsMax> raw_{};
};

}  // namespace

base::Result<std::unique_ptr<io::Selector>> make_epoll_selector() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return std::unexpected(from_errno(errno, base::Domain::kIo));
  const int wake = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = kWakeKey;
  if (wake < 0 || ::epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event) != 0) {
    const base::Error error = from_errno(errno, base::Domain::kIo);
    if (wake >= 0) ::close(wake);
    ::close(epoll);
    return std::unexpected(error);
  }
  return std::make_unique<EpollSelector>(epoll, wake);
}

}  // namespace tidegate::platform
