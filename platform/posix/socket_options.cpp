#include "platform/posix/socket_options.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "platform/posix/errno.h"

namespace tidegate::platform {

base::Result<Descriptor> open_stream_socket(int family) {
#ifdef SOCK_NONBLOCK
  Descriptor made(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made.valid()) return std::unexpected(last_error());
#else
  Descriptor made(::socket(family, SOCK_STREAM, 0));
  if (!made.valid() || !make_nonblocking(made.get())) return std::unexpected(last_error());
#endif
  return made;
}

bool make_nonblocking(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return false;
  return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

void set_no_delay(int descriptor) { static_cast<void>(set_option(descriptor, IPPROTO_TCP, TCP_NODELAY, 1)); }

bool set_option(int descriptor, int level, int name, int value) {
  return ::setsockopt(descriptor, level, name, &value, sizeof value) == 0;
}

}  // namespace tidegate::platform
