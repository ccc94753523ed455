#include "pipeline/snapshot.h"

#include <array>

#include "http/semantics/chars.h"

namespace tidegate::pipeline {

const SitePlan* ListenerPlan::find(std::string_view host) const {
  if (host.ends_with('.')) host.remove_suffix(1);
  std::array<char, 255> lower;
  if (host.empty() || host.size() > lower.size() || (exact.empty() && wildcard.empty())) return fallback;
  for (std::size_t i = 0; i < host.size(); ++i) lower[i] = http::to_lower(host[i]);
  std::string_view name(lower.data(), host.size());
  if (const auto found = exact.find(name); found != exact.end()) return found->second;
  if (wildcard.empty()) return fallback;
  // The nearest parent wins: "*.a.example" before "*.example".
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    name.remove_prefix(dot + 1);
    if (const auto found = wildcard.find(name); found != wildcard.end()) return found->second;
  }
  return fallback;
}

void Snapshot::unpin(Snapshot* snapshot) {
  if (snapshot->users.fetch_sub(1, std::memory_order_acq_rel) == 1) std::unique_ptr<Snapshot>{snapshot};
}

}  // namespace tidegate::pipeline
