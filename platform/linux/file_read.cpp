// Reads files at an offset, without waiting for the disk when asked so: preadv2(2).
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "sys/file.h"

namespace tidegate::sys {

namespace {

constexpr std::size_t kReadMax = 0x7ffff000;  // what the kernel reads in one call at most

ssize_t read_once(int file, void* into, std::size_t size, off_t offset, Wait wait) {
  if (wait == Wait::kMayBlock) return ::pread(file, into, size, offset);
  const iovec piece{.iov_base = into, .iov_len = size};
  return ::preadv2(file, &piece, 1, offset, RWF_NOWAIT);
}

}  // namespace

base::Result<std::size_t> read_at(FileHandle file, void* into, std::size_t size, std::uint64_t offset, Wait wait) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    return std::unexpected(platform::sys_error(base::Code::kInvalid));
  }
  const std::size_t wanted = std::min(size, kReadMax);
  for (;;) {
    const ssize_t got = read_once(platform::number_of(file), into, wanted, static_cast<off_t>(offset), wait);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    // Not every file system can tell whether it would wait, nor every kernel: then the caller reads where it may wait.
    const bool cannot_tell = errno == EOPNOTSUPP || errno == ENOSYS;
    if (wait == Wait::kCachedOnly && cannot_tell) return std::unexpected(platform::sys_error(base::Code::kWouldBlock));
    return std::unexpected(platform::last_error());
  }
}

}  // namespace tidegate::sys
