// Entity-tags. See entity_tag.h.
#include "http/semantics/entity_tag.h"

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

// etagc = %x21 / %x23-7E / obs-text
constexpr bool is_etag_char(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte != 0x7F);
}

// Reads a tag at the front of `rest` and moves behind it. On failure `rest` is untouched.
std::optional<EntityTag> take_tag(std::string_view& rest) noexcept {
  std::string_view text = rest;
  EntityTag tag;
  if (text.starts_with("W/")) {
    tag.is_weak = true;
    text.remove_prefix(2);
  }
  if (text.empty() || text.front() != '"') return std::nullopt;
  std::size_t end = 1;
  while (end < text.size() && is_etag_char(text[end])) ++end;
  if (end == text.size() || text[end] != '"') return std::nullopt;
  tag.opaque = text.substr(0, end + 1);
  rest = text.substr(end + 1);
  return tag;
}

bool line_has_match(std::string_view rest, const EntityTag& current, TagComparison comparison) noexcept {
  while (!rest.empty()) {
    if (is_ows(rest.front()) || rest.front() == ',') {
      rest.remove_prefix(1);
      continue;
    }
    const auto tag = take_tag(rest);
    const std::size_t comma = rest.find(',');
    const std::string_view tail = trim_ows(rest.substr(0, comma));
    if (tag && tail.empty() && tags_match(*tag, current, comparison)) return true;
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma);
  }
  return false;
}

}  // namespace

std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept {
  auto tag = take_tag(text);
  if (!text.empty()) return std::nullopt;
  return tag;
}

bool tags_match(const EntityTag& a, const EntityTag& b, TagComparison comparison) noexcept {
  if (comparison == TagComparison::kStrong && (a.is_weak || b.is_weak)) return false;
  return a.opaque == b.opaque;
}

TagListResult search_tag_list(std::span<const std::string_view> lines, const std::optional<EntityTag>& current,
                              TagComparison comparison) noexcept {
  if (lines.size() == 1 && trim_ows(lines.front()) == "*") return TagListResult::kAny;
  if (!current) return TagListResult::kNoMatch;
  for (const std::string_view line : lines) {
    if (line_has_match(line, *current, comparison)) return TagListResult::kMatch;
  }
  return TagListResult::kNoMatch;
}

}  // namespace tidegate::http
