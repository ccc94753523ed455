// Finds routes that are never reached. "First match wins" makes that an easy mistake; a wrong alarm would be worse than
// none, so a route is reported only when one earlier route provably takes all of its requests.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "config/text_rules.h"
#include "config/validate.h"

namespace tidegate::config {
namespace {

// Whether every request that meets the conditions of `b` also meets condition `a`.
bool implied(const FieldMatch& a, const std::vector<FieldMatch>& b, bool ignore_case) {
  return std::ranges::any_of(b, [&](const FieldMatch& other) {
    if (ignore_case ? !equal_ignoring_case(a.name, other.name) : a.name != other.name) return false;
    switch (a.kind) {
      case FieldMatch::Kind::kEquals: return other.kind == FieldMatch::Kind::kEquals && a.value == other.value;
      case FieldMatch::Kind::kPresent: return other.kind != FieldMatch::Kind::kAbsent;
      case FieldMatch::Kind::kAbsent: return other.kind == FieldMatch::Kind::kAbsent;
    }
    return false;
  });
}

bool all_implied(const std::vector<FieldMatch>& a, const std::vector<FieldMatch>& b, bool ignore_case) {
  return std::ranges::all_of(a, [&](const FieldMatch& condition) { return implied(condition, b, ignore_case); });
}

bool inside(const base::Cidr& outer, const base::Cidr& inner) {
  return outer.network.family == inner.network.family && outer.prefix_bits <= inner.prefix_bits &&
         outer.contains(inner.network);
}

// Whether `a` matches everything that `b` matches, for certain.
bool takes_all(const Match& a, const Match& b) {
  const auto listed = [&](const std::string& method) { return std::ranges::find(a.method, method) != a.method.end(); };
  if (!a.method.empty() && (b.method.empty() || !std::ranges::all_of(b.method, listed))) return false;
  const auto held = [&](const base::Cidr& inner) {
    return std::ranges::any_of(a.client, [&](const base::Cidr& outer) { return inside(outer, inner); });
  };
  if (!a.client.empty() && (b.client.empty() || !std::ranges::all_of(b.client, held))) return false;
  return all_implied(a.header, b.header, true) && all_implied(a.query, b.query, false) && covers(a.path, b.path);
}

// The routes of one site so far, found by what their paths begin with, so that a site with thousands of routes costs
// thousands of look-ups and not millions of comparisons.
class RouteIndex {
 public:
  explicit RouteIndex(const std::vector<Route>& routes) : routes_(routes) {}

  void add(std::size_t number) {
    const PathPattern& path = routes_[number].match.path;
    if (path.kind == PathPattern::Kind::kExact) {
      exact_[path.literal].push_back(number);
    } else {
      const std::string_view literal = path.literal;
      below_[literal.substr(0, literal.rfind('/') + 1)].push_back(number);
    }
  }

  // The first route that takes all requests of route `number`.
  std::optional<std::size_t> find(std::size_t number) {
    const PathPattern& path = routes_[number].match.path;
    std::optional<std::size_t> best;
    if (path.kind == PathPattern::Kind::kExact) look(exact_, path.literal, number, best);
    const std::string_view literal = path.literal;
    for (std::size_t slash = literal.find('/'); slash != std::string_view::npos; slash = literal.find('/', slash + 1)) {
      look(below_, literal.substr(0, slash + 1), number, best);
    }
    return best;
  }

 private:
  using Bucket = std::unordered_map<std::string_view, std::vector<std::size_t>>;

  void look(const Bucket& bucket, std::string_view key, std::size_t number, std::optional<std::size_t>& best) {
    const auto found = bucket.find(key);
    if (found == bucket.end()) return;
    for (const std::size_t earlier : found->second) {
      if ((best && earlier >= *best) || budget_ == 0) return;
      --budget_;
      if (takes_all(routes_[earlier].match, routes_[number].match)) best = earlier;
    }
  }

  const std::vector<Route>& routes_;
  Bucket exact_;
  Bucket below_;                  // prefixes and globs, by the part up to the last slash before a wildcard
  std::size_t budget_ = 200'000;  // comparisons; when thousands of routes look alike the rest is not looked at
};

}  // namespace

void find_shadowed_routes(Validator& validator) {
  const std::vector<Site>& sites = validator.config().sites;
  for (std::size_t site = 0; site < sites.size(); ++site) {
    const std::vector<Route>& routes = sites[site].routes;
    RouteIndex index(routes);
    for (std::size_t i = 0; i < routes.size(); ++i) {
      const auto earlier = index.find(i);
      if (!earlier) {
        index.add(i);
        continue;
      }
      validator
          .report(Severity::kWarning, validator.route_place(routes[i]), Validator::route_pointer(site, i),
                  "this route is never reached: an earlier one matches all of its requests",
                  "put the narrower route first")
          .related.push_back({validator.route_place(routes[*earlier]), "this one matches first"});
    }
  }
}

}  // namespace tidegate::config
