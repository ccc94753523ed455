// The reference page of the guide (docs/guide/configuration-reference.md), made from the schema table.
#pragma once

#include <string>

namespace tidegate::config {

// Markdown; the same text for the same program. Ends with a newline.
[[nodiscard]] std::string reference_markdown();

}  // namespace tidegate::config
