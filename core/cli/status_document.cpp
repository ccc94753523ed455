// The status document's JSON, read with nlohmann/json, which throws: fenced here.
#include "cli/status_document.h"

#include <nlohmann/json.hpp>

namespace tidegate::cli {

namespace {

using Json = nlohmann::json;

// The member of an object, or its default when it is missing or of another type.
template <class T>
T member(const Json& object, const char* name, T otherwise) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->template get<std::string>() : otherwise;
  } else if constexpr (std::is_same_v<T, Json>) {
    return *found;
  } else if constexpr (std::is_floating_point_v<T>) {
    return found->is_number() ? found->template get<T>() : otherwise;
  } else {
    return found->is_number_integer() ? found->template get<T>() : otherwise;
  }
}

std::uint64_t number(const Json& object, const char* name) { return member<std::uint64_t>(object, name, 0); }
std::string text(const Json& object, const char* name) { return member<std::string>(object, name, {}); }
Json part(const Json& object, const char* name) { return member<Json>(object, name, Json::object()); }

WorkerStatus worker_of(const Json& json) {
  WorkerStatus worker{.worker = number(json, "worker"),
                      .connections = number(json, "connections"),
                      .accepted = number(json, "accepted"),
                      .requests = number(json, "requests"),
                      .responses = {},
                      .aborted = number(json, "aborted"),
                      .bytes_in = number(json, "bytes_in"),
                      .bytes_out = number(json, "bytes_out"),
                      .longest_turn_ms = number(json, "longest_turn_ms"),
                      .slow_turns = number(json, "slow_turns")};
  const Json responses = part(json, "responses");
  for (std::size_t i = 0; i < worker.responses.size(); ++i) {
    worker.responses[i] = number(responses, (std::to_string(i + 1) + "xx").c_str());
  }
  return worker;
}

ListenerStatus listener_of(const Json& json) {
  ListenerStatus listener{text(json, "listen"), {}};
  for (const Json& address : part(json, "addresses")) {
    if (address.is_string()) listener.addresses.push_back(address.get<std::string>());
  }
  return listener;
}

StatusDocument document_of(const Json& json) {
  StatusDocument status;
  status.version = text(json, "version");
  status.pid = member<std::int64_t>(json, "pid", 0);
  status.uptime_s = number(json, "uptime_s");
  status.memory_bytes = number(json, "memory_bytes");
  status.state = text(json, "state");
  const Json config = part(json, "config");
  status.config_path = text(config, "path");
  status.generation = number(config, "generation");
  status.sites = number(config, "sites");
  status.reloads = number(config, "reloads");
  status.last_reload_error = text(config, "last_reload_error");
  for (const Json& worker : part(json, "workers")) status.workers.push_back(worker_of(worker));
  status.connections = number(json, "connections");
  status.requests = number(json, "requests");
  status.accept_imbalance = member<double>(json, "accept_imbalance", 1);
  status.poller = text(part(json, "poller"), "name");
  status.poller_reason = text(part(json, "poller"), "reason");
  for (const Json& listener : part(json, "listeners")) status.listeners.push_back(listener_of(listener));
  status.cached_bytes = number(part(json, "file_cache"), "bytes");
  status.cached_files = number(part(json, "file_cache"), "files");
  status.dropped_log_lines = number(part(json, "log"), "dropped_lines");
  return status;
}

}  // namespace

std::optional<StatusDocument> parse_status(std::string_view json) {
  try {
    const Json parsed = Json::parse(json, nullptr, false);
    if (!parsed.is_object() || !parsed.contains("pid")) return std::nullopt;
    return document_of(parsed);
  } catch (const Json::exception&) {
    return std::nullopt;  // a number that does not fit
  }
}

std::string one_line(std::string_view json) {
  const auto status = parse_status(json);
  if (!status) return "does not say what it is";
  std::string out = "pid " + std::to_string(status->pid);
  if (!status->config_path.empty()) out += ", " + status->config_path;
  for (const ListenerStatus& listener : status->listeners) {
    for (const std::string& address : listener.addresses) out += ", " + address;
  }
  return out;
}

}  // namespace tidegate::cli
