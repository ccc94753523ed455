// Finds the known name that a mistyped one was meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tidegate::config {

// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment) between two short words.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
// The candidate nearest to `word`, the first of equals; empty when none is near enough to be a likely slip.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tidegate::config
