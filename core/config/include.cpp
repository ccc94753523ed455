#include "config/include.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tidegate::config {
namespace fs = std::filesystem;

bool name_matches(std::string_view pattern, std::string_view name) {
  // The usual scan with one point to come back to: the last star and how far it reached.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t reached = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      reached = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++reached;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Parsed<std::vector<std::string>> included_files(const std::string& pattern) {
  const fs::path path(pattern);
  const std::string name = path.filename().string();
  const std::string directory = path.parent_path().string();
  if (directory.find_first_of("*?") != std::string::npos)
    return std::unexpected("a wildcard may stand in the last part of a path only");
  if (name.find_first_of("*?") == std::string::npos) return std::vector<std::string>{pattern};
  std::vector<std::string> files;
  std::error_code error;
  fs::directory_iterator entries(path.parent_path(), error);
  if (error == std::errc::no_such_file_or_directory) return files;
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string entry = entries->path().filename().string();
    std::error_code ignored;
    if (entry.starts_with('.') || entry.ends_with('~') || !name_matches(name, entry) || entries->is_directory(ignored))
      continue;
    files.push_back(entries->path().string());
  }
  if (error) return std::unexpected("cannot read the directory: " + error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace tidegate::config
