#include "pipeline/path_pattern.h"

namespace tidegate::pipeline {

namespace {

// Where to go back to when a literal does not fit behind a wildcard: the wildcard takes one byte more.
struct Retry {
  std::size_t glob_at = std::string_view::npos;
  std::size_t text_at = 0;
  [[nodiscard]] bool set() const { return glob_at != std::string_view::npos; }
};

}  // namespace

// Backtracks to the last "*" first, then to the last "**"; earlier ones need no retry, since what lies between two
// wildcards of the same kind was matched as early as possible.
bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  Retry star;
  Retry double_star;
  while (t < text.size() || g < glob.size()) {
    if (g + 1 < glob.size() && glob[g] == '*' && glob[g + 1] == '*') {
      g += 2;
      double_star = {g, t};
      star = {};
      continue;
    }
    if (g < glob.size() && glob[g] == '*') {
      ++g;
      star = {g, t};
      continue;
    }
    if (g < glob.size() && t < text.size() && glob[g] == text[t]) {
      ++g;
      ++t;
      continue;
    }
    if (star.set() && star.text_at < text.size() && text[star.text_at] != '/') {
      t = ++star.text_at;
      g = star.glob_at;
    } else if (double_star.set() && double_star.text_at < text.size()) {
      t = ++double_star.text_at;
      g = double_star.glob_at;
      star = {};
    } else {
      return false;
    }
  }
  return true;
}

bool PathPattern::matches(std::string_view path) const {
  switch (kind) {
    case Kind::kExact: return path == literal;
    case Kind::kPrefix: return path.starts_with(literal);
    case Kind::kGlob: return path.starts_with(literal) && glob_matches(glob, path);
  }
  return false;
}

std::string_view PathPattern::rest(std::string_view path) const {
  if (kind == Kind::kPrefix) return path.substr(literal.size());
  if (kind == Kind::kExact || !glob.ends_with('*')) return {};
  // The shortest tail that the last wildcard can stand for, such that the bytes before it match the pattern before it.
  const std::string_view front = std::string_view(glob).substr(0, glob.find_last_not_of('*') + 1);
  for (std::size_t at = path.size() + 1; at-- > 0;) {
    if (glob_matches(front, path.substr(0, at))) return path.substr(at);
  }
  return {};
}

}  // namespace tidegate::pipeline
