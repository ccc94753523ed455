// HTTP-date in its three forms, the calendar under it, and RFC 3339 (RFC 9110 section 5.6.7).
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "http/semantics/date.h"

namespace http = tidegate::http;

namespace {

constexpr std::int64_t kNow_s = 1767225600;  // 2026-01-01T00:00:00Z
constexpr std::int64_t kRfcExample_s = 784111777;

std::string http_date(std::int64_t seconds) {
  std::array<char, http::kHttpDateSize> buffer;
  http::format_http_date(seconds, buffer);
  return {buffer.data(), buffer.size()};
}

std::string rfc3339(std::int64_t seconds) {
  std::array<char, http::kRfc3339Size> buffer;
  http::format_rfc3339(seconds, buffer);
  return {buffer.data(), buffer.size()};
}

std::optional<std::int64_t> parse(std::string_view text) { return http::parse_http_date(text, kNow_s); }

}  // namespace

TEST_CASE("date: the three forms of the RFC example name one second") {
  CHECK(parse("Sun, 06 Nov 1994 08:49:37 GMT") == kRfcExample_s);
  CHECK(parse("Sunday, 06-Nov-94 08:49:37 GMT") == kRfcExample_s);
  CHECK(parse("Sun Nov  6 08:49:37 1994") == kRfcExample_s);
}

TEST_CASE("date: names are read in any case") {
  CHECK(parse("SUN, 06 NOV 1994 08:49:37 gmt") == kRfcExample_s);
  CHECK(parse("sunday, 06-nov-94 08:49:37 GMT") == kRfcExample_s);
}

TEST_CASE("date: every day name and month name") {
  CHECK(parse("Mon, 01 Jan 2024 00:00:00 GMT") == 1704067200);
  CHECK(parse("Thu, 01 Feb 2024 00:00:00 GMT") == 1706745600);
  CHECK(parse("Fri, 01 Mar 2024 00:00:00 GMT") == 1709251200);
  CHECK(parse("Mon, 01 Apr 2024 00:00:00 GMT") == 1711929600);
  CHECK(parse("Wed, 01 May 2024 00:00:00 GMT") == 1714521600);
  CHECK(parse("Sat, 01 Jun 2024 00:00:00 GMT") == 1717200000);
  CHECK(parse("Mon, 01 Jul 2024 00:00:00 GMT") == 1719792000);
  CHECK(parse("Thu, 01 Aug 2024 00:00:00 GMT") == 1722470400);
  CHECK(parse("Sun, 01 Sep 2024 00:00:00 GMT") == 1725148800);
  CHECK(parse("Tue, 01 Oct 2024 00:00:00 GMT") == 1727740800);
  CHECK(parse("Fri, 01 Nov 2024 00:00:00 GMT") == 1730419200);
  CHECK(parse("Sun, 01 Dec 2024 00:00:00 GMT") == 1733011200);
  for (const char* name : {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}) {
    CAPTURE(name);
    CHECK(parse(std::string(name) + ", 06-Nov-94 08:49:37 GMT") == kRfcExample_s);
  }
}

TEST_CASE("date: a day of two digits in asctime") {
  CHECK(parse("Wed Nov 16 08:49:37 1994") == kRfcExample_s + 10 * 86400);
  CHECK_FALSE(parse("Sun Nov 6  08:49:37 1994"));
  CHECK_FALSE(parse("Sun Nov   6 08:49:37 199"));
}

TEST_CASE("date: limits of each part") {
  CHECK(parse("Thu, 01 Jan 1970 00:00:00 GMT") == 0);
  CHECK(parse("Thu, 01 Jan 1970 23:59:59 GMT") == 86399);
  CHECK_FALSE(parse("Thu, 01 Jan 1970 24:00:00 GMT"));
  CHECK_FALSE(parse("Thu, 01 Jan 1970 23:60:00 GMT"));
  CHECK(parse("Thu, 01 Jan 1970 23:59:60 GMT") == 86400);  // leap second
  CHECK_FALSE(parse("Thu, 01 Jan 1970 23:59:61 GMT"));
  CHECK_FALSE(parse("Thu, 00 Jan 1970 00:00:00 GMT"));
  CHECK(parse("Sat, 31 Jan 1970 00:00:00 GMT") == 30 * 86400);
  CHECK_FALSE(parse("Sun, 32 Jan 1970 00:00:00 GMT"));
  CHECK_FALSE(parse("Fri, 31 Apr 2026 00:00:00 GMT"));
  CHECK(parse("Thu, 30 Apr 2026 00:00:00 GMT"));
}

TEST_CASE("date: leap years") {
  CHECK(parse("Thu, 29 Feb 2024 12:00:00 GMT") == 1709208000);
  CHECK_FALSE(parse("Sat, 29 Feb 2025 12:00:00 GMT"));
  CHECK(parse("Tue, 29 Feb 2000 00:00:00 GMT") == 951782400);
  CHECK_FALSE(parse("Thu, 29 Feb 1900 00:00:00 GMT"));
  CHECK_FALSE(parse("Mon, 29 Feb 2100 00:00:00 GMT"));
}

TEST_CASE("date: years far away") {
  CHECK(parse("Sat, 01 Jan 0000 00:00:00 GMT") == http::kMinFormattable_s);
  CHECK(parse("Fri, 31 Dec 9999 23:59:59 GMT") == http::kMaxFormattable_s);
  CHECK(parse("Tue, 19 Jan 2038 03:14:08 GMT") == 2147483648);
  CHECK(parse("Wed, 31 Dec 1969 23:59:59 GMT") == -1);
}

TEST_CASE("date: a two-digit year is at most 50 years ahead") {
  // Now is 2026-01-01T00:00:00: the last second that counts as future is the same moment of 2076.
  CHECK(parse("Wednesday, 01-Jan-76 00:00:00 GMT") == 3345062400);
  CHECK(parse("Wednesday, 01-Jan-76 00:00:01 GMT") == 189302401);
  CHECK(parse("Thursday, 01-Jan-26 00:00:00 GMT") == kNow_s);
  CHECK(parse("Friday, 31-Dec-99 23:59:59 GMT") == 946684799);
  CHECK(parse("Saturday, 01-Jan-00 00:00:00 GMT") == 946684800);
}

TEST_CASE("date: a two-digit year is read in the century of now") {
  const std::int64_t in_1999 = 946684799;
  CHECK(http::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", in_1999) == kRfcExample_s);
  CHECK(http::parse_http_date("Saturday, 01-Jan-00 00:00:00 GMT", in_1999) == -2208988800);
  const std::int64_t in_2001 = 978307200;
  CHECK(http::parse_http_date("Saturday, 06-Nov-94 08:49:37 GMT", in_2001) == kRfcExample_s);
  // 29 February exists in 1996 and in 2096, and the year is fixed before the day is checked.
  CHECK(http::parse_http_date("Thursday, 29-Feb-96 00:00:00 GMT", kNow_s) == 825552000);
  CHECK_FALSE(http::parse_http_date("Thursday, 29-Feb-95 00:00:00 GMT", kNow_s));
}

TEST_CASE("date: an extreme clock does no harm") {
  CHECK(http::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", std::numeric_limits<std::int64_t>::max()));
  CHECK(http::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", std::numeric_limits<std::int64_t>::min()));
}

TEST_CASE("date: what is not a date") {
  for (const char* text : {"",
                           "0",
                           "Sun",
                           "Sun, 06 Nov 1994 08:49:37",
                           "Sun, 06 Nov 1994 08:49:37 UTC",
                           "Sun, 06 Nov 1994 08:49:37 GMT ",
                           " Sun, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 6 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 94 08:49:37 GMT",
                           "Sun 06 Nov 1994 08:49:37 GMT",
                           "Son, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nox 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 8:49:37 GMT",
                           "Sun, 06 Nov 1994 08-49-37 GMT",
                           "Sun, 06 Nov +994 08:49:37 GMT",
                           "Sun, -6 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 08:49:37 +0000",
                           "1994-11-06T08:49:37Z",
                           "Sunday, 06-Nov-1994 08:49:37 GMT",
                           "Sun, 06-Nov-94 08:49:37 GMT",
                           "Sundae, 06-Nov-94 08:49:37 GMT",
                           "Sundays, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994 GMT",
                           "Sun, 06 Nov 1994 08:49:37 GMT, x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse(text));
  }
}

TEST_CASE("date: IMF-fixdate is written") {
  CHECK(http_date(kRfcExample_s) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(http_date(0) == "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(http_date(-1) == "Wed, 31 Dec 1969 23:59:59 GMT");
  CHECK(http_date(951782400) == "Tue, 29 Feb 2000 00:00:00 GMT");
  CHECK(http_date(4107542400) == "Mon, 01 Mar 2100 00:00:00 GMT");
}

TEST_CASE("date: times beyond four-digit years are clamped") {
  CHECK(http_date(http::kMaxFormattable_s) == "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(http_date(http::kMaxFormattable_s + 1) == "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(http_date(std::numeric_limits<std::int64_t>::max()) == "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(http_date(http::kMinFormattable_s) == "Sat, 01 Jan 0000 00:00:00 GMT");
  CHECK(http_date(std::numeric_limits<std::int64_t>::min()) == "Sat, 01 Jan 0000 00:00:00 GMT");
}

TEST_CASE("date: RFC 3339 is written") {
  CHECK(rfc3339(kRfcExample_s) == "1994-11-06T08:49:37Z");
  CHECK(rfc3339(kNow_s) == "2026-01-01T00:00:00Z");
  CHECK(rfc3339(std::numeric_limits<std::int64_t>::min()) == "0000-01-01T00:00:00Z");
}

TEST_CASE("date: what is written is read back, day by day over 900 years") {
  int checked = 0;
  for (std::int64_t s = -11676096000 + 45296; s < 16725225600; s += 86400) {
    if (http::parse_http_date(http_date(s), kNow_s) != s) FAIL("at second ", s);
    ++checked;
  }
  CHECK(checked > 328000);
}

TEST_CASE("date: weekdays follow one another and years have the right length") {
  int weekday = http::civil_from_seconds(0).weekday;
  CHECK(weekday == 4);
  for (std::int64_t day = 1; day < 150000; ++day) {
    weekday = (weekday + 1) % 7;
    if (http::civil_from_seconds(day * 86400).weekday != weekday) FAIL("at day ", day);
  }
  CHECK(http::days_from_civil(2001, 1, 1) - http::days_from_civil(2000, 1, 1) == 366);
  CHECK(http::days_from_civil(2101, 1, 1) - http::days_from_civil(2100, 1, 1) == 365);
  CHECK(http::days_from_civil(1, 1, 1) - http::days_from_civil(0, 1, 1) == 366);
  CHECK(http::days_from_civil(0, 1, 1) - http::days_from_civil(-1, 1, 1) == 365);
}

TEST_CASE("date: splitting is safe for every 64-bit time") {
  const auto last = http::civil_from_seconds(std::numeric_limits<std::int64_t>::max());
  CHECK(last.year == 292277026596);
  CHECK(last.month == 12);
  CHECK(last.day == 4);
  CHECK(last.hour == 15);
  const auto first = http::civil_from_seconds(std::numeric_limits<std::int64_t>::min());
  CHECK(first.year == -292277022657);
  CHECK(first.month == 1);
  CHECK(first.day == 27);
  CHECK(first.second == 52);
}
