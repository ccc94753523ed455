// The status document: what an operator wants to know at 3 a.m., as JSON.
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "server/control/control_api.h"
#include "sys/process.h"

namespace tidegate::server {

namespace {

nlohmann::json worker_status(const Worker& worker) {
  const WorkerStats& stats = worker.stats();
  nlohmann::json by_class;
  for (std::size_t i = 1; i < stats.by_class.size(); ++i) by_class[std::to_string(i) + "xx"] = stats.by_class[i].get();
  return {{"worker", worker.number()},
          {"connections", stats.connections.get()},
          {"accepted", stats.accepted.get()},
          {"requests", stats.requests.get()},
          {"responses", by_class},
          {"aborted", stats.aborted.get()},
          {"bytes_in", stats.bytes_received.get()},
          {"bytes_out", stats.bytes_sent.get()},
          {"longest_turn_ms", stats.longest_turn_ms.get()},
          {"slow_turns", stats.slow_turns.get()}};
}

// How unevenly connections came to the workers: the busiest one's share over the fair share; 1 is even.
double accept_imbalance(const Control& control) {
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  for (const auto& worker : control.workers()) {
    const std::uint64_t accepted = worker->stats().accepted.get();
    sum += accepted;
    most = std::max(most, accepted);
  }
  if (sum == 0) return 1.0;
  return static_cast<double>(most) * static_cast<double>(control.workers().size()) / static_cast<double>(sum);
}

}  // namespace

std::string status_json(const Control& control) {
  nlohmann::json status;
  status["version"] = TIDEGATE_VERSION;
  status["pid"] = sys::process_id();
  status["uptime_s"] = (base::monotonic_ms() - control.started_ms()) / 1000;
  status["memory_bytes"] = sys::resident_memory_bytes();
  status["state"] = control.stopping() ? "stopping" : "serving";
  status["config"] = {{"path", control.options().config_path},
                      {"generation", control.generation()},
                      {"sites", control.sites()},
                      {"reloads", control.reloads()},
                      {"last_reload_error", control.last_reload_error()}};
  status["workers"] = nlohmann::json::array();
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  for (const auto& worker : control.workers()) {
    status["workers"].push_back(worker_status(*worker));
    connections += worker->stats().connections.get();
    requests += worker->stats().requests.get();
  }
  status["connections"] = connections;
  status["requests"] = requests;
  status["accept_imbalance"] = accept_imbalance(control);
  if (!control.workers().empty()) {
    const Worker& first = *control.workers().front();
    status["poller"] = {{"name", first.poller()}, {"reason", first.poller_reason()}};
  }
  status["listeners"] = nlohmann::json::array();
  for (const auto& [text, addresses] : control.listeners().bound()) {
    status["listeners"].push_back({{"listen", text}, {"addresses", addresses}});
  }
  status["file_cache"] = {{"bytes", control.files().used_bytes()}, {"files", control.files().size()}};
  status["log"] = {{"dropped_lines", control.log().dropped()}};
  return status.dump();
}

}  // namespace tidegate::server
