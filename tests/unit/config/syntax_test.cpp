// TOML syntax errors: where they are, and that the rest of the file is still looked at. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Syntax errors name their place, and the reader goes on behind them") {
  SUBCASE("a value is missing") {
    CHECK(problems(R"([server]
workers = 
poller = "auto")") == R"(2:11 error: TOML syntax: expected value, saw '\n' (in key-value pair))");
  }
  SUBCASE("a duration without quotes") {
    CHECK(
        problems(R"([limits]
idle_timeout = 10s)") ==
        R"(2:18 error: TOML syntax: expected digit, saw 's' (in decimal integer) | strings, durations and sizes are written in quotes, such as "10s")");
  }
  SUBCASE("an address without quotes") {
    const std::string text = R"([[site]]
listen = [http://:80])";
    CHECK(
        problems(text) ==
        R"(1:1 warning: the site "site-1" has no routes, so it answers 404 to everything)"
        "\n"
        R"(2:11 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, such as "10s")");
  }
  SUBCASE("a capital True") {
    CHECK(
        problems(R"([server]
pin_workers = True)") ==
        R"(2:15 error: TOML syntax: expected 'true', saw 'T' (in boolean) | strings, durations and sizes are written in quotes, such as "10s")");
  }
  SUBCASE("a string that is not closed") {
    CHECK(
        problems(R"([server]
poller = "auto
workers = 2)") ==
        "2:15 error: TOML syntax: unescaped control characters other than TAB (U+0009) are explicitly prohibited (in string)");
  }
  SUBCASE("a list that is not closed") {
    const std::string text = R"([[site]]
listen = ["http://:80"
name = "x"
[[site.route]]
respond = {})";
    CHECK(problems(text) == "3:1 error: TOML syntax: expected comma or closing ']', saw 'n' (in array)");
  }
  SUBCASE("a table header that is not closed") {
    CHECK(problems(R"([server
workers = 2)") == R"(1:8 error: TOML syntax: expected ']', saw '\n' (in table header))");
  }
  SUBCASE("a key without a value") {
    CHECK(problems("[server]\nworkers\n") == R"(2:8 error: TOML syntax: expected '=', saw '\n' (in key-value pair))");
    CHECK(problems("[server]\nworkers") == "2:8 error: TOML syntax: encountered end-of-file (in key-value pair)");
  }
  SUBCASE("an inline table over two lines") {
    CHECK(
        problems(R"([server]
workers = { min = 1,
 max = 2 })") ==
        R"(2:21 error: TOML syntax: expected key or closing '}', saw '\n' (in inline table) | an inline table { ... } stands on one line and has no comma before its closing brace)");
  }
  SUBCASE("a comma before the closing brace") {
    CHECK(
        problems(R"([server]
workers = { min = 1, max = 2, })") ==
        "2:31 error: TOML syntax: expected key-value pair, saw closing '}' (dangling comma) (in inline table) | an inline table { ... } stands on one line and has no comma before its closing brace");
  }
  SUBCASE("a key given twice") {
    CHECK(
        problems(R"([server]
workers = 1
workers = 2)") ==
        "3:11 error: TOML syntax: cannot redefine existing integer 'workers' (in key-value pair) | a key may be given once in its table");
  }
  SUBCASE("a table given twice") {
    const std::string text = R"([server]
workers = 1
[server]
pin_workers = true)";
    CHECK(
        problems(text) ==
        "3:1 error: TOML syntax: cannot redefine existing table 'server' (in table header) | a key may be given once in its table");
  }
  SUBCASE("an unknown escape") {
    CHECK(problems(R"([log]
access = { to = "\q" })") == R"(2:19 error: TOML syntax: unknown escape sequence '\q' (in string))");
  }
  SUBCASE("two statements on one line") {
    CHECK(problems(R"([server]
workers = 1 pin_workers = true)") ==
          "2:13 error: TOML syntax: expected a comment or whitespace, saw 'p' (in key-value pair)");
  }
  SUBCASE("a number that does not fit") {
    CHECK(problems(R"([limits]
header_count = 99999999999999999999)") ==
          "2:36 error: TOML syntax: '99999999999999999999' is not representable in 64 bits (in decimal integer)");
  }
  SUBCASE("a bare word as value") {
    CHECK(
        problems(R"([server]
poller = epoll)") ==
        R"(2:10 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, such as "10s")");
  }
  SUBCASE("every broken value of a file, and the wrong ones between them") {
    const std::string text = R"([server]
workers = x
poller = "epol"
file_cache = 64m

[limits]
header_size = 64k
body_size = 1)";
    CHECK(
        problems(text) ==
        R"(2:11 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, such as "10s")"
        "\n"
        R"(3:10 error: `poller` must be "auto" or the name of a poller, found "epol" | did you mean "epoll"?)"
        "\n"
        R"(4:16 error: TOML syntax: expected digit, saw 'm' (in decimal integer) | strings, durations and sizes are written in quotes, such as "10s")"
        "\n"
        R"(7:17 error: TOML syntax: expected digit, saw 'k' (in decimal integer) | strings, durations and sizes are written in quotes, such as "10s")"
        "\n"
        R"(8:13 error: `body_size` must be a size such as "10m", or "unlimited", found the number 1 | write "1b", "1k" or "1m")");
  }
  SUBCASE("a broken value in the middle of a list") {
    const std::string text = R"([[site]]
listen = [
  "http://:80"
  "http://:81",
]
nam = "x")";
    CHECK(problems(text) == R"(1:1 warning: the site "site-1" has no routes, so it answers 404 to everything)"
                            "\n"
                            R"(4:3 error: TOML syntax: expected comma or closing ']', saw '"' (in array))"
                            "\n"
                            "6:1 error: unknown key `nam` | did you mean `name`?");
  }
  SUBCASE("a tab before a column is one character") {
    CHECK(
        problems(R"([server]
	workers = x)") ==
        R"(2:12 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, such as "10s")");
  }
  SUBCASE("columns count characters, not bytes") {
    CHECK(problems(R"([log]
access = { to = "./ä/ö", format = 1 })") == R"(2:35 error: `format` must be "json" or "combined", found the number 1)");
  }
  SUBCASE("characters outside of ASCII stand in quotes only") {
    CHECK(problems("[server]\nwörkers = 1\n") ==
          R"(2:2 error: TOML syntax: "ö" may stand in quotes and in comments only)");
    CHECK(problems("[server]\npoller = äpoll\n") ==
          R"(2:10 error: TOML syntax: "ä" may stand in quotes and in comments only)");
    CHECK(problems("[server]\nworkers =\xC2\xA0"
                   "1\n") == "2:10 error: TOML syntax: \"\xC2\xA0\" may stand in quotes and in comments only");
    CHECK(
        problems("[[site]]\nlisten = [ # ä\n  \"http://:80\", ß\n]\nnam = 1\n[[site.route]]\nrespond = {}\n") ==
        "3:17 error: TOML syntax: \"ß\" may stand in quotes and in comments only\n5:1 error: unknown key `nam` | did you mean `name`?");
    CHECK(
        problems("[server]\nworkers = x\npoller = é\n") ==
        "2:11 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, "
        "such as \"10s\"\n3:10 error: TOML syntax: \"é\" may stand in quotes and in comments only");
  }
  SUBCASE("what the parser library does not expect") {
    CHECK(problems("[[[a]]\n") ==
          "1:3 error: TOML syntax: expected bare key starting character or string delimiter, saw '[' (in key)");
  }
}
