// The system call openat2(2), which the C library does not wrap, and what this kernel has of it. Any thread.
//
// The constants are written here because headers that are older than the running kernel lack some of them.
#pragma once

#include <cstdint>

namespace tidegate::platform {

struct OpenHow {
  std::uint64_t flags = 0;
  std::uint64_t mode = 0;
  std::uint64_t resolve = 0;
};

inline constexpr std::uint64_t kResolveNoMagicLinks = 0x02;  // no jump through links like /proc/PID/fd/N
inline constexpr std::uint64_t kResolveNoSymlinks = 0x04;
inline constexpr std::uint64_t kResolveBeneath = 0x08;  // EXDEV when the way leads out of the directory
inline constexpr std::uint64_t kResolveCached = 0x20;   // EAGAIN instead of a read from the disk; since Linux 5.12

enum class Openat2Support : std::uint8_t {
  kMissing,        // before Linux 5.6, or forbidden by a sandbox
  kWithoutCached,  // before Linux 5.12
  kFull,
};

// A descriptor, or -1 with errno set.
[[nodiscard]] int openat2(int directory, const char* path, const OpenHow& how);
// Asks the kernel anew each time.
[[nodiscard]] Openat2Support probe_openat2();

}  // namespace tidegate::platform
