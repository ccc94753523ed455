// Evaluation of preconditions. See conditional.h.
#include "http/semantics/conditional.h"

#include "http/semantics/chars.h"
#include "http/semantics/date.h"
#include "http/semantics/entity_tag.h"

namespace tidegate::http {
namespace {

using Lines = std::span<const std::string_view>;

std::optional<std::int64_t> date_of(Lines lines, std::int64_t now_s) noexcept {
  if (lines.size() != 1) return std::nullopt;
  return parse_http_date(trim_ows(lines.front()), now_s);
}

// Section 13.1.1 and 13.1.2: does the list name the current representation?
bool names_current(Lines lines, const Validators& validators, TagComparison comparison) noexcept {
  if (!validators.exists) return false;
  const auto current = parse_entity_tag(validators.etag);
  return search_tag_list(lines, current, comparison) != TagListResult::kNoMatch;
}

// Section 13.1.3 and 13.1.4: was the representation modified after the date of the field? Nothing if the field does
// not count: not a date, or no modification time to compare with.
std::optional<bool> modified_after(Lines lines, const Validators& validators, std::int64_t now_s) noexcept {
  if (!validators.exists || !validators.last_modified_s) return std::nullopt;
  const auto date = date_of(lines, now_s);
  if (!date) return std::nullopt;
  return *validators.last_modified_s > *date;
}

}  // namespace

Precondition evaluate_preconditions(const ConditionalFields& fields, const Validators& validators, bool is_get_or_head,
                                    std::int64_t now_s) noexcept {
  if (!fields.if_match.empty()) {
    if (!names_current(fields.if_match, validators, TagComparison::kStrong)) return Precondition::kPreconditionFailed;
  } else if (!fields.if_unmodified_since.empty()) {
    if (modified_after(fields.if_unmodified_since, validators, now_s).value_or(false)) {
      return Precondition::kPreconditionFailed;
    }
  }

  if (!fields.if_none_match.empty()) {
    if (names_current(fields.if_none_match, validators, TagComparison::kWeak)) {
      return is_get_or_head ? Precondition::kNotModified : Precondition::kPreconditionFailed;
    }
  } else if (is_get_or_head && !fields.if_modified_since.empty()) {
    if (!modified_after(fields.if_modified_since, validators, now_s).value_or(true)) return Precondition::kNotModified;
  }
  return Precondition::kProceed;
}

bool may_use_range(const ConditionalFields& fields, const Validators& validators, std::int64_t now_s) noexcept {
  if (fields.if_range.empty()) return true;
  if (fields.if_range.size() != 1 || !validators.exists) return false;
  const std::string_view value = trim_ows(fields.if_range.front());
  // Section 13.1.5: an entity-tag has a quote among its first three characters, a date has not.
  if (value.substr(0, 3).find('"') != std::string_view::npos) {
    const auto wanted = parse_entity_tag(value);
    const auto current = parse_entity_tag(validators.etag);
    return wanted && current && tags_match(*wanted, *current, TagComparison::kStrong);
  }
  const auto date = parse_http_date(value, now_s);
  return date && validators.last_modified_s == date && validators.is_last_modified_strong;
}

}  // namespace tidegate::http
