// The published JSON Schema (draft 2020-12) of the configuration, made from the schema table.
#pragma once

#include <string>

namespace tidegate::config {

// Describes both the JSON form and the TOML files, which have the same shape. Ends with a newline.
[[nodiscard]] std::string json_schema();

}  // namespace tidegate::config
