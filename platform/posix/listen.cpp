// Listening sockets: TCP, unix, and those that somebody else opened.
//
// A unix socket's file never has wider permissions than asked for, not even for an instant: the mode is set on the
// socket before bind creates the file, widened to what the umask cut off afterwards, and only then does it listen.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/sockaddr.h"  // and the system's header of sockets
#include "platform/posix/socket_options.h"
#include "sys/socket.h"

namespace tidegate::sys {

namespace {

using platform::Descriptor;
using platform::last_error;
using platform::SocketAddress;

// Whether `address` names a socket file that nobody accepts at. A queue that is full (EAGAIN) is somebody.
bool is_stale_socket(const SocketAddress& address) {
  struct stat found{};
  if (::lstat(address.local.sun_path, &found) != 0 || !S_ISSOCK(found.st_mode)) return false;
  const auto probe = platform::open_stream_socket(AF_UNIX);
  if (!probe) return false;
  return ::connect(probe->get(), &address.any, address.size) != 0 && errno == ECONNREFUSED;
}

base::Error bind_unix(int socket, const SocketAddress& address, std::uint32_t mode) {
  // Linux takes the file's mode from the socket, less the umask; elsewhere this fails, and the umask alone counts.
  if (mode != 0) static_cast<void>(::fchmod(socket, static_cast<mode_t>(mode)));
  if (::bind(socket, &address.any, address.size) != 0) {
    const base::Error error = last_error();
    if (errno != EADDRINUSE || !is_stale_socket(address)) return error;
    if (::unlink(address.local.sun_path) != 0 && errno != ENOENT) return last_error();
    if (::bind(socket, &address.any, address.size) != 0) return last_error();
  }
  if (mode == 0) return {};
  if (::fchmodat(AT_FDCWD, address.local.sun_path, static_cast<mode_t>(mode), AT_SYMLINK_NOFOLLOW) != 0) {
    const base::Error error = last_error();
    ::unlink(address.local.sun_path);
    return error;
  }
  return {};
}

base::Error bind_ip(int socket, const SocketAddress& address, const ListenOptions& options) {
  if (!platform::set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1)) return last_error();
  if (options.share_port && !platform::set_option(socket, SOL_SOCKET, SO_REUSEPORT, 1)) return last_error();
  if (address.any.sa_family == AF_INET6 &&
      !platform::set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, options.ipv6_only ? 1 : 0)) {
    return last_error();
  }
  platform::set_no_delay(socket);
  if (::bind(socket, &address.any, address.size) != 0) return last_error();
  return {};
}

}  // namespace

base::Result<SocketHandle> listen_at(const base::Endpoint& endpoint, const ListenOptions& options) {
  const auto address = platform::to_sockaddr(endpoint);
  if (!address) return std::unexpected(address.error());
  auto made = platform::open_stream_socket(address->any.sa_family);
  if (!made) return std::unexpected(made.error());
  const bool local = address->any.sa_family == AF_UNIX;
  const base::Error error =
      local ? bind_unix(made->get(), *address, options.unix_mode) : bind_ip(made->get(), *address, options);
  if (error) return std::unexpected(error);
  if (::listen(made->get(), options.backlog) != 0) {
    const base::Error failed = last_error();
    if (local) ::unlink(address->local.sun_path);
    return std::unexpected(failed);
  }
  return made->release();
}

base::Result<SocketHandle> adopt_listener(SocketHandle inherited) {
  const int socket = platform::number_of(inherited);
  int type = 0;
  int listens = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return std::unexpected(last_error());
  size = sizeof listens;
  if (::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) return std::unexpected(last_error());
  if (type != SOCK_STREAM || listens == 0) return std::unexpected(platform::sys_error(base::Code::kInvalid));
  if (!platform::make_nonblocking(socket)) return std::unexpected(last_error());
  const auto bound = local_endpoint(inherited);
  if (bound && bound->address.family != base::Family::kUnix) platform::set_no_delay(socket);
  return inherited;
}

}  // namespace tidegate::sys
