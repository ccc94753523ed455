// HTTP-date and the small calendar under it (RFC 9110 section 5.6.7, RFC 3339).
//
// Owner: http/semantics. Thread: any. Pure arithmetic on the proleptic Gregorian calendar: no locale, no time zone
// database, no libc time functions, no allocation. Times are seconds since 1970-01-01T00:00:00Z, without leap seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tidegate::http {

inline constexpr std::size_t kHttpDateSize = 29;  // "Sun, 06 Nov 1994 08:49:37 GMT"
inline constexpr std::size_t kRfc3339Size = 20;   // "1994-11-06T08:49:37Z"

inline constexpr std::int64_t kMinFormattable_s = -62167219200;  // 0000-01-01T00:00:00Z
inline constexpr std::int64_t kMaxFormattable_s = 253402300799;  // 9999-12-31T23:59:59Z

/// A point in time split into calendar fields, in UTC.
struct CivilTime {
  std::int64_t year = 1970;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;
  int minute = 0;
  int second = 0;
  int weekday = 4;  // 0 is Sunday
};

/// Days from 1970-01-01 to the given date. `month` is 1..12; `day` may lie outside its month and then counts on.
[[nodiscard]] std::int64_t days_from_civil(std::int64_t year, int month, int day) noexcept;

/// Splits a time into calendar fields. Safe for every int64.
[[nodiscard]] CivilTime civil_from_seconds(std::int64_t seconds) noexcept;

/// The inverse; `weekday` is not looked at. The result must fit an int64.
[[nodiscard]] std::int64_t seconds_from_civil(const CivilTime& time) noexcept;

/// Reads an HTTP-date in any of its three forms: IMF-fixdate, RFC 850 and asctime.
///
/// `now_s` places the two-digit year of the RFC 850 form: it is read in the present century, and a time more than 50
/// years ahead is taken as 100 years earlier. Names are accepted in any case, as RFC 9111 section 4.2 asks of caches; a
/// valid day name that does not fit the date is let pass. Second 60 (a leap second) counts as the second after 59.
/// Returns nothing for any other text; the caller then treats the field as absent.
[[nodiscard]] std::optional<std::int64_t> parse_http_date(std::string_view text, std::int64_t now_s) noexcept;

/// Writes an IMF-fixdate, exactly 29 bytes. Times outside the years 0000 to 9999 are clamped to them.
void format_http_date(std::int64_t seconds, std::span<char, kHttpDateSize> out) noexcept;

/// Writes an RFC 3339 time in UTC with whole seconds, exactly 20 bytes. Clamped like format_http_date.
void format_rfc3339(std::int64_t seconds, std::span<char, kRfc3339Size> out) noexcept;

}  // namespace tidegate::http
