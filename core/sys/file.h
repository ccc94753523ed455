// What the operating system must supply for files that are served. A root directory is opened once; every other open is
// relative to it and cannot leave it unless the policy says so. Calls are thread-safe.
//
// Wait::kCachedOnly answers kWouldBlock instead of touching the disk, so that a worker may call; Wait::kMayBlock is for
// the blocking pool. Sources: openat2(2), preadv2(2), statx(2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace tidegate::sys {

using FileHandle = std::intptr_t;
inline constexpr FileHandle kNoFile = -1;

enum class Wait : std::uint8_t { kMayBlock, kCachedOnly };

enum class FileKind : std::uint8_t { kRegular, kDirectory, kOther };

// How symbolic links are followed below a root.
enum class Links : std::uint8_t {
  kInsideRoot,  // followed while the target stays below the root
  kNever,       // a path through a link is not found
  kAnywhere,    // followed wherever they lead
};

// Identity and version of a file. Two equal values mean the same unchanged content as far as the file system can tell.
struct FileStat {
  FileKind kind = FileKind::kOther;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_ns = 0;  // since 1970-01-01 UTC
  std::int64_t changed_ns = 0;   // inode change time

  friend bool operator==(const FileStat&, const FileStat&) = default;
};

struct OpenedFile {
  FileHandle file = kNoFile;
  FileStat stat = {};
};

struct DirectoryEntry {
  std::string name = {};  // raw bytes
  FileStat stat = {};  // of the link's target, when the links policy lets it be followed; else kOther
};

// Opens a directory to serve from. `path` is absolute or relative to the working directory.
[[nodiscard]] base::Result<FileHandle> open_root(const std::string& path);

// Opens `path` (relative, no leading slash, NUL-terminated; "." is the root itself) for reading. A regular file comes
// open; a directory comes as a handle good for list_directory and as a root; anything else (pipe, socket, device) is
// never opened: kind kOther with file == kNoFile. Errors: kNotFound, kDenied, kWouldBlock, kNoDescriptors, kIo.
[[nodiscard]] base::Result<OpenedFile> open_beneath(FileHandle root, const char* path, Links links, Wait wait);
// The same look-up without opening anything: for revalidation.
[[nodiscard]] base::Result<FileStat> stat_beneath(FileHandle root, const char* path, Links links, Wait wait);
[[nodiscard]] base::Result<FileStat> stat_of(FileHandle file);

// Reads up to `size` bytes at `offset`; 0 at the end of the file.
[[nodiscard]] base::Result<std::size_t> read_at(FileHandle file, void* into, std::size_t size, std::uint64_t offset, Wait wait);
// All entries but "." and "..", in no order. May block. Error kTooLarge beyond `entries_max`.
[[nodiscard]] base::Result<std::vector<DirectoryEntry>> list_directory(FileHandle directory, Links links, std::size_t entries_max);
void close_file(FileHandle file);

}  // namespace tidegate::sys
