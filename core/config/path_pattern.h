// The path pattern of a route, and what can be said for certain about two patterns.
//
// "/ping" matches that path only. A last segment "*" matches any rest, slashes and nothing included: "/old/*" matches
// "/old/" and "/old/a/b", not "/old". Elsewhere "*" matches any characters within one segment and "**" any characters
// across segments, both also none: "/img/*.png", "/docs/**/index.html". Patterns are compared with the normalised,
// decoded path, so they are written decoded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/units.h"

namespace tidegate::config {

struct PathPattern {
  enum class Kind : std::uint8_t { kExact, kPrefix, kGlob };
  Kind kind = Kind::kPrefix;
  std::string text = "/*";  // as written
  std::string literal =
      "/";  // what every matching path begins with; kExact: the path, kPrefix: all but the last segment

  [[nodiscard]] bool everything() const { return kind == Kind::kPrefix && literal == "/"; }
  // Whether a {path.rest} has a meaning: the pattern ends in a wildcard.
  [[nodiscard]] bool has_rest() const { return kind == Kind::kPrefix || (kind == Kind::kGlob && text.ends_with('*')); }
  friend bool operator==(const PathPattern&, const PathPattern&) = default;
};

[[nodiscard]] Parsed<PathPattern> parse_path_pattern(std::string_view text);
// True only if every path that `b` matches is matched by `a` as well. Time: product of the two lengths at most.
[[nodiscard]] bool covers(const PathPattern& a, const PathPattern& b);
[[nodiscard]] bool matches(const PathPattern& pattern, std::string_view path);
// False only if no path is matched by both.
[[nodiscard]] bool may_overlap(const PathPattern& a, const PathPattern& b);

}  // namespace tidegate::config
