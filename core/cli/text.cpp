#include "cli/text.h"

#include <algorithm>
#include <array>

namespace tidegate::cli {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && (bytes >> (10U * (unit + 2U))) > 0) ++unit;
  // Tenths, rounded down: no 1024.0 KiB for a byte less than a MiB.
  const std::uint64_t whole = bytes >> (10U * (unit + 1U));
  const std::uint64_t rest = (bytes >> (10U * unit)) & 1023U;
  return std::to_string(whole) + '.' + std::to_string(rest * 10U / 1024U) + ' ' + std::string(kUnits[unit]);
}

std::string seconds_text(std::uint64_t seconds) {
  struct Unit {
    std::uint64_t size;
    std::string_view name;
  };
  constexpr std::array<Unit, 4> kUnits{{{86'400, " d"}, {3'600, " h"}, {60, " min"}, {1, " s"}}};
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    if (seconds < kUnits[i].size) continue;
    const std::uint64_t rest = seconds % kUnits[i].size;
    return std::to_string(seconds / kUnits[i].size) + std::string(kUnits[i].name) + ' ' +
           std::to_string(rest / kUnits[i + 1].size) + std::string(kUnits[i + 1].name);
  }
  return std::to_string(seconds) + " s";
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return count_text(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      if (i > 0) line += "  ";
      line += i == 0 ? row[i] + pad : pad + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace tidegate::cli
