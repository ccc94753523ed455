// sys::open_beneath and sys::stat_beneath with the way of looking up and of reopening as arguments: tests run every way
// on every kernel. Any thread.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "platform/linux/file_lookup.h"
#include "sys/file.h"

namespace tidegate::platform {

// How a file that was looked up without opening it is then opened.
enum class Reopen : std::uint8_t {
  kThroughProc,  // the very same inode, by /proc/self/fd; by name where /proc is not mounted
  kByName,       // looked up again, and compared
};

[[nodiscard]] base::Result<sys::OpenedFile> open_file(OpenBelow open_below, Reopen reopen, int root, const char* path,
                                                      sys::Links links, sys::Wait wait);
[[nodiscard]] base::Result<sys::FileStat> stat_file(OpenBelow open_below, int root, const char* path, sys::Links links,
                                                    sys::Wait wait);

}  // namespace tidegate::platform
