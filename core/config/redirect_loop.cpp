// Finds redirects whose target is answered by the same redirect again, for ever. Only targets on the same site are
// looked at, and only what is certain is reported.
#include <algorithm>

#include "config/validate.h"

namespace tidegate::config {
namespace {

using handlers::RedirectPart;
using handlers::RedirectSettings;

// The paths that the redirect may send a client to, as a pattern; false when that cannot be said.
bool target_pattern(const RedirectSettings& redirect, const PathPattern& own, PathPattern& target) {
  target = {.kind = PathPattern::Kind::kGlob, .text = {}, .literal = {}};
  for (const RedirectPart& part : redirect.parts) {
    switch (part.kind) {
      case RedirectPart::Kind::kLiteral: {
        const std::size_t end = part.literal.find_first_of("?#");
        target.text += part.literal.substr(0, end);
        if (end == std::string::npos) continue;
        break;
      }
      case RedirectPart::Kind::kPath: target.text += own.text + (own.text.ends_with('*') ? "*" : ""); continue;
      case RedirectPart::Kind::kPathRest: target.text += "**"; continue;
      default: return false;
    }
    break;
  }
  if (!target.text.starts_with('/')) return false;
  target.literal = target.text.substr(0, target.text.find('*'));
  if (target.literal.size() == target.text.size()) target.kind = PathPattern::Kind::kExact;
  return true;
}

// Whether the target is the very path that was asked for.
bool same_path(const RedirectSettings& redirect, const PathPattern& own) {
  const std::vector<RedirectPart>& parts = redirect.parts;
  if (parts.size() == 1 && parts[0].kind == RedirectPart::Kind::kPath) return true;
  return own.kind == PathPattern::Kind::kPrefix && parts.size() == 2 && parts[0].kind == RedirectPart::Kind::kLiteral &&
         parts[0].literal == own.literal && parts[1].kind == RedirectPart::Kind::kPathRest;
}

bool loops(const Site& site, std::size_t number) {
  const Match& match = site.routes[number].match;
  const auto* redirect = std::get_if<RedirectSettings>(&site.routes[number].handler);
  if (redirect == nullptr || redirect->parts.empty()) return false;
  // A condition on fields, query or client may fail the second time; a redirected request is a GET in the end.
  const bool only_path = match.header.empty() && match.query.empty() && match.client.empty();
  const bool takes_get = match.method.empty() || std::ranges::find(match.method, "GET") != match.method.end();
  PathPattern target;
  if (!only_path || !takes_get || !target_pattern(*redirect, match.path, target)) return false;
  if (!covers(match.path, target)) return false;
  if (same_path(*redirect, match.path)) return true;
  const auto earlier = site.routes.begin() + static_cast<std::ptrdiff_t>(number);
  return std::none_of(site.routes.begin(), earlier,
                      [&](const Route& route) { return may_overlap(route.match.path, target); });
}

}  // namespace

void find_redirect_loops(Validator& validator) {
  const std::vector<Site>& sites = validator.config().sites;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (std::size_t j = 0; j < sites[i].routes.size(); ++j) {
      if (!loops(sites[i], j)) continue;
      validator.report(Severity::kError, place_of(validator.sources(), sites[i].routes[j].written, {"redirect", "to"}),
                       Validator::route_pointer(i, j) + "/redirect/to", "this redirect leads back to itself");
    }
  }
}

}  // namespace tidegate::config
