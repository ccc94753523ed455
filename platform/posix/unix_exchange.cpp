// The command line's side of the control socket: one request, one answer, one deadline.
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "base/clock.h"
#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/sockaddr.h"
#include "platform/posix/socket_options.h"
#include "sys/process.h"

namespace tidegate::sys {

namespace {

using platform::Descriptor;
using platform::last_error;

base::Error timed_out() { return platform::sys_error(base::Code::kTimedOut); }

// One connection, non-blocking but for the connect, and the time by which all must be done.
class Exchange {
 public:
  explicit Exchange(std::int64_t timeout_ms) : deadline_ms_(base::monotonic_ms() + timeout_ms) {}

  // A full queue of the listener holds a blocking connect up, and there is nothing to poll for; the send timeout of the
  // socket bounds it (unix(7), socket(7)).
  base::Error connect(const std::string& path) {
    base::Endpoint endpoint{.address = {.family = base::Family::kUnix}, .unix_path = path};
    const auto address = platform::to_sockaddr(endpoint);
    if (!address) return address.error();
    socket_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM, 0));
    if (!socket_.valid()) return last_error();
    const std::int64_t left_ms = std::max<std::int64_t>(left(), 1);
    timeval bound{};
    bound.tv_sec = static_cast<decltype(bound.tv_sec)>(left_ms / 1000);
    bound.tv_usec = static_cast<decltype(bound.tv_usec)>(left_ms % 1000 * 1000);
    if (::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof bound) != 0) return last_error();
    while (::connect(socket_.get(), &address->any, address->size) != 0) {
      if (errno == EAGAIN) return timed_out();
      if (errno != EINTR) return last_error();
      if (left() <= 0) return timed_out();
    }
    return platform::make_nonblocking(socket_.get()) ? base::Error{} : last_error();
  }

  // An answer may come before all was sent, and the other side be gone then: that is for receive to find out.
  base::Error send(std::string_view request) {
    while (!request.empty()) {
      const ssize_t sent = ::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        request.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EPIPE || errno == ECONNRESET) {
        return {};
      } else if (errno == EAGAIN) {
        if (const base::Error error = wait_for(POLLOUT)) return error;
      } else if (errno != EINTR) {
        return last_error();
      }
    }
    return {};
  }

  base::Result<std::string> receive() {
    std::string answer;
    std::array<char, 16'384> piece;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), piece.data(), piece.size(), 0);
      if (got == 0) return answer;
      if (got > 0) {
        answer.append(piece.data(), static_cast<std::size_t>(got));
        if (answer.size() > kExchangeMax) return std::unexpected(platform::sys_error(base::Code::kTooLarge));
      } else if (errno == ECONNRESET && !answer.empty()) {
        return answer;  // the request was not read to its end, the answer is whole
      } else if (errno == EAGAIN) {
        if (const base::Error error = wait_for(POLLIN)) return std::unexpected(error);
      } else if (errno != EINTR) {
        return std::unexpected(last_error());
      }
    }
  }

 private:
  [[nodiscard]] std::int64_t left() const { return deadline_ms_ - base::monotonic_ms(); }

  base::Error wait_for(short events) {
    const std::int64_t left_ms = left();
    if (left_ms <= 0) return timed_out();
    pollfd ready{.fd = socket_.get(), .events = events, .revents = 0};
    const std::int64_t bounded = std::min<std::int64_t>(left_ms, std::numeric_limits<int>::max());
    if (::poll(&ready, 1, static_cast<int>(bounded)) < 0 && errno != EINTR) return last_error();
    return {};  // the caller tries again and comes back here if it was for nothing
  }

  std::int64_t deadline_ms_;
  Descriptor socket_;
};

}  // namespace

base::Result<std::string> exchange_over_unix(const std::string& path, std::string_view request,
                                             std::int64_t timeout_ms) {
  Exchange exchange(timeout_ms);
  if (const base::Error error = exchange.connect(path)) return std::unexpected(error);
  if (const base::Error error = exchange.send(request)) return std::unexpected(error);
  return exchange.receive();
}

}  // namespace tidegate::sys
