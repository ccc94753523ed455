// Opens a path below a root one component at a time, with own resolution of symbolic links: for kernels and sandboxes
// without openat2, and for systems that never had it. Thread-safe.
//
// Why it cannot leave the root, whatever is renamed or linked meanwhile: every step opens one name with O_NOFOLLOW in a
// directory that was itself reached so; ".." (only ever out of a link's text) drops the last name and walks again from
// the root; an absolute link or a ".." at the root ends the walk with EXDEV.
#pragma once

#include <fcntl.h>

#include <expected>

#include "platform/posix/descriptor.h"

namespace tidegate::platform {

// A descriptor, or the errno value that says why there is none.
using Opened = std::expected<Descriptor, int>;

// How a directory is held to look names up in: search permission is enough where the system can say so.
#ifdef O_PATH
inline constexpr int kOpenDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC;
#else
inline constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
#endif

// Links that one look-up follows at most, as the kernel's own limit.
inline constexpr int kLinksMax = 40;

// Whether a path that a request names is of the form that may be looked up: relative, not empty, without "..".
[[nodiscard]] bool stays_below(const char* path);

// `path` satisfies stays_below. `flags` are those of open(2) for the last component, which is opened with O_NOFOLLOW.
// Values besides those of openat: EXDEV (a link leads out of the root), ELOOP (too many links, or one when
// `follow_links` is false).
[[nodiscard]] Opened open_by_walk(int root, const char* path, bool follow_links, int flags);

}  // namespace tidegate::platform
