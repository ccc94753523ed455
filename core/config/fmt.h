// The canonical layout of a TOML file. Comments and the order of everything stay; the meaning never changes.
//
// One blank around "=", one after a comma, "{ " and " }"; tables and their keys indented by two blanks for each part of
// the table's name after the first; two blanks before a comment at the end of a line; one empty line before a table and
// at most one elsewhere; no alignment; LF line ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/diagnostic.h"

namespace tidegate::config {

// Formatting the result again changes nothing. The text is parsed before and after and both are compared: when it is not
// TOML, or its meaning would change, there is no result and the reason is appended with places in `file`.
[[nodiscard]] std::optional<std::string> format_toml(std::string_view text, std::uint32_t file,
                                                     Diagnostics& diagnostics);

}  // namespace tidegate::config
