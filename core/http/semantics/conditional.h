// Conditional requests: which precondition decides, and what it decides (RFC 9110 section 13).
//
// Owner: http/semantics. Thread: any. Views only, no allocation.
//
// The caller asks only when the answer without preconditions would be 2xx (RFC 9110 section 13.2.1), and never for
// CONNECT, OPTIONS or TRACE. It asks after access checks and before anything is changed or sent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tidegate::http {

/// The field lines of one request, each in the order received. An empty span means that the field is absent; a line
/// that is present and empty is not the same. Fields that hold one value are ignored when they come twice, as section 13
/// says of dates with "more than one member".
struct ConditionalFields {
  std::span<const std::string_view> if_match;
  std::span<const std::string_view> if_none_match;
  std::span<const std::string_view> if_modified_since;
  std::span<const std::string_view> if_unmodified_since;
  std::span<const std::string_view> if_range;
};

/// What is known of the selected representation.
struct Validators {
  std::string_view etag;                        // as sent in ETag, with quotes and `W/` if weak; empty: none
  std::optional<std::int64_t> last_modified_s;  // as sent in Last-Modified, seconds since 1970
  bool is_last_modified_strong = false;         // may Last-Modified stand for exact bytes? (section 8.8.2.2)
  bool exists = true;                           // is there a current representation at all?
};

enum class Precondition : std::uint8_t {
  kProceed,             // go on; for a GET with Range ask may_use_range next
  kNotModified,         // 304
  kPreconditionFailed,  // 412
};

/// Evaluates the preconditions in the order of RFC 9110 section 13.2.2, steps 1 to 4. `is_get_or_head` tells whether
/// the method is one of these two: others get 412 where they get 304, and never look at If-Modified-Since. `now_s` is
/// the present time, for dates with two-digit years. A date that cannot be read is as good as absent.
[[nodiscard]] Precondition evaluate_preconditions(const ConditionalFields& fields, const Validators& validators,
                                                  bool is_get_or_head, std::int64_t now_s) noexcept;

/// Step 5 of section 13.2.2: may the Range field of this GET be followed? True when there is no If-Range. An entity-tag
/// must match strongly; a date must be exactly that of Last-Modified, and that must be strong. Anything else means that
/// the client holds another representation, and gets the whole one.
[[nodiscard]] bool may_use_range(const ConditionalFields& fields, const Validators& validators,
                                 std::int64_t now_s) noexcept;

/// Whether a file's modification time may serve as a strong validator: it must lie far enough back (2 seconds) that a
/// second write within the same second is no longer possible (RFC 9110 section 8.8.2.2).
[[nodiscard]] constexpr bool is_modification_time_strong(std::int64_t modified_s, std::int64_t now_s) noexcept {
  return modified_s <= now_s - 2;
}

}  // namespace tidegate::http
