// The status as text: first what is wrong, then what runs, then who does it.
#include <algorithm>
#include <cstdio>

#include "cli/output.h"
#include "cli/status_document.h"
#include "cli/text.h"

namespace tidegate::cli {

namespace {

constexpr std::size_t kLabel = 15;
constexpr double kUneven = 1.5;               // the busiest worker got half as much again as its fair share
constexpr std::uint64_t kEnoughAccepts = 64;  // below, an uneven spread says nothing

std::string line(std::string_view label, const std::string& text) {
  std::string out = "  " + std::string(label);
  out.append(kLabel > label.size() ? kLabel - label.size() : 1, ' ');
  return out + text + '\n';
}

// Further lines of a text that has several.
std::string indented(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    out += std::string(indent, ' ') + std::string(one) + '\n';
  }
  return out;
}

template <class Get>
std::uint64_t sum(const StatusDocument& status, Get get) {
  std::uint64_t total = 0;
  for (const WorkerStatus& worker : status.workers) total += get(worker);
  return total;
}

std::string imbalance_text(double imbalance) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", imbalance);
  return text;
}

bool uneven(const StatusDocument& status) {
  return status.accept_imbalance >= kUneven &&
         sum(status, [](const WorkerStatus& w) { return w.accepted; }) >= kEnoughAccepts;
}

std::vector<std::string> troubles_of(const StatusDocument& status) {
  std::vector<std::string> troubles;
  if (status.state == "stopping") troubles.push_back("the server is stopping: it takes no new connections");
  if (!status.last_reload_error.empty()) {
    troubles.push_back("the last reload was refused; generation " + std::to_string(status.generation) +
                       " stays in force:\n" + status.last_reload_error);
  }
  if (status.dropped_log_lines > 0) {
    troubles.push_back(counted(status.dropped_log_lines, "line", "lines") +
                       " of the access log dropped: the disk or the reader of the log is too slow");
  }
  const std::uint64_t errors = sum(status, [](const WorkerStatus& w) { return w.responses[4]; });
  if (errors > 0)
    troubles.push_back(counted(errors, "response", "responses") + " with a 5xx status: see the error log");
  const std::uint64_t slow = sum(status, [](const WorkerStatus& w) { return w.slow_turns; });
  if (slow > 0)
    troubles.push_back(counted(slow, "slow turn", "slow turns") + " of workers: the error log says what held them");
  if (uneven(status))
    troubles.push_back("connections are spread unevenly over the workers (" + imbalance_text(status.accept_imbalance) +
                       " times the fair share)");
  return troubles;
}

std::string attention(const StatusDocument& status, bool colour) {
  const std::vector<std::string> troubles = troubles_of(status);
  if (troubles.empty()) return {};
  std::string out = painted("needs attention", Paint::kYellow, colour) + '\n';
  for (const std::string& trouble : troubles) {
    const std::string text = indented(trouble, 4);
    out += "  " + painted("!", Paint::kYellow, colour) + ' ' + text.substr(4);
  }
  return out + '\n';
}

std::string listeners_text(const StatusDocument& status) {
  std::string out;
  for (const ListenerStatus& listener : status.listeners) {
    std::string text = listener.listen;
    std::string bound;
    for (const std::string& address : listener.addresses) bound += (bound.empty() ? "" : ", ") + address;
    // The address says more than the listener unless it repeats it.
    if (!bound.empty() && "http://" + bound != text) text += "  (" + bound + ')';
    out += line(out.empty() ? "listeners" : "", text);
  }
  return out.empty() ? line("listeners", "none") : out;
}

std::string workers_table(const StatusDocument& status) {
  std::vector<std::vector<std::string>> rows{{"worker", "open", "accepted", "requests", "2xx", "3xx", "4xx", "5xx",
                                              "aborted", "in", "out", "longest turn", "slow turns"}};
  for (const WorkerStatus& worker : status.workers) {
    rows.push_back({std::to_string(worker.worker), count_text(worker.connections), count_text(worker.accepted),
                    count_text(worker.requests), count_text(worker.responses[1]), count_text(worker.responses[2]),
                    count_text(worker.responses[3]), count_text(worker.responses[4]), count_text(worker.aborted),
                    bytes_text(worker.bytes_in), bytes_text(worker.bytes_out),
                    count_text(worker.longest_turn_ms) + " ms", count_text(worker.slow_turns)});
  }
  return table(rows, 2);
}

}  // namespace

std::string status_text(const StatusDocument& status, bool colour) {
  const bool stopping = status.state == "stopping";
  std::string out = painted("Tidegate " + status.version, Paint::kBold, colour) + " is " +
                    painted(status.state, stopping ? Paint::kYellow : Paint::kGreen, colour) + ", up " +
                    seconds_text(status.uptime_s) + ", pid " + std::to_string(status.pid) + "\n\n";
  out += attention(status, colour);
  out += line("configuration", (status.config_path.empty() ? "no file" : status.config_path) + ", generation " +
                                   std::to_string(status.generation) + ", " + counted(status.sites, "site", "sites"));
  out += line("reloads",
              count_text(status.reloads) + (status.last_reload_error.empty() ? "" : ", the last one was refused"));
  out += listeners_text(status);
  out += line("poller", status.poller + (status.poller_reason.empty() ? "" : ": " + status.poller_reason));
  out += line("connections", count_text(status.connections) + " open");
  out += line("requests", count_text(status.requests));
  out += line("accept balance", imbalance_text(status.accept_imbalance) + " (1 is even)");
  out += line("memory", bytes_text(status.memory_bytes));
  out += line("file cache", counted(status.cached_files, "file", "files") + ", " + bytes_text(status.cached_bytes));
  out += line("access log", status.dropped_log_lines == 0
                                ? "no line dropped"
                                : counted(status.dropped_log_lines, "line", "lines") + " dropped");
  return out + '\n' + workers_table(status);
}

}  // namespace tidegate::cli
