// Stream sockets: accept, connect, transfer, close. Listening is in listen.cpp, send_file in the system's own directory.
#include "sys/socket.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/sockaddr.h"  // and the system's header of sockets
#include "platform/posix/socket_options.h"

namespace tidegate::sys {

namespace {

using platform::Descriptor;
using platform::last_error;
using platform::number_of;
using platform::SocketAddress;

// Slices go to the kernel as they are.
static_assert(sizeof(Slice) == sizeof(iovec));
static_assert(alignof(Slice) == alignof(iovec));
static_assert(offsetof(Slice, data) == offsetof(iovec, iov_base));
static_assert(offsetof(Slice, size) == offsetof(iovec, iov_len));
static_assert(sizeof(Slice::data) == sizeof(iovec::iov_base) && sizeof(Slice::size) == sizeof(iovec::iov_len));

// What send must hold to at most: the kernel refuses longer vectors.
#ifdef IOV_MAX
constexpr std::size_t kSlicesMax = IOV_MAX;
#else
constexpr std::size_t kSlicesMax = 1024;
#endif

int send_flags(bool more_follows) {
#ifdef MSG_MORE
  return MSG_NOSIGNAL | (more_follows ? MSG_MORE : 0);
#else
  static_cast<void>(more_follows);
  return MSG_NOSIGNAL;
#endif
}

int accept_once(int listener, SocketAddress& peer) {
#ifdef SOCK_NONBLOCK
  return ::accept4(listener, &peer.any, &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
  Descriptor made(::accept(listener, &peer.any, &peer.size));
  if (!made.valid() || !platform::make_nonblocking(made.get())) return -1;
  platform::set_no_delay(made.get());
  return made.release();
#endif
}

// The connection died before it was taken, or a signal came: there may be another one behind it (accept(2)).
bool worth_another_accept(int number) {
  switch (number) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH: return true;
    default: return false;
  }
}

}  // namespace

base::Result<Accepted> accept_from(SocketHandle listener) {
  for (;;) {
    SocketAddress peer;
    const int made = accept_once(number_of(listener), peer);
    if (made >= 0) return Accepted{.socket = made, .peer = platform::address_from(peer)};
    if (!worth_another_accept(errno)) return std::unexpected(last_error());
  }
}

base::Result<SocketHandle> connect_to(const base::Endpoint& endpoint) {
  const auto address = platform::to_sockaddr(endpoint);
  if (!address) return std::unexpected(address.error());
  auto made = platform::open_stream_socket(address->any.sa_family);
  if (!made) return std::unexpected(made.error());
  const bool local = endpoint.address.family == base::Family::kUnix;
  if (!local) platform::set_no_delay(made->get());
  // An interrupted connect goes on in the background, as a non-blocking one does (connect(2)).
  if (::connect(made->get(), &address->any, address->size) == 0 || errno == EINPROGRESS || errno == EINTR) {
    return made->release();
  }
  base::Error error = last_error();
  // A unix socket has no connection under way after EAGAIN (its queue is full), and without a file nobody listens.
  if (local && (errno == EAGAIN || errno == ENOENT)) error.code = base::Code::kRefused;
  return std::unexpected(error);
}

base::Error connect_outcome(SocketHandle socket) {
  int number = 0;
  socklen_t size = sizeof number;
  if (::getsockopt(number_of(socket), SOL_SOCKET, SO_ERROR, &number, &size) != 0) return last_error();
  return platform::from_errno(number, number == 0 ? base::Domain::kBase : base::Domain::kSys);
}

base::Result<std::size_t> receive(SocketHandle socket, void* into, std::size_t size) {
  for (;;) {
    const ssize_t got = ::recv(number_of(socket), into, size, 0);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return std::unexpected(last_error());
  }
}

base::Result<std::size_t> send(SocketHandle socket, std::span<const Slice> slices, bool more_follows) {
  const int flags = send_flags(more_follows);
  msghdr message{};
  if (slices.size() != 1) {
    // The kernel only reads the vector; its type has no const.
    message.msg_iov = reinterpret_cast<iovec*>(const_cast<Slice*>(slices.data()));
    message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(std::min(slices.size(), kSlicesMax));
  }
  for (;;) {
    const ssize_t sent = slices.size() == 1 ? ::send(number_of(socket), slices[0].data, slices[0].size, flags)
                                            : ::sendmsg(number_of(socket), &message, flags);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno != EINTR) return std::unexpected(last_error());
  }
}

void shutdown_send(SocketHandle socket) { ::shutdown(number_of(socket), SHUT_WR); }

void close_socket(SocketHandle socket, bool reset) {
  if (reset) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(number_of(socket), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  ::close(number_of(socket));
}

base::Result<base::Endpoint> local_endpoint(SocketHandle socket) {
  SocketAddress address;
  if (::getsockname(number_of(socket), &address.any, &address.size) != 0) return std::unexpected(last_error());
  return platform::endpoint_from(address);
}

}  // namespace tidegate::sys
