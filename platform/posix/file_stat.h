// The system's struct stat as sys::FileStat. Header only: it is on the path of every file that is opened.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "sys/file.h"

namespace tidegate::platform {

[[nodiscard]] inline std::int64_t nanoseconds_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

[[nodiscard]] inline sys::FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return sys::FileKind::kRegular;
  if (S_ISDIR(mode)) return sys::FileKind::kDirectory;
  return sys::FileKind::kOther;
}

[[nodiscard]] inline sys::FileStat file_stat_from(const struct stat& raw) {
#ifdef __APPLE__
  const timespec& modified = raw.st_mtimespec;
  const timespec& changed = raw.st_ctimespec;
#else
  const timespec& modified = raw.st_mtim;
  const timespec& changed = raw.st_ctim;
#endif
  return {.kind = kind_of(raw.st_mode),
          .size = static_cast<std::uint64_t>(raw.st_size),
          .device = static_cast<std::uint64_t>(raw.st_dev),
          .inode = static_cast<std::uint64_t>(raw.st_ino),
          .modified_ns = nanoseconds_of(modified),
          .changed_ns = nanoseconds_of(changed)};
}

}  // namespace tidegate::platform
