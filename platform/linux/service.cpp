// The service manager's side: the protocols of sd_notify(3) and sd_listen_fds(3), written by hand.
#include "sys/service.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "platform/posix/descriptor.h"

namespace tidegate::sys {

namespace {

constexpr int kFirstInherited = 3;  // SD_LISTEN_FDS_START

// Sends one datagram to $NOTIFY_SOCKET: a path, or '@' and a name in the abstract name space. Nobody waits for an answer,
// and a manager that is gone is no error.
void notify(std::string_view state) {
  const char* where = std::getenv("NOTIFY_SOCKET");
  if (where == nullptr || (where[0] != '/' && where[0] != '@')) return;
  sockaddr_un address{};
  const std::size_t length = std::strlen(where);
  if (length < 2 || length >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, where, length);
  if (where[0] == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  const platform::Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return;
  static_cast<void>(::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), size));
}

std::uint64_t monotonic_us() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000;
}

// The number in an environment variable, or 0.
int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return 0;
  int number = 0;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end ? number : 0;
}

// Takes the name up to the next colon off the front of `names`.
std::string next_name(std::string& names) {
  const std::size_t colon = names.find(':');
  std::string name = names.substr(0, colon);
  names.erase(0, colon == std::string::npos ? names.size() : colon + 1);
  return name;
}

}  // namespace

void notify_ready(std::string_view status) {
  std::string state = "READY=1\nSTATUS=" + std::string(status);
  // A line end would begin another variable.
  std::replace(state.begin() + static_cast<std::ptrdiff_t>(state.size() - status.size()), state.end(), '\n', ' ');
  notify(state);
}

void notify_reloading() { notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_us())); }

void notify_stopping() { notify("STOPPING=1"); }

std::vector<InheritedListener> take_inherited_listeners() {
  const bool ours = number_in("LISTEN_PID") == ::getpid();
  const int count = ours ? number_in("LISTEN_FDS") : 0;
  const char* named = std::getenv("LISTEN_FDNAMES");
  std::string names = named == nullptr ? "" : named;
  for (const char* variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(variable);
  std::vector<InheritedListener> taken;
  for (int number = kFirstInherited; number - kFirstInherited < count; ++number) {
    const std::string name = next_name(names);
    const auto adopted = adopt_listener(number);
    if (adopted) {
      taken.push_back({.socket = *adopted, .name = name});
    } else if (::fcntl(number, F_SETFD, FD_CLOEXEC) != 0) {
      break;  // no descriptor at all: the count was wrong
    }
  }
  return taken;
}

}  // namespace tidegate::sys
