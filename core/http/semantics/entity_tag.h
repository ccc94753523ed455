// Entity-tags: reading, comparing, and searching the lists of If-Match and If-None-Match (RFC 9110 section 8.8.3).
//
// Owner: http/semantics. Thread: any. Views only, no allocation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tidegate::http {

struct EntityTag {
  std::string_view opaque;  // with its quotes
  bool is_weak = false;

  friend bool operator==(const EntityTag&, const EntityTag&) = default;
};

/// RFC 9110 section 8.8.3.2. Strong: neither is weak and the opaque parts are equal. Weak: the opaque parts are equal.
enum class TagComparison : std::uint8_t { kStrong, kWeak };

/// Reads exactly one entity-tag. `W/` is case-sensitive; nothing may stand around it. Nothing on any other text.
[[nodiscard]] std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept;

[[nodiscard]] bool tags_match(const EntityTag& a, const EntityTag& b, TagComparison comparison) noexcept;

/// What a list of entity-tags says about the current one.
enum class TagListResult : std::uint8_t {
  kAny,      // the field is "*"
  kMatch,    // a listed tag matches
  kNoMatch,  // no listed tag matches
};

/// Searches `1#entity-tag / "*"`, spread over one or more field lines, for `current`. A quote, not a backslash, ends a
/// tag: entity-tags know no escapes. What is not an entity-tag matches nothing and is skipped up to the next comma, so a
/// malformed list can only fail to match. `current` absent (no tag for this representation) matches no listed tag.
[[nodiscard]] TagListResult search_tag_list(std::span<const std::string_view> lines,
                                            const std::optional<EntityTag>& current, TagComparison comparison) noexcept;

}  // namespace tidegate::http
