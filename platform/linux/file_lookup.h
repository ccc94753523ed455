// Finds files below a root under a links policy: by openat2 where the kernel has it, else by a walk. Both ways are named
// functions, so that tests run both on every kernel; sys::open_beneath takes the one that a probe chose. Any thread.
#pragma once

#include "platform/posix/file_walk.h"
#include "sys/file.h"

namespace tidegate::platform {

// Opens `path` below `root` with the flags of open(2). `path` satisfies stays_below. EXDEV: a link leads out of the root
// by its text; EAGAIN: only with kCachedOnly, or with O_NONBLOCK in `flags`.
using OpenBelow = Opened (*)(int root, const char* path, sys::Links links, sys::Wait wait, int flags);

[[nodiscard]] Opened open_below_by_openat2(int root, const char* path, sys::Links links, sys::Wait wait, int flags);
// On a kernel without RESOLVE_CACHED: every look-up that must not block would block.
[[nodiscard]] Opened open_below_by_old_openat2(int root, const char* path, sys::Links links, sys::Wait wait, int flags);
[[nodiscard]] Opened open_below_by_walk(int root, const char* path, sys::Links links, sys::Wait wait, int flags);

// The way for this kernel; asked once.
[[nodiscard]] OpenBelow best_open_below();

// The whole look-up: refuses what stays_below refuses (ENOENT), and with kInsideRoot also follows links that leave the
// root's directory by their text (absolute ones, or through "..") but whose real target lies below the root.
[[nodiscard]] Opened look_up(OpenBelow open_below, int root, const char* path, sys::Links links, sys::Wait wait,
                             int flags);

}  // namespace tidegate::platform
