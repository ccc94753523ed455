// Who listens where: the tables of /proc/net, read as text. Any thread; reads files, never on the request path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"

namespace tidegate::platform {

// The inodes of listening sockets in the text of /proc/net/tcp or /proc/net/tcp6 that stand in the way of `wanted`: same
// port, and the same address or a wildcard on either side. Those at exactly the address come first.
[[nodiscard]] std::vector<std::uint64_t> listeners_in_tcp_table(std::string_view table, const base::Address& wanted);
// The inodes of sockets that listen at `path` in the text of /proc/net/unix.
[[nodiscard]] std::vector<std::uint64_t> listeners_in_unix_table(std::string_view table, std::string_view path);
// The systemd unit ("nginx.service") in the text of /proc/PID/cgroup; empty when the process is of none.
[[nodiscard]] std::string unit_in(std::string_view cgroup);

}  // namespace tidegate::platform
