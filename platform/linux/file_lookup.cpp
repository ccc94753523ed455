#include "platform/linux/file_lookup.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/linux/openat2.h"

namespace tidegate::platform {

namespace {

// The kernel gives up with EAGAIN when anything was renamed anywhere while it resolved a ".." (openat2(2)). After so many
// tries the walk, which does not mind, takes over.
constexpr int kTriesMax = 32;

std::uint64_t resolution(sys::Links links, sys::Wait wait) {
  std::uint64_t resolve = kResolveNoMagicLinks;
  if (links != sys::Links::kAnywhere) resolve |= kResolveBeneath;
  if (links == sys::Links::kNever) resolve |= kResolveNoSymlinks;
  if (wait == sys::Wait::kCachedOnly) resolve |= kResolveCached;
  return resolve;
}

// The path of an opened file as the kernel knows it now. It is a hint only: whoever uses it looks it up anew.
std::optional<std::string> real_path(int descriptor) {
  std::array<char, PATH_MAX> target;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  if (length <= 0 || static_cast<std::size_t>(length) == target.size() || target[0] != '/') return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

// What leads from directory `base` to `path`, both real; nothing when `path` is not below it.
std::optional<std::string> relative_to(const std::string& base, const std::string& path) {
  if (path == base) return ".";
  const std::string prefix = base == "/" ? base : base + "/";
  if (!path.starts_with(prefix)) return std::nullopt;
  return path.substr(prefix.size());
}

// For a link that leaves the root by its text: where does it really lead? If that is below the root, the real path is
// opened there without following any link, so that nothing swapped meanwhile can lead out.
Opened look_up_real_path(OpenBelow open_below, int root, const char* path, sys::Wait wait, int flags) {
  const Opened target = open_below(root, path, sys::Links::kAnywhere, wait, O_PATH);
  if (!target) return std::unexpected(target.error());
  const auto from = real_path(root);
  const auto to = real_path(target->get());
  const auto below = from && to ? relative_to(*from, *to) : std::nullopt;
  if (!below) return std::unexpected(ENOENT);
  return open_below(root, below->c_str(), sys::Links::kNever, wait, flags);
}

}  // namespace

Opened open_below_by_openat2(int root, const char* path, sys::Links links, sys::Wait wait, int flags) {
  const OpenHow how{
      .flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC, .mode = 0, .resolve = resolution(links, wait)};
  const bool patient = wait == sys::Wait::kMayBlock;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const int opened = openat2(root, path, how);
    if (opened >= 0) return Descriptor(opened);
    if (errno != EINTR && !(errno == EAGAIN && patient)) return std::unexpected(errno);
  }
  return open_below_by_walk(root, path, links, wait, flags);
}

Opened open_below_by_old_openat2(int root, const char* path, sys::Links links, sys::Wait wait, int flags) {
  if (wait == sys::Wait::kCachedOnly) return std::unexpected(EAGAIN);
  return open_below_by_openat2(root, path, links, wait, flags);
}

Opened open_below_by_walk(int root, const char* path, sys::Links links, sys::Wait wait, int flags) {
  if (wait == sys::Wait::kCachedOnly) return std::unexpected(EAGAIN);
  if (links != sys::Links::kAnywhere) return open_by_walk(root, path, links == sys::Links::kInsideRoot, flags);
  const int opened = ::openat(root, path, flags | O_CLOEXEC);
  if (opened < 0) return std::unexpected(errno);
  return Descriptor(opened);
}

OpenBelow best_open_below() {
  static const OpenBelow best = [] {
    switch (probe_openat2()) {
      case Openat2Support::kFull: return &open_below_by_openat2;
      case Openat2Support::kWithoutCached: return &open_below_by_old_openat2;
      case Openat2Support::kMissing: break;
    }
    return &open_below_by_walk;
  }();
  return best;
}

Opened look_up(OpenBelow open_below, int root, const char* path, sys::Links links, sys::Wait wait, int flags) {
  if (!stays_below(path)) return std::unexpected(ENOENT);
  Opened found = open_below(root, path, links, wait, flags);
  if (found || found.error() != EXDEV) return found;
  if (links != sys::Links::kInsideRoot) return std::unexpected(ENOENT);
  return look_up_real_path(open_below, root, path, wait, flags);
}

}  // namespace tidegate::platform
