// What a running server says of itself (GET /v1/status), as values and as text for a tired person.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::cli {

struct WorkerStatus {
  std::uint64_t worker = 0;
  std::uint64_t connections = 0;
  std::uint64_t accepted = 0;
  std::uint64_t requests = 0;
  std::array<std::uint64_t, 5> responses{};  // 1xx to 5xx
  std::uint64_t aborted = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t longest_turn_ms = 0;
  std::uint64_t slow_turns = 0;
};

struct ListenerStatus {
  std::string listen;  // as the configuration says it
  std::vector<std::string> addresses;
};

struct StatusDocument {
  std::string version;
  std::int64_t pid = 0;
  std::uint64_t uptime_s = 0;
  std::uint64_t memory_bytes = 0;
  std::string state;
  std::string config_path;  // empty: no file
  std::uint64_t generation = 0;
  std::uint64_t sites = 0;
  std::uint64_t reloads = 0;
  std::string last_reload_error;
  std::vector<WorkerStatus> workers;
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  double accept_imbalance = 1;
  std::string poller;
  std::string poller_reason;
  std::vector<ListenerStatus> listeners;
  std::uint64_t cached_bytes = 0;
  std::uint64_t cached_files = 0;
  std::uint64_t dropped_log_lines = 0;
};

// Nothing when it is not a status document. What is missing in it keeps its default; what is unknown is left out.
[[nodiscard]] std::optional<StatusDocument> parse_status(std::string_view json);
[[nodiscard]] std::string status_text(const StatusDocument& status, bool colour);
// "pid 12, /etc/tidegate/tidegate.toml, http://:80": tells servers apart.
[[nodiscard]] std::string one_line(std::string_view json);

}  // namespace tidegate::cli
