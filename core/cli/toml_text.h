// A configuration in its JSON form, written as TOML.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegate::cli {

// Sites and their routes become [[site]] and [[site.route]], other objects of the top level tables, everything below
// inline values; then the canonical layout of config/fmt.h. Reading it gives the same configuration. Nothing when `json`
// is not an object or holds what TOML has not (null).
[[nodiscard]] std::optional<std::string> toml_from_json(std::string_view json);

}  // namespace tidegate::cli
