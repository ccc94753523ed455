// Reads JSON (RFC 8259) into the neutral tree. Strict: no comments, no trailing commas, no key twice in an object.
#pragma once

#include <cstdint>
#include <string_view>

#include "config/diagnostic.h"
#include "config/value.h"

namespace tidegate::config {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20U;
inline constexpr std::size_t kMaxJsonDepth = 64;

struct JsonDocument {
  Value root;
  bool readable = false;
};

// Parsing stops at the first syntax error, which is appended with its line and column. Integers must fit 64 bits.
[[nodiscard]] JsonDocument parse_json(std::string_view text, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace tidegate::config
