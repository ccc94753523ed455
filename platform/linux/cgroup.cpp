#include "platform/linux/cgroup.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "platform/posix/small_file.h"

namespace tidegate::platform {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool lists(std::string_view comma_separated, std::string_view wanted) {
  const auto parts = split(comma_separated, ',');
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

std::optional<double> number_in(std::string_view text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<double>(value);
}

// "max 100000" or "150000 100000": microseconds of CPU time a period, and the period.
std::optional<double> quota_of_v2(const std::string& group) {
  const auto content = read_text(group + "/cpu.max");
  if (!content) return std::nullopt;
  const auto lines = split(*content, '\n');
  if (lines.empty()) return std::nullopt;
  const auto words = split(lines[0], ' ');
  if (words.size() != 2) return std::nullopt;
  const auto quota = number_in(words[0]);
  const auto period = number_in(words[1]);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> number_in_file(const std::string& path) {
  const auto content = read_text(path);
  if (!content) return std::nullopt;
  const auto lines = split(*content, '\n');
  return lines.empty() ? std::nullopt : number_in(lines[0]);
}

// A quota of -1 is none.
std::optional<double> quota_of_v1(const std::string& group) {
  const auto quota = number_in_file(group + "/cpu.cfs_quota_us");
  const auto period = number_in_file(group + "/cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

// A hierarchy as mounted: where, and which of its groups is at the mount point.
struct Mount {
  std::string point;
  std::string root;
};

// Lines of mountinfo: "36 35 98:0 ROOT POINT options [optional fields...] - TYPE source superblock-options".
std::optional<Mount> find_mount(std::string_view mountinfo, bool version2) {
  for (const std::string_view line : split(mountinfo, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const auto fields = split(line.substr(0, dash), ' ');
    const auto tail = split(line.substr(dash + 3), ' ');
    if (fields.size() < 5 || tail.size() < 3) continue;
    const bool matches = version2 ? tail[0] == "cgroup2" : tail[0] == "cgroup" && lists(tail[2], "cpu");
    if (matches) return Mount{.point = std::string(fields[4]), .root = std::string(fields[3])};
  }
  return std::nullopt;
}

// The process's group in /proc/self/cgroup: "0::/path" is version 2, "4:cpu,cpuacct:/path" version 1.
std::optional<std::string> find_group(std::string_view cgroup, bool version2) {
  for (const std::string_view line : split(cgroup, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool matches = version2 ? controllers.empty() : lists(controllers, "cpu");
    if (matches) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

// The group's path below the mount point. In a container the group may be named as the host sees it, while only the
// part from the container's own group on is mounted.
std::string below_mount(const std::string& group, const std::string& mount_root) {
  if (mount_root == "/") return group == "/" ? "" : group;
  if (group == mount_root) return "";
  return group.starts_with(mount_root + "/") ? group.substr(mount_root.size()) : "";
}

}  // namespace

std::optional<double> cpu_quota(const std::string& system_root) {
  const auto mountinfo = read_text(system_root + "/proc/self/mountinfo");
  const auto cgroup = read_text(system_root + "/proc/self/cgroup");
  if (!mountinfo || !cgroup) return std::nullopt;
  std::optional<double> tightest;
  for (const bool version2 : {true, false}) {
    const auto mount = find_mount(*mountinfo, version2);
    const auto group = find_group(*cgroup, version2);
    if (!mount || !group) continue;
    const std::string top = system_root + mount->point;
    std::string below = below_mount(*group, mount->root);
    for (;;) {
      const std::string directory = top + below;
      const auto quota = version2 ? quota_of_v2(directory) : quota_of_v1(directory);
      if (quota && (!tightest || *quota < *tightest)) tightest = quota;
      const std::size_t slash = below.rfind('/');
      if (slash == std::string::npos) break;
      below.resize(slash);
    }
  }
  return tightest;
}

}  // namespace tidegate::platform
