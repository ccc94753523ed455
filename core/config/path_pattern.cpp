#include "config/path_pattern.h"

#include <algorithm>
#include <vector>

namespace tidegate::config {
namespace {

constexpr std::size_t kLongestPattern = 1024;

// One symbol of a pattern: a byte, or a wildcard.
constexpr int kSegmentStar = 256;  // any bytes but '/'
constexpr int kDeepStar = 257;     // any bytes

std::vector<int> symbols_of(const PathPattern& pattern) {
  std::vector<int> symbols;
  const std::string& text = pattern.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '*' || pattern.kind == PathPattern::Kind::kExact) {
      symbols.push_back(static_cast<unsigned char>(text[i]));
    } else if (i + 1 < text.size() && text[i + 1] == '*') {
      symbols.push_back(kDeepStar);
      ++i;
    } else {
      const bool last_segment = i + 1 == text.size() && text[i - 1] == '/';
      symbols.push_back(last_segment ? kDeepStar : kSegmentStar);
    }
  }
  return symbols;
}

// Whether the wildcard may stand for `symbol`.
bool absorbs(int wildcard, int symbol) {
  return wildcard == kDeepStar || (wildcard == kSegmentStar && symbol != '/' && symbol != kDeepStar);
}

// Whether the language of `a` holds all words of `b`, read symbol by symbol: row j tells whether a[i..] covers b[j..].
bool includes(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<char> below(b.size() + 1, 0);
  below.back() = 1;
  for (std::size_t i = a.size(); i-- > 0;) {
    std::vector<char> row(b.size() + 1, 0);
    const bool wildcard = a[i] >= kSegmentStar;
    if (wildcard) row.back() = below.back();
    for (std::size_t j = b.size(); j-- > 0;) {
      row[j] =
          wildcard ? (below[j] != 0 || (absorbs(a[i], b[j]) && row[j + 1] != 0)) : (a[i] == b[j] && below[j + 1] != 0);
    }
    below = std::move(row);
  }
  return below[0] != 0;
}

std::unexpected<std::string> fail(std::string why) { return std::unexpected<std::string>(std::move(why)); }

bool has_dot_segment(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment == "." || segment == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
  return false;
}

}  // namespace

Parsed<PathPattern> parse_path_pattern(std::string_view text) {
  if (!text.starts_with('/')) return fail("a path pattern begins with a slash");
  if (text.size() > kLongestPattern) return fail("a path pattern has at most 1024 bytes");
  if (text.find_first_of("?#") != std::string_view::npos)
    return fail("a path pattern has no query or fragment; use `match.query`");
  if (text.find("//") != std::string_view::npos) return fail("a path has no empty segments, so this matches nothing");
  if (text.find("***") != std::string_view::npos)
    return fail("\"*\" matches within a segment and \"**\" across segments; there is no \"***\"");
  if (has_dot_segment(text))
    return fail("\".\" and \"..\" segments are resolved before routing, so this matches nothing");
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) {
    return fail("a path pattern has no control characters");
  }
  PathPattern pattern{.text = std::string(text), .literal = std::string(text.substr(0, text.find('*')))};
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos) {
    pattern.kind = PathPattern::Kind::kExact;
  } else if (text[star - 1] == '/' && (text.substr(star) == "*" || text.substr(star) == "**")) {
    pattern.kind = PathPattern::Kind::kPrefix;
  } else {
    pattern.kind = PathPattern::Kind::kGlob;
  }
  return pattern;
}

bool covers(const PathPattern& a, const PathPattern& b) {
  if (!b.literal.starts_with(a.literal)) return false;
  if (a.kind == PathPattern::Kind::kPrefix) return true;
  if (a.kind == PathPattern::Kind::kExact) return b.kind == PathPattern::Kind::kExact && a.literal == b.literal;
  return includes(symbols_of(a), symbols_of(b));
}

bool matches(const PathPattern& pattern, std::string_view path) {
  return covers(
      pattern, PathPattern{.kind = PathPattern::Kind::kExact, .text = std::string(path), .literal = std::string(path)});
}

bool may_overlap(const PathPattern& a, const PathPattern& b) {
  if (b.kind == PathPattern::Kind::kExact) return matches(a, b.literal);
  if (a.kind == PathPattern::Kind::kExact) return matches(b, a.literal);
  return a.literal.starts_with(b.literal) || b.literal.starts_with(a.literal);
}

}  // namespace tidegate::config
