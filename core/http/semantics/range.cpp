// Reading the Range field. See range.h.
#include "http/semantics/range.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "http/semantics/chars.h"
#include "http/semantics/list.h"

namespace tidegate::http {
namespace {

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

// 1*DIGIT, saturating. Nothing if there is no digit or another character.
std::optional<std::uint64_t> parse_position(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    value = value > (kHuge - digit) / 10 ? kHuge : value * 10 + digit;
  }
  return value;
}

enum class SpecResult : std::uint8_t { kMalformed, kUnsatisfiable, kWhole, kSatisfiable };

// Resolves one range-spec (int-range or suffix-range) against the length.
SpecResult resolve_spec(std::string_view spec, std::uint64_t length, ByteRange& out) noexcept {
  const std::size_t dash = spec.find('-');
  if (dash == std::string_view::npos) return SpecResult::kMalformed;
  const std::string_view before = spec.substr(0, dash);
  const std::string_view after = spec.substr(dash + 1);

  if (before.empty()) {
    const auto suffix = parse_position(after);
    if (!suffix) return SpecResult::kMalformed;
    if (*suffix == 0) return SpecResult::kUnsatisfiable;
    if (length == 0) return SpecResult::kWhole;
    out = {length - std::min(*suffix, length), length - 1};
    return SpecResult::kSatisfiable;
  }

  const auto first = parse_position(before);
  const auto last = after.empty() ? std::optional(kHuge) : parse_position(after);
  if (!first || !last || *first > *last) return SpecResult::kMalformed;
  if (*first >= length) return SpecResult::kUnsatisfiable;
  out = {*first, std::min(*last, length - 1)};
  return SpecResult::kSatisfiable;
}

bool overlap(const ByteRange& a, const ByteRange& b) noexcept { return a.first <= b.last && b.first <= a.last; }

// `last` is below a length that fits 64 bits, so adding one cannot wrap.
bool overlap_or_touch(const ByteRange& a, const ByteRange& b) noexcept {
  return a.first <= b.last + 1 && b.first <= a.last + 1;
}

std::size_t count_overlapping(std::span<const ByteRange> ranges) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      if (i != j && overlap(ranges[i], ranges[j])) {
        ++count;
        break;
      }
    }
  }
  return count;
}

}  // namespace

// Fills a set. Ranges are joined in place; a joined range takes the place of the one asked for first.
class RangeCollector {
 public:
  // When the result is not kSatisfiable, `out` may hold leftovers.
  static RangeResult collect(std::string_view field, std::uint64_t length, RangeSet& out) noexcept {
    const std::string_view value = trim_ows(field);
    const std::size_t equals = value.find('=');
    if (equals == std::string_view::npos) return RangeResult::kIgnored;
    if (!equals_ignore_case(value.substr(0, equals), "bytes")) return RangeResult::kIgnored;

    out.count_ = 0;
    ListReader reader(value.substr(equals + 1));
    std::size_t specs = 0;
    while (const auto spec = reader.next()) {
      if (++specs > kMaxRanges) return RangeResult::kIgnored;
      ByteRange range;
      const SpecResult result = resolve_spec(*spec, length, range);
      if (result == SpecResult::kMalformed || result == SpecResult::kWhole) return RangeResult::kIgnored;
      if (result == SpecResult::kSatisfiable) out.ranges_[out.count_++] = range;
    }
    if (specs == 0) return RangeResult::kIgnored;
    if (out.count_ == 0) return RangeResult::kUnsatisfiable;
    if (count_overlapping(out.ranges()) > kMaxOverlapping) return RangeResult::kIgnored;
    join(out);
    return RangeResult::kSatisfiable;
  }

 private:
  static void join(RangeSet& set) noexcept {
    for (std::size_t i = 0; i < set.count_; ++i) {
      while (absorb_one(set, i)) {
      }
    }
  }

  static bool absorb_one(RangeSet& set, std::size_t into) noexcept {
    ByteRange& target = set.ranges_[into];
    for (std::size_t j = into + 1; j < set.count_; ++j) {
      if (!overlap_or_touch(target, set.ranges_[j])) continue;
      target.first = std::min(target.first, set.ranges_[j].first);
      target.last = std::max(target.last, set.ranges_[j].last);
      for (std::size_t k = j + 1; k < set.count_; ++k) set.ranges_[k - 1] = set.ranges_[k];
      --set.count_;
      return true;
    }
    return false;
  }
};

std::uint64_t RangeSet::total_size() const noexcept {
  std::uint64_t total = 0;
  for (const ByteRange& range : ranges()) total += range.size();
  return total;
}

RangeResult parse_range(std::string_view field, std::uint64_t length, RangeSet& out) noexcept {
  const RangeResult result = RangeCollector::collect(field, length, out);
  if (result != RangeResult::kSatisfiable) out.count_ = 0;
  return result;
}

}  // namespace tidegate::http
