// Units, ranges and words of [limits], at their edges. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: [limits]: units, ranges and words") {
  SUBCASE("a bare number for a duration") {
    CHECK(
        problems(R"([limits]
header_timeout = 10)") ==
        R"(2:18 error: `header_timeout` must be a duration such as "10s", found the number 10 | write "10ms", "10s" or "10m")");
  }
  SUBCASE("a bare number for a size") {
    CHECK(
        problems(R"([limits]
header_size = 65536)") ==
        R"(2:15 error: `header_size` must be a size such as "64k", found the number 65536 | write "65536b", "65536k" or "65536m")");
  }
  SUBCASE("a bare number for a rate") {
    CHECK(
        problems(R"([limits]
body_rate_min = 240)") ==
        R"(2:17 error: `body_rate_min` must be a rate such as "240/s", or "off", found the number 240 | write "240/s" or "240k/s")");
  }
  SUBCASE("zero needs its unit too") {
    CHECK(
        problems(R"([limits]
rate_grace = 0)") ==
        R"(2:14 error: `rate_grace` must be a duration such as "10s", found the number 0 | write "0ms", "0s" or "0m")");
  }
  SUBCASE("a number in quotes without a unit") {
    CHECK(problems(R"([limits]
header_timeout = "10")") == R"(2:18 error: `header_timeout`: a duration needs a unit: ms, s, m, h or d, found "10")");
  }
  SUBCASE("an unknown unit of time") {
    CHECK(problems(R"([limits]
header_timeout = "10sec")") ==
          R"(2:18 error: `header_timeout`: unknown unit "sec"; a duration has one of ms, s, m, h or d, found "10sec")");
  }
  SUBCASE("an unknown unit of size") {
    CHECK(problems(R"([limits]
header_size = "64kb")") ==
          R"(2:15 error: `header_size`: unknown unit "kb"; a size has one of b, k, m, g or t, found "64kb")");
  }
  SUBCASE("capital units are not units") {
    CHECK(problems(R"([limits]
header_size = "64K")") ==
          R"(2:15 error: `header_size`: unknown unit "K"; a size has one of b, k, m, g or t, found "64K")");
  }
  SUBCASE("a fraction") {
    CHECK(problems(R"([limits]
header_timeout = "1.5s")") ==
          R"(2:18 error: `header_timeout`: unknown unit ".5s"; a duration has one of ms, s, m, h or d, found "1.5s")");
  }
  SUBCASE("a negative duration") {
    CHECK(problems(R"([limits]
header_timeout = "-1s")") ==
          R"(2:18 error: `header_timeout`: a duration is a whole number and a unit: ms, s, m, h or d, found "-1s")");
  }
  SUBCASE("an empty string") {
    CHECK(problems(R"([limits]
header_timeout = "")") ==
          R"(2:18 error: `header_timeout`: a duration is a whole number and a unit: ms, s, m, h or d, found "")");
  }
  SUBCASE("blanks inside") {
    CHECK(problems(R"([limits]
header_timeout = "10 s")") ==
          R"(2:18 error: `header_timeout`: unknown unit " s"; a duration has one of ms, s, m, h or d, found "10 s")");
  }
  SUBCASE("a duration below its range") {
    CHECK(problems(R"([limits]
header_timeout = "9ms")") == R"(2:18 error: `header_timeout` must be between 10ms and 1d, found "9ms")");
  }
  SUBCASE("a duration above its range") {
    CHECK(problems(R"([limits]
header_timeout = "25h")") == R"(2:18 error: `header_timeout` must be between 10ms and 1d, found "25h")");
  }
  SUBCASE("a duration that does not fit") {
    CHECK(problems(R"([limits]
header_timeout = "99999999999999999999d")") ==
          R"(2:18 error: `header_timeout`: the duration is too large, found "99999999999999999999d")");
  }
  SUBCASE("a product that does not fit") {
    CHECK(problems(R"([limits]
header_timeout = "999999999999999999d")") ==
          R"(2:18 error: `header_timeout`: the duration is too large, found "999999999999999999d")");
  }
  SUBCASE("a size below its range") {
    CHECK(problems(R"([limits]
header_size = "1023b")") == R"(2:15 error: `header_size` must be between 1k and 16m, found "1023b")");
  }
  SUBCASE("a size above its range") {
    CHECK(problems(R"([limits]
header_size = "17m")") == R"(2:15 error: `header_size` must be between 1k and 16m, found "17m")");
  }
  SUBCASE("request_line_size too small") {
    CHECK(problems(R"([limits]
request_line_size = "255b")") == R"(2:21 error: `request_line_size` must be between 256b and 1m, found "255b")");
  }
  SUBCASE("header_count zero") {
    CHECK(problems(R"([limits]
header_count = 0)") == "2:16 error: `header_count` must be between 1 and 10000, found 0");
  }
  SUBCASE("header_count too large") {
    CHECK(problems(R"([limits]
header_count = 10001)") == "2:16 error: `header_count` must be between 1 and 10000, found 10001");
  }
  SUBCASE("header_count as a string") {
    CHECK(problems(R"([limits]
header_count = "128")") ==
          R"(2:16 error: `header_count` must be a whole number, found the string "128" | write 128 without quotes)");
  }
  SUBCASE("header_count as a fraction") {
    CHECK(problems(R"([limits]
header_count = 1.5)") == "2:16 error: `header_count` must be a whole number, found a fractional number");
  }
  SUBCASE("body_size: a slip in unlimited") {
    CHECK(
        problems(R"([limits]
body_size = "unlimitd")") ==
        R"(2:13 error: `body_size`: a size is a whole number and a unit: b, k, m, g or t; or "unlimited", found "unlimitd")");
  }
  SUBCASE("body_size: a boolean") {
    CHECK(problems(R"([limits]
body_size = false)") ==
          R"(2:13 error: `body_size` must be a size such as "10m", or "unlimited", found the boolean false)");
  }
  SUBCASE("keepalive_requests zero") {
    CHECK(problems(R"([limits]
keepalive_requests = 0)") == "2:22 error: `keepalive_requests` must be between 1 and 1000000000000, found 0");
  }
  SUBCASE("keepalive_requests with a unit") {
    CHECK(problems(R"([limits]
keepalive_requests = "100k")") ==
          R"(2:22 error: `keepalive_requests` must be a whole number, or "unlimited", found the string "100k")");
  }
  SUBCASE("connections: unlimited is not a word of it") {
    CHECK(problems(R"([limits]
connections = "unlimited")") ==
          R"(2:15 error: `connections` must be a whole number, or "auto", found the string "unlimited")");
  }
  SUBCASE("a rate of zero") {
    CHECK(problems(R"([limits]
write_rate_min = "0/s")") ==
          R"(2:18 error: `write_rate_min`: a rate is not 0; write "off" to ask for none, found "0/s")");
  }
  SUBCASE("a rate without its time") {
    CHECK(problems(R"([limits]
write_rate_min = "240")") ==
          R"(2:18 error: `write_rate_min`: a rate is a size a second, such as 240/s or 64k/s, or "off", found "240")");
  }
  SUBCASE("a rate a minute") {
    CHECK(
        problems(R"([limits]
write_rate_min = "240/m")") ==
        R"(2:18 error: `write_rate_min`: a rate is a size a second, such as 240/s or 64k/s, or "off", found "240/m")");
  }
  SUBCASE("a date") {
    CHECK(problems(R"([limits]
idle_timeout = 2024-01-01)") == R"(2:16 error: `idle_timeout` must be a duration such as "10s", found a date or time)");
  }
}

TEST_CASE("config: Limits of a route") {
  SUBCASE("connections belongs to the whole process") {
    CHECK(route_problems(R"(respond = {}
limits = { connections = 10 })") == "5:12 error: `connections` may stand only in [limits] at the top level");
  }
  SUBCASE("a bare number") {
    CHECK(
        route_problems(R"(respond = {}
limits = { body_size = 10 })") ==
        R"(5:24 error: `body_size` must be a size such as "10m", or "unlimited", found the number 10 | write "10b", "10k" or "10m")");
  }
  SUBCASE("a range holds here too") {
    CHECK(route_problems(R"(respond = {}
limits = { idle_timeout = "1ms" })") == R"(5:27 error: `idle_timeout` must be between 10ms and 7d, found "1ms")");
  }
  SUBCASE("limits is a table") {
    CHECK(route_problems(R"(respond = {}
limits = "10m")") == R"(5:10 error: `limits` must be a table, found the string "10m")");
  }
}
