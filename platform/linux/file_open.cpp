// Opens and stats files below a root.
//
// A file is looked up with O_PATH first, which opens nothing: a pipe is not joined, a device not touched. Only what
// turns out to be a regular file is then opened for reading, as the very inode that was looked up. A directory stays an
// O_PATH descriptor: good as a root without permission to read it, and list_directory opens its own.
#include "platform/linux/file_open.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "platform/posix/errno.h"
#include "platform/posix/file_list.h"
#include "platform/posix/file_stat.h"

namespace tidegate::platform {

namespace {

// Reopening by name meets another file than the look-up did when it is replaced in between; so often it is tried again.
constexpr int kReplacedMax = 8;

// Only a call that must not block may say that it would.
base::Error file_error(int number, sys::Wait wait) {
  base::Error error = from_errno(number, base::Domain::kSys);
  if (error.code == base::Code::kWouldBlock && wait == sys::Wait::kMayBlock) error.code = base::Code::kIo;
  return error;
}

int open_through_proc(int looked_up, int flags) {
  constexpr std::string_view kPrefix = "/proc/self/fd/";
  std::array<char, kPrefix.size() + 12> path{};
  kPrefix.copy(path.data(), kPrefix.size());
  std::to_chars(path.data() + kPrefix.size(), path.data() + path.size() - 1, looked_up);
  return ::open(path.data(), flags);
}

// O_NONBLOCK guarded the open; left in place it would make io_uring refuse reads that have to wait.
void make_blocking(int file) { ::fcntl(file, F_SETFL, 0); }

struct Request {
  OpenBelow open_below;
  int root;
  const char* path;
  sys::Links links;
  sys::Wait wait;
};

// Opens the file again by its name. ESTALE: it is another file now.
Opened reopen_by_name(const Request& request, const sys::FileStat& looked_up) {
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;
  Opened opened = look_up(request.open_below, request.root, request.path, request.links, request.wait, kFlags);
  if (!opened) return opened;
  struct stat raw{};
  if (::fstat(opened->get(), &raw) != 0) return std::unexpected(errno);
  const sys::FileStat now = file_stat_from(raw);
  if (now.device != looked_up.device || now.inode != looked_up.inode) return std::unexpected(ESTALE);
  make_blocking(opened->get());
  return opened;
}

// Opens the regular file behind an O_PATH descriptor for reading.
Opened reopen(const Request& request, Reopen way, int looked_up, const sys::FileStat& stat) {
  if (way == Reopen::kThroughProc) {
    // A lease that another process took on the file (F_SETLEASE in fcntl(2)) would hold this open up for many seconds.
    const bool hasty = request.wait == sys::Wait::kCachedOnly;
    const int opened = open_through_proc(looked_up, O_RDONLY | O_NOCTTY | O_CLOEXEC | (hasty ? O_NONBLOCK : 0));
    if (opened >= 0) {
      if (hasty) make_blocking(opened);
      return Descriptor(opened);
    }
    if (errno != ENOENT) return std::unexpected(errno);  // ENOENT: there is no /proc
  }
  return reopen_by_name(request, stat);
}

}  // namespace

base::Result<sys::OpenedFile> open_file(OpenBelow open_below, Reopen way, int root, const char* path, sys::Links links,
                                        sys::Wait wait) {
  const Request request{.open_below = open_below, .root = root, .path = path, .links = links, .wait = wait};
  for (int tries = 0; tries < kReplacedMax; ++tries) {
    Opened found = look_up(open_below, root, path, links, wait, O_PATH);
    if (!found) return std::unexpected(file_error(found.error(), wait));
    struct stat raw{};
    if (::fstat(found->get(), &raw) != 0) return std::unexpected(last_error());
    const sys::FileStat stat = file_stat_from(raw);
    if (stat.kind == sys::FileKind::kOther) return sys::OpenedFile{.file = sys::kNoFile, .stat = stat};
    if (stat.kind == sys::FileKind::kDirectory) return sys::OpenedFile{.file = found->release(), .stat = stat};
    Opened opened = reopen(request, way, found->get(), stat);
    if (opened) return sys::OpenedFile{.file = opened->release(), .stat = stat};
    if (opened.error() != ESTALE) return std::unexpected(file_error(opened.error(), wait));
  }
  return std::unexpected(sys_error(base::Code::kNotFound));
}

base::Result<sys::FileStat> stat_file(OpenBelow open_below, int root, const char* path, sys::Links links,
                                      sys::Wait wait) {
  const Opened found = look_up(open_below, root, path, links, wait, O_PATH);
  if (!found) return std::unexpected(file_error(found.error(), wait));
  struct stat raw{};
  if (::fstat(found->get(), &raw) != 0) return std::unexpected(last_error());
  return file_stat_from(raw);
}

}  // namespace tidegate::platform

namespace tidegate::sys {

base::Result<OpenedFile> open_beneath(FileHandle root, const char* path, Links links, Wait wait) {
  return platform::open_file(platform::best_open_below(), platform::Reopen::kThroughProc, platform::number_of(root),
                             path, links, wait);
}

base::Result<FileStat> stat_beneath(FileHandle root, const char* path, Links links, Wait wait) {
  return platform::stat_file(platform::best_open_below(), platform::number_of(root), path, links, wait);
}

base::Result<std::vector<DirectoryEntry>> list_directory(FileHandle directory, Links links, std::size_t entries_max) {
  return platform::list_entries(directory, links, entries_max, [](FileHandle from, const char* name, Links followed) {
    return stat_beneath(from, name, followed, Wait::kMayBlock);
  });
}

}  // namespace tidegate::sys
