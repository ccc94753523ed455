// Nanoseconds to find the route of a request, by number of sites and routes.
//
// usage: micro_router
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/router.h"
#include "pipeline/snapshot.h"

namespace tidegate::bench {
namespace {

constexpr int kRounds = 15;
constexpr int kLookups = 20000;

// `routes` exact routes and a last one for everything else, on each of `sites` hosts.
struct Table {
  pipeline::ListenerPlan listener;
  std::vector<std::unique_ptr<pipeline::SitePlan>> sites;

  Table(int site_count, int routes) {
    for (int s = 0; s < site_count; ++s) {
      auto site = std::make_unique<pipeline::SitePlan>();
      site->routes.resize(static_cast<std::size_t>(routes));
      for (int r = 0; r + 1 < routes; ++r) {
        auto& path = site->routes[static_cast<std::size_t>(r)].match.path;
        path.kind = pipeline::PathPattern::Kind::kExact;
        path.literal = "/service/" + std::to_string(r) + "/endpoint";
      }
      listener.exact["site" + std::to_string(s) + ".example"] = site.get();
      sites.push_back(std::move(site));
    }
  }
};

void measure(int sites, int routes, const char* path) {
  const Table table(sites, routes);
  http::FieldTable fields;
  fields.reset(nullptr);
  http::Exchange exchange;
  exchange.fields = &fields;
  exchange.request.host = "site0.example";
  exchange.request.path = path;
  double best_ns = 1e18;
  const pipeline::RoutePlan* found = nullptr;
  for (int round = 0; round < kRounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kLookups; ++i) found = &pipeline::find_route(table.listener, exchange);
    const auto took = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began);
    best_ns = std::min(best_ns, static_cast<double>(took.count()) / kLookups);
  }
  std::printf("%6d sites %5d routes  %-24s %8.1f ns%s\n", sites, routes, path, best_ns, found == nullptr ? "  not found" : "");
}

}  // namespace
}  // namespace tidegate::bench

int main() {
  using tidegate::bench::measure;
  measure(1, 1, "/index.html");
  measure(1, 10, "/service/3/endpoint");
  measure(1, 10, "/index.html");
  measure(1, 100, "/index.html");
  measure(10'000, 3, "/index.html");
  return 0;
}
