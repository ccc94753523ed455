#include "platform/linux/holder.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "platform/posix/small_file.h"
#include "sys/socket.h"

namespace tidegate::platform {

namespace {

constexpr std::string_view kListening = "0A";           // TCP_LISTEN
constexpr std::uint32_t kAcceptsConnections = 0x10000;  // __SO_ACCEPTCON in the flags of a unix socket

// Takes the next word off the front of `line`.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

template <class Number>
std::optional<Number> parse(std::string_view text, int base) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "0100007F:1F90": words of 32 bits in the machine's byte order, then the port.
std::optional<base::Address> parse_local(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != 8 && colon != 32) return std::nullopt;
  base::Address address{.family = colon == 8 ? base::Family::kIpv4 : base::Family::kIpv6};
  const auto port = parse<std::uint16_t>(text.substr(colon + 1), 16);
  if (!port) return std::nullopt;
  address.port = *port;
  for (std::size_t at = 0; at < colon; at += 8) {
    const auto word = parse<std::uint32_t>(text.substr(at, 8), 16);
    if (!word) return std::nullopt;
    std::memcpy(address.ip.data() + at / 2, &*word, sizeof *word);
  }
  return address;
}

bool is_wildcard(const base::Address& address) {
  return std::all_of(address.ip.begin(), address.ip.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::vector<std::uint64_t> listeners_in_tcp_table(std::string_view table, const base::Address& wanted) {
  std::vector<std::uint64_t> exact;
  std::vector<std::uint64_t> wide;
  for_each_line(table, [&](std::string_view line) {
    next_word(line);  // the number of the slot
    const auto local = parse_local(next_word(line));
    next_word(line);  // the remote address
    if (!local || local->port != wanted.port || next_word(line) != kListening) return;
    for (int skipped = 0; skipped < 5; ++skipped) next_word(line);  // queues, timer, retransmits, user, timeouts
    const auto inode = parse<std::uint64_t>(next_word(line), 10);
    if (!inode) return;
    const bool same = local->family == wanted.family && local->ip == wanted.ip;
    if (same) {
      exact.push_back(*inode);
    } else if (is_wildcard(*local) || is_wildcard(wanted)) {
      wide.push_back(*inode);
    }
  });
  exact.insert(exact.end(), wide.begin(), wide.end());
  return exact;
}

std::vector<std::uint64_t> listeners_in_unix_table(std::string_view table, std::string_view path) {
  std::vector<std::uint64_t> found;
  for_each_line(table, [&](std::string_view line) {
    for (int skipped = 0; skipped < 3; ++skipped) next_word(line);  // address, references, protocol
    const auto flags = parse<std::uint32_t>(next_word(line), 16);
    for (int skipped = 0; skipped < 2; ++skipped) next_word(line);  // type, state
    const auto inode = parse<std::uint64_t>(next_word(line), 10);
    if (!flags || !inode || (*flags & kAcceptsConnections) == 0 || line.empty()) return;
    if (line.substr(1) == path) found.push_back(*inode);
  });
  return found;
}

std::string unit_in(std::string_view cgroup) {
  std::string unit;
  for_each_line(cgroup, [&](std::string_view line) {
    // The innermost service counts; "user@1000.service" only is the place where a user's own programs run.
    while (unit.empty() && !line.empty()) {
      const std::size_t slash = line.rfind('/');
      if (slash == std::string_view::npos) return;
      const std::string_view name = line.substr(slash + 1);
      if (name.ends_with(".service") && !name.starts_with("user@")) unit = name;
      line = line.substr(0, slash);
    }
  });
  return unit;
}

namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

// Calls visit(name) for the entries that are numbers, until it returns true.
template <class Visit>
void for_each_number(const std::string& path, const Visit& visit) {
  const Directory directory(::opendir(path.c_str()));
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string name = entry->d_name;
    if (name[0] >= '0' && name[0] <= '9' && visit(name)) return;
  }
}

bool has_any_socket(const std::string& pid, const std::vector<std::uint64_t>& inodes) {
  bool found = false;
  const std::string descriptors = "/proc/" + pid + "/fd";
  for_each_number(descriptors, [&](const std::string& number) {
    const auto target = read_link(descriptors + "/" + number);
    constexpr std::string_view kPrefix = "socket:[";
    if (!target || !target->starts_with(kPrefix)) return false;
    const auto inode =
        parse<std::uint64_t>(std::string_view(*target).substr(kPrefix.size(), target->size() - kPrefix.size() - 1), 10);
    found = inode && std::find(inodes.begin(), inodes.end(), *inode) != inodes.end();
    return found;
  });
  return found;
}

// The first process that has one of the sockets open; process 1 only when nobody else has, since a service manager
// keeps the sockets that it passed on.
std::optional<std::string> find_process(const std::vector<std::uint64_t>& inodes) {
  std::optional<std::string> found;
  for_each_number("/proc", [&](const std::string& pid) {
    if (!has_any_socket(pid, inodes)) return false;
    found = pid;
    return pid != "1";
  });
  return found;
}

std::string describe(const std::string& pid) {
  std::string name = read_text("/proc/" + pid + "/comm").value_or("");
  while (name.ends_with('\n')) name.pop_back();
  const std::string unit = unit_in(read_text("/proc/" + pid + "/cgroup").value_or(""));
  return name + " (pid " + pid + (unit.empty() ? "" : ", " + unit) + ")";
}

std::vector<std::uint64_t> find_listeners(const base::Endpoint& endpoint) {
  if (endpoint.address.family == base::Family::kUnix) {
    return listeners_in_unix_table(read_text("/proc/net/unix").value_or(""), endpoint.unix_path);
  }
  // Both tables: an IPv6 wildcard may hold the port for IPv4, too.
  std::array<const char*, 2> tables{"/proc/net/tcp", "/proc/net/tcp6"};
  if (endpoint.address.family == base::Family::kIpv6) std::swap(tables[0], tables[1]);
  for (const char* table : tables) {
    auto found = listeners_in_tcp_table(read_text(table).value_or(""), endpoint.address);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

}  // namespace tidegate::platform

namespace tidegate::sys {

std::string holder_of(const base::Endpoint& endpoint) {
  const auto listeners = platform::find_listeners(endpoint);
  const auto process = listeners.empty() ? std::nullopt : platform::find_process(listeners);
  return process ? platform::describe(*process) : std::string();
}

}  // namespace tidegate::sys
