// Files: the part that needs no more than POSIX. Opening below a root and reading are the system's own.
#include "sys/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/file_stat.h"
#include "platform/posix/file_walk.h"

namespace tidegate::sys {

base::Result<FileHandle> open_root(const std::string& path) {
  const int root = ::open(path.c_str(), platform::kOpenDirectory);
  if (root < 0) return std::unexpected(platform::last_error());
  return root;
}

base::Result<FileStat> stat_of(FileHandle file) {
  struct stat raw{};
  if (::fstat(platform::number_of(file), &raw) != 0) return std::unexpected(platform::last_error());
  return platform::file_stat_from(raw);
}

void close_file(FileHandle file) { ::close(platform::number_of(file)); }

}  // namespace tidegate::sys
