// Reads TOML 1.0 into the neutral tree. The only door to the third-party parser: nothing of it shows outside.
#pragma once

#include <cstdint>
#include <string_view>

#include "config/diagnostic.h"
#include "config/value.h"

namespace tidegate::config {

inline constexpr std::size_t kMaxTomlBytes = std::size_t{64} << 20U;  // a larger file is refused, not read
inline constexpr std::size_t kMaxKeyParts = 32;                       // parts of a dotted key; bounds the tree's depth
inline constexpr std::size_t kMaxNestedValues = 32;                   // arrays and inline tables inside one another

struct TomlDocument {
  Value root;             // a table
  bool readable = false;  // whether the tree stands for the text; values with syntax errors are kInvalid in it
};

// Appends one diagnostic a syntax error found (several: the reader steps over a broken value and goes on).
[[nodiscard]] TomlDocument parse_toml(std::string_view text, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace tidegate::config
