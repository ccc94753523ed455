// The difference of two texts, line by line, as patch(1) reads it.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::config {

// Unified form with three lines of context; empty when the texts are equal. Very different texts (more than 2,000 lines
// added and removed in one stretch) are shown as one replacement there.
[[nodiscard]] std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                                       std::string_view after_name);

}  // namespace tidegate::config
