// A compiled configuration: immutable, shared by all workers, published by control and freed by its last user.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/route_plan.h"

namespace tidegate::pipeline {

struct SitePlan {
  std::string name;
  std::vector<RoutePlan> routes;  // the first that matches wins
  RoutePlan unmatched;            // limits, edits and error pages of the site when no route matches; no handler
};

// Hash of text keys that may be asked for by view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using HostTable = std::unordered_map<std::string, const SitePlan*, TextHash, std::equal_to<>>;

// The sites of one listener.
struct ListenerPlan {
  std::string text;  // canonical address, the listener's identity over reloads
  HostTable exact;   // lower case, without port and trailing dot
  HostTable wildcard;  // "example.org" for "*.example.org"
  const SitePlan* fallback = nullptr;  // the site without hosts
  RoutePlan unmatched;                 // when no site answers to the host
  http::Limits limits;                 // before the site is known

  // The site for a host (without port, any case), or nullptr.
  [[nodiscard]] const SitePlan* find(std::string_view host) const;
};

// What handlers own for the plans that refer to them.
class HandlerSettings {
 public:
  virtual ~HandlerSettings() = default;
};

struct Snapshot {
  std::uint64_t generation = 0;
  std::vector<std::unique_ptr<SitePlan>> sites;
  std::vector<std::unique_ptr<ListenerPlan>> listeners;  // by listener number; null where a listener is gone
  std::vector<std::unique_ptr<HandlerSettings>> settings;
  std::atomic<std::uint32_t> users{0};  // workers that hold it

  void pin() { users.fetch_add(1, std::memory_order_relaxed); }
  // Frees the snapshot when the caller was its last user.
  static void unpin(Snapshot* snapshot);
};

}  // namespace tidegate::pipeline
