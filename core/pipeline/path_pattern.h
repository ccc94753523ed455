// The compiled path pattern of a route and how it matches (docs/guide: routes).
//
// "/ping" matches that path only; "/old/*" any path that begins with "/old/"; elsewhere "*" matches any bytes within one
// segment and "**" any bytes across segments. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidegate::pipeline {

struct PathPattern {
  enum class Kind : std::uint8_t { kExact, kPrefix, kGlob };
  Kind kind = Kind::kPrefix;
  std::string literal = "/";  // kExact: the path; kPrefix: what it begins with; kGlob: the bytes before the first wildcard
  std::string glob;           // kGlob: the whole pattern

  // `path` is in normal form. Time: linear, for a glob the product of the two lengths at worst.
  [[nodiscard]] bool matches(std::string_view path) const;
  // What the last wildcard of the pattern stands for in `path`, which must match; empty for an exact pattern.
  [[nodiscard]] std::string_view rest(std::string_view path) const;
};

// Whether the glob (with * and **) matches the whole text.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace tidegate::pipeline
