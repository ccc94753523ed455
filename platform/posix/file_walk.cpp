#include "platform/posix/file_walk.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidegate::platform {

namespace {

class Walk {
 public:
  Walk(int root, bool follow_links) : root_(root), follow_links_(follow_links) {}

  Opened open(std::string_view path, int flags) {
    plan(path);
    while (!pending_.empty()) {
      const std::string name = std::move(pending_.back());
      pending_.pop_back();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (const int error = leave(); error != 0) return std::unexpected(error);
        continue;
      }
      if (pending_.empty()) {
        Opened last = open_last(name, flags);
        if (last || last.error() != 0) return last;
      } else if (const int error = enter(name); error != 0) {
        return std::unexpected(error);
      }
    }
    return opened(::openat(here(), ".", flags | O_CLOEXEC));
  }

 private:
  static Opened opened(int descriptor) {
    if (descriptor < 0) return std::unexpected(errno);
    return Descriptor(descriptor);
  }

  [[nodiscard]] int here() const { return here_.valid() ? here_.get() : root_; }

  // Puts the components of `path` before those that are pending. A slash at the end asks for a directory.
  void plan(std::string_view path) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t slash = std::min(path.find('/', at), path.size());
      names.emplace_back(path.substr(at, slash - at));
      at = slash + 1;
    }
    if (names.back().empty()) names.back() = ".";
    pending_.insert(pending_.end(), std::make_move_iterator(names.rbegin()), std::make_move_iterator(names.rend()));
  }

  // Steps into a directory, or plans the way that a link shows. All steps return 0 or an errno value.
  int enter(const std::string& name) {
    Descriptor next(::openat(here(), name.c_str(), kOpenDirectory | O_NOFOLLOW));
    if (next.valid()) {
      here_ = std::move(next);
      reached_.push_back(name);
      return 0;
    }
    if (errno != ENOTDIR && errno != ELOOP) return errno;
    const int error = follow(name);
    return error == EINVAL ? ENOTDIR : error;
  }

  int leave() {
    if (reached_.empty()) return EXDEV;
    reached_.pop_back();
    here_.reset();
    for (const std::string& name : reached_) {
      Descriptor next(::openat(here(), name.c_str(), kOpenDirectory | O_NOFOLLOW));
      if (!next.valid()) return errno;
      here_ = std::move(next);
    }
    return 0;
  }

  // EINVAL: `name` is not a link.
  int follow(const std::string& name) {
    std::array<char, PATH_MAX> target;
    const ssize_t length = ::readlinkat(here(), name.c_str(), target.data(), target.size());
    if (length < 0) return errno;
    if (!follow_links_ || links_followed_++ == kLinksMax) return ELOOP;
    if (length == 0) return ENOENT;
    if (static_cast<std::size_t>(length) == target.size()) return ENAMETOOLONG;
    if (target[0] == '/') return EXDEV;
    plan({target.data(), static_cast<std::size_t>(length)});
    return 0;
  }

  // The error 0 says that `name` was a link and the walk goes on.
  Opened open_last(const std::string& name, int flags) {
    const int error = follow(name);
    if (error != EINVAL) return std::unexpected(error);
    return opened(::openat(here(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
  }

  int root_;
  bool follow_links_;
  int links_followed_ = 0;
  Descriptor here_;                   // the directory reached; none: the root
  std::vector<std::string> reached_;  // the names from the root to it, none of them a link
  std::vector<std::string> pending_;  // the components still to come, the next one last
};

}  // namespace

bool stays_below(const char* path) {
  if (*path == '\0' || *path == '/') return false;
  for (const char* at = path;; ++at) {
    if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0')) return false;
    at = std::strchr(at, '/');
    if (at == nullptr) return true;
  }
}

Opened open_by_walk(int root, const char* path, bool follow_links, int flags) {
  return Walk(root, follow_links).open(path, flags);
}

}  // namespace tidegate::platform
