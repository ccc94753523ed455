// The process: its number, its directories, its last words.
#include "sys/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "platform/posix/descriptor.h"
#include "platform/posix/errno.h"

namespace tidegate::sys {

namespace {

constexpr const char* kSystemDirectory = "/run/tidegate";
constexpr mode_t kPrivate = 0700;
constexpr mode_t kShared = 0755;

// An absolute path from the environment, or an empty string.
std::string directory_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? value : "";
}

// root, or the user that the package made.
bool is_system_user() {
  if (::geteuid() == 0) return true;
  const long suggested = ::sysconf(_SC_GETPW_R_SIZE_MAX);
  std::vector<char> room(suggested > 0 ? static_cast<std::size_t>(suggested) : 16'384);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, room.data(), room.size(), &found) != 0 || found == nullptr) return false;
  return std::strcmp(entry.pw_name, "tidegate") == 0;
}

// Creates the directories above `path`, private to this user where they are missing.
base::Error make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    if (::mkdir(parent.c_str(), kPrivate) != 0 && errno != EEXIST) {
      // Read-only and foreign places say so even for what is there already.
      const int number = errno;
      struct stat found{};
      if (::stat(parent.c_str(), &found) != 0) return platform::from_errno(number, base::Domain::kSys);
    }
  }
  return {};
}

// Sets the mode of the directory `path` if it is one, is no link and belongs to this user.
base::Error claim(const std::string& path, mode_t mode) {
  const platform::Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) {
    base::Error error = platform::last_error();
    if (errno == ENOTDIR || errno == ELOOP) error.code = base::Code::kDenied;
    return error;
  }
  struct stat found{};
  if (::fstat(directory.get(), &found) != 0) return platform::last_error();
  if (found.st_uid != ::geteuid()) return platform::sys_error(base::Code::kDenied);
  if ((found.st_mode & 07777U) == mode) return {};
  return ::fchmod(directory.get(), mode) == 0 ? base::Error{} : platform::last_error();
}

}  // namespace

std::int64_t process_id() { return ::getpid(); }

std::string runtime_directory() {
  if (std::string chosen = directory_in("TIDEGATE_RUNTIME_DIR"); !chosen.empty()) return chosen;
  if (is_system_user()) return kSystemDirectory;
  if (const std::string user = directory_in("XDG_RUNTIME_DIR"); !user.empty()) return user + "/tidegate";
  return "/tmp/tidegate-" + std::to_string(::geteuid());
}

base::Result<std::string> prepare_runtime_directory() {
  std::string path = runtime_directory();
  if (path == kSystemDirectory) {
    if (::mkdir(path.c_str(), kShared) == 0 || errno == EEXIST) return path;
    return std::unexpected(platform::last_error());
  }
  if (const base::Error error = make_private_directory(path)) return std::unexpected(error);
  return path;
}

base::Error make_private_directory(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return platform::sys_error(base::Code::kInvalid);
  std::string plain = path;  // a slash at the end would follow a link
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  if (const base::Error error = make_parents(plain)) return error;
  if (::mkdir(plain.c_str(), kPrivate) != 0 && errno != EEXIST) return platform::last_error();
  return claim(plain, kPrivate);
}

void write_all_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace tidegate::sys
