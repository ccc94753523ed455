// Numbers and tables as a person reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::cli {

// "812 B", "1.2 KiB", "14.0 MiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
// "12 s", "3 min 5 s", "2 h 0 min", "4 d 3 h": the two largest units.
[[nodiscard]] std::string seconds_text(std::uint64_t seconds);
// "1,234,567".
[[nodiscard]] std::string count_text(std::uint64_t count);
// "1 site", "2 sites", "0 sites".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

// Rows of cells, columns two blanks apart, every cell but those of the first column to the right. The first row is the
// heading. Each line begins with `indent` blanks and ends with a line end.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t indent);

}  // namespace tidegate::cli
