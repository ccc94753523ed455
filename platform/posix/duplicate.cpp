#include <fcntl.h>

#include <cerrno>

#include "platform/posix/errno.h"
#include "sys/socket.h"

namespace tidegate::sys {

base::Result<SocketHandle> duplicate_socket(SocketHandle socket) {
  const int copy = ::fcntl(static_cast<int>(socket), F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return std::unexpected(platform::from_errno(errno, base::Domain::kSys));
  return copy;
}

}  // namespace tidegate::sys
