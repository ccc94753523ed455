// File ranges to sockets without a copy through this process: sendfile(2). A write to a closed connection raises SIGPIPE
// here, since sendfile takes no flags; block_service_signals() makes the process ignore it.
#include <sys/sendfile.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "sys/socket.h"

namespace tidegate::sys {

namespace {
constexpr std::size_t kRangeMax = 0x7ffff000;  // what the kernel moves in one call at most
}

base::Result<std::size_t> send_file(SocketHandle socket, FileHandle file, std::uint64_t offset, std::size_t size) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    return std::unexpected(platform::sys_error(base::Code::kInvalid));
  }
  for (;;) {
    off_t at = static_cast<off_t>(offset);
    const ssize_t sent =
        ::sendfile(platform::number_of(socket), platform::number_of(file), &at, std::min(size, kRangeMax));
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno != EINTR) return std::unexpected(platform::last_error());
  }
}

}  // namespace tidegate::sys
