#include "config/source.h"

#include <filesystem>

#include "config/value.h"

namespace tidegate::config {
namespace fs = std::filesystem;

Sources::Sources() = default;
Sources::Sources(Sources&&) noexcept = default;
Sources& Sources::operator=(Sources&&) noexcept = default;
Sources::~Sources() = default;

std::uint32_t Sources::add(std::string name, std::string directory, std::string text) {
  auto entry = std::make_unique<Entry>();
  entry->source.name = std::move(name);
  entry->source.directory = std::move(directory);
  entry->source.text = std::move(text);
  files_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::line(std::uint32_t file, std::uint32_t line) const {
  if (file >= files_.size() || line == 0) return {};
  Entry& entry = *files_[file];
  const std::string_view text = entry.source.text;
  if (entry.line_starts.empty()) {
    entry.line_starts.push_back(0);
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      entry.line_starts.push_back(at + 1);
    }
  }
  if (line > entry.line_starts.size()) return {};
  const std::size_t start = entry.line_starts[line - 1];
  std::string_view found = text.substr(start, text.find('\n', start) - start);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string Sources::describe(const SourceLocation& at) const {
  if (at.file >= files_.size()) return {};
  const std::string& name = files_[at.file]->source.name;
  if (!at) return name;
  return name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

std::string Sources::resolve(std::uint32_t file, std::string_view path) const {
  // A path on the right that is absolute replaces what stands on the left.
  fs::path full = fs::path(files_[file]->source.directory) / path;
  std::error_code ignored;
  if (full.is_relative()) full = fs::current_path(ignored) / full;
  std::string text = full.lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace tidegate::config
