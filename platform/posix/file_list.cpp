#include "platform/posix/file_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"
#include "platform/posix/file_stat.h"

namespace tidegate::platform {

namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

// A stream of its own: the handle may be shared between threads, and may be good for look-ups only.
base::Result<Directory> open_stream(int directory) {
  Descriptor own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own.valid()) return std::unexpected(last_error());
  Directory stream(::fdopendir(own.get()));
  if (stream == nullptr) return std::unexpected(last_error());
  static_cast<void>(own.release());  // closedir closes it
  return stream;
}

// Nothing when the entry has vanished.
std::optional<sys::FileStat> stat_entry(int directory, const char* name, sys::Links links, StatLink stat_link) {
  struct stat raw{};
  if (::fstatat(directory, name, &raw, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return sys::FileStat{};
  }
  if (!S_ISLNK(raw.st_mode)) return file_stat_from(raw);
  return stat_link(directory, name, links).value_or(sys::FileStat{});
}

}  // namespace

base::Result<std::vector<sys::DirectoryEntry>> list_entries(sys::FileHandle directory, sys::Links links,
                                                            std::size_t entries_max, StatLink stat_link) {
  const int number = number_of(directory);
  const auto stream = open_stream(number);
  if (!stream) return std::unexpected(stream.error());
  std::vector<sys::DirectoryEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* raw = ::readdir(stream->get());
    if (raw == nullptr) {
      if (errno != 0) return std::unexpected(last_error());
      return entries;
    }
    const std::string_view name = raw->d_name;
    if (name == "." || name == "..") continue;
    const auto stat = stat_entry(number, raw->d_name, links, stat_link);
    if (!stat) continue;
    if (entries.size() == entries_max) return std::unexpected(sys_error(base::Code::kTooLarge));
    entries.push_back({.name = std::string(name), .stat = *stat});
  }
}

}  // namespace tidegate::platform
