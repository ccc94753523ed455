// HTTP-date parsing and formatting. See date.h.
#include "http/semantics/date.h"

#include <algorithm>
#include <array>

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kDaysPerEra = 146097;         // 400 Gregorian years
constexpr std::int64_t kEpochFromEraStart = 719468;  // days from 0000-03-01 to 1970-01-01
constexpr std::int64_t kFutureYears = 50;            // RFC 9110 section 5.6.7, two-digit years

constexpr std::array<std::string_view, 7> kDayNames = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }

bool is_leap_year(std::int64_t year) noexcept { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) noexcept {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// Takes the front of a text piece by piece. Once a piece does not fit, `ok` stays false and the rest is harmless.
struct Scanner {
  std::string_view rest;
  bool ok = true;

  void expect(std::string_view literal) noexcept {
    ok = ok && rest.size() >= literal.size() && equals_ignore_case(rest.substr(0, literal.size()), literal);
    if (ok) rest.remove_prefix(literal.size());
  }

  int digits(std::size_t count) noexcept {
    int value = 0;
    ok = ok && rest.size() >= count;
    for (std::size_t i = 0; ok && i < count; ++i) {
      ok = is_digit(rest[i]);
      value = value * 10 + (rest[i] - '0');
    }
    if (ok) rest.remove_prefix(count);
    return ok ? value : 0;
  }

  int month() noexcept {
    for (int i = 0; ok && i < 12; ++i) {
      const auto name = kMonthNames.substr(static_cast<std::size_t>(i) * 3, 3);
      if (rest.size() >= 3 && equals_ignore_case(rest.substr(0, 3), name)) {
        rest.remove_prefix(3);
        return i + 1;
      }
    }
    ok = false;
    return 1;
  }

  // A day name cut to `length` letters, or whole when `length` is 0.
  void day_name(std::size_t length) noexcept {
    for (const std::string_view full : kDayNames) {
      const std::string_view name = length == 0 ? full : full.substr(0, length);
      if (rest.size() > name.size() && equals_ignore_case(rest.substr(0, name.size()), name) &&
          !is_alpha(rest[name.size()])) {
        rest.remove_prefix(name.size());
        return;
      }
    }
    ok = false;
  }

  void time_of_day(CivilTime& time) noexcept {
    time.hour = digits(2);
    expect(":");
    time.minute = digits(2);
    expect(":");
    time.second = digits(2);
  }
};

// Checks the ranges. 60 seconds are a leap second and carry over by themselves in the sum.
std::optional<std::int64_t> checked_seconds(const CivilTime& time) noexcept {
  if (time.hour > 23 || time.minute > 59 || time.second > 60) return std::nullopt;
  if (time.day < 1 || time.day > days_in_month(time.year, time.month)) return std::nullopt;
  return seconds_from_civil(time);
}

std::optional<std::int64_t> parse_imf_fixdate(std::string_view text) noexcept {
  Scanner in{text};
  CivilTime time;
  in.day_name(3);
  in.expect(", ");
  time.day = in.digits(2);
  in.expect(" ");
  time.month = in.month();
  in.expect(" ");
  time.year = in.digits(4);
  in.expect(" ");
  in.time_of_day(time);
  in.expect(" GMT");
  if (!in.ok || !in.rest.empty()) return std::nullopt;
  return checked_seconds(time);
}

std::optional<std::int64_t> parse_rfc850(std::string_view text, std::int64_t now_s) noexcept {
  Scanner in{text};
  CivilTime time;
  in.day_name(0);
  in.expect(", ");
  time.day = in.digits(2);
  in.expect("-");
  time.month = in.month();
  in.expect("-");
  const int short_year = in.digits(2);
  in.expect(" ");
  in.time_of_day(time);
  in.expect(" GMT");
  if (!in.ok || !in.rest.empty()) return std::nullopt;

  CivilTime limit = civil_from_seconds(std::clamp(now_s, kMinFormattable_s, kMaxFormattable_s));
  time.year = limit.year - limit.year % 100 + short_year;
  limit.year += kFutureYears;
  if (seconds_from_civil(time) > seconds_from_civil(limit)) time.year -= 100;
  return checked_seconds(time);
}

std::optional<std::int64_t> parse_asctime(std::string_view text) noexcept {
  Scanner in{text};
  CivilTime time;
  in.day_name(3);
  in.expect(" ");
  time.month = in.month();
  in.expect(" ");
  if (!in.rest.empty() && in.rest.front() == ' ') {
    in.expect(" ");
    time.day = in.digits(1);
  } else {
    time.day = in.digits(2);
  }
  in.expect(" ");
  in.time_of_day(time);
  in.expect(" ");
  time.year = in.digits(4);
  if (!in.ok || !in.rest.empty()) return std::nullopt;
  return checked_seconds(time);
}

char* put_text(char* at, std::string_view text) noexcept { return std::copy(text.begin(), text.end(), at); }

char* put_2(char* at, int value) noexcept {
  *at++ = static_cast<char>('0' + value / 10);
  *at++ = static_cast<char>('0' + value % 10);
  return at;
}

char* put_4(char* at, std::int64_t value) noexcept {
  at = put_2(at, static_cast<int>(value / 100));
  return put_2(at, static_cast<int>(value % 100));
}

char* put_time_of_day(char* at, const CivilTime& time) noexcept {
  at = put_2(at, time.hour);
  *at++ = ':';
  at = put_2(at, time.minute);
  *at++ = ':';
  return put_2(at, time.second);
}

}  // namespace

// The year is counted from March, so that the leap day is the last day of its year and months follow one straight
// line: month m (0 is March) starts at day (153 m + 2) / 5.
std::int64_t days_from_civil(std::int64_t year, int month, int day) noexcept {
  const std::int64_t march_year = month <= 2 ? year - 1 : year;
  const std::int64_t era = floor_div(march_year, 400);
  const std::int64_t year_of_era = march_year - era * 400;
  const std::int64_t month_from_march = month > 2 ? month - 3 : month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kEpochFromEraStart;
}

CivilTime civil_from_seconds(std::int64_t seconds) noexcept {
  const std::int64_t days = floor_div(seconds, kSecondsPerDay);
  const std::int64_t remainder = seconds % kSecondsPerDay;
  const std::int64_t second_of_day = remainder < 0 ? remainder + kSecondsPerDay : remainder;
  const std::int64_t shifted = days + kEpochFromEraStart;
  const std::int64_t era = floor_div(shifted, kDaysPerEra);
  const std::int64_t day_of_era = shifted - era * kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (kDaysPerEra - 1)) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;

  CivilTime time;
  time.day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  time.month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  time.year = year_of_era + era * 400 + (time.month <= 2 ? 1 : 0);
  time.hour = static_cast<int>(second_of_day / 3600);
  time.minute = static_cast<int>(second_of_day / 60 % 60);
  time.second = static_cast<int>(second_of_day % 60);
  time.weekday = static_cast<int>(days + 4 - floor_div(days + 4, 7) * 7);
  return time;
}

std::int64_t seconds_from_civil(const CivilTime& time) noexcept {
  const std::int64_t hours = days_from_civil(time.year, time.month, time.day) * 24 + time.hour;
  const std::int64_t minutes = hours * 60 + time.minute;
  return minutes * 60 + time.second;
}

std::optional<std::int64_t> parse_http_date(std::string_view text, std::int64_t now_s) noexcept {
  if (text.size() < 24) return std::nullopt;  // the shortest form is asctime
  if (text.size() == kHttpDateSize) return parse_imf_fixdate(text);
  if (text.size() == 24) return parse_asctime(text);
  return parse_rfc850(text, now_s);
}

void format_http_date(std::int64_t seconds, std::span<char, kHttpDateSize> out) noexcept {
  const CivilTime time = civil_from_seconds(std::clamp(seconds, kMinFormattable_s, kMaxFormattable_s));
  char* at = out.data();
  at = put_text(at, kDayNames[static_cast<std::size_t>(time.weekday)].substr(0, 3));
  at = put_text(at, ", ");
  at = put_2(at, time.day);
  *at++ = ' ';
  at = put_text(at, kMonthNames.substr(static_cast<std::size_t>(time.month - 1) * 3, 3));
  *at++ = ' ';
  at = put_4(at, time.year);
  *at++ = ' ';
  at = put_time_of_day(at, time);
  put_text(at, " GMT");
}

void format_rfc3339(std::int64_t seconds, std::span<char, kRfc3339Size> out) noexcept {
  const CivilTime time = civil_from_seconds(std::clamp(seconds, kMinFormattable_s, kMaxFormattable_s));
  char* at = put_4(out.data(), time.year);
  *at++ = '-';
  at = put_2(at, time.month);
  *at++ = '-';
  at = put_2(at, time.day);
  *at++ = 'T';
  at = put_time_of_day(at, time);
  *at = 'Z';
}

}  // namespace tidegate::http
