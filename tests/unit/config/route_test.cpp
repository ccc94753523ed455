// Handlers, paths and conditions of a route; redirects. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Handlers and paths of a route") {
  SUBCASE("no handler") {
    CHECK(route_problems(R"(path = "/x")") == "3:1 error: a route needs a handler: `respond`, `redirect` or `files`");
  }
  SUBCASE("two handlers") {
    CHECK(route_problems(R"(respond = {}
files = { root = "." })") ==
          "5:1 error: a route has exactly one handler, and `respond` is one already | 4:1 `respond` is given here");
  }
  SUBCASE("three handlers") {
    const std::string text = R"(respond = {}
redirect = { to = "/x" }
files = { root = "." })";
    CHECK(route_problems(text) ==
          "5:1 error: a route has exactly one handler, and `respond` is one already | 4:1 `respond` is given here"
          "\n"
          "6:1 error: a route has exactly one handler, and `respond` is one already | 4:1 `respond` is given here");
  }
  SUBCASE("a handler of a later version beside one of today") {
    const std::string text = R"(respond = {}
proxy = {})";
    CHECK(route_problems(text) ==
          "5:1 error: a route has exactly one handler, and `respond` is one already | 4:1 `respond` is given here"
          "\n"
          "5:1 error: `proxy` is not available in this version");
  }
  SUBCASE("a handler that is no table") {
    CHECK(route_problems(R"(respond = "pong")") == R"(4:11 error: `respond` must be a table, found the string "pong")");
  }
  SUBCASE("the path twice") {
    CHECK(route_problems(R"(path = "/a"
match = { path = "/b" }
respond = {})") ==
          "5:11 error: the path of a route is given once, as `path` or as `match.path` | 4:1 it is given here");
  }
  SUBCASE("a path without a slash") {
    CHECK(route_problems(R"(path = "x"
respond = {})") == R"(4:8 error: `path`: a path pattern begins with a slash, found "x")");
  }
  SUBCASE("a star alone") {
    CHECK(route_problems(R"(path = "*"
respond = {})") == R"(4:8 error: `path`: a path pattern begins with a slash, found "*")");
  }
  SUBCASE("a query in the path") {
    CHECK(route_problems(R"(path = "/x?a=1"
respond = {})") == R"(4:8 error: `path`: a path pattern has no query or fragment; use `match.query`, found "/x?a=1")");
  }
  SUBCASE("an empty segment") {
    CHECK(route_problems(R"(path = "/a//b"
respond = {})") == R"(4:8 error: `path`: a path has no empty segments, so this matches nothing, found "/a//b")");
  }
  SUBCASE("a segment up") {
    CHECK(
        route_problems(R"(path = "/a/../b"
respond = {})") ==
        R"(4:8 error: `path`: "." and ".." segments are resolved before routing, so this matches nothing, found "/a/../b")");
  }
  SUBCASE("three stars") {
    CHECK(
        route_problems(R"(path = "/a***"
respond = {})") ==
        R"(4:8 error: `path`: "*" matches within a segment and "**" across segments; there is no "***", found "/a***")");
  }
  SUBCASE("a control character") {
    CHECK(route_problems(R"(path = "/a\u0001"
respond = {})") == R"(4:8 error: `path`: a path pattern has no control characters, found "/a?")");
  }
  SUBCASE("a path that is no string") {
    CHECK(route_problems(R"(path = ["/a"]
respond = {})") == R"(4:8 error: `path` must be a path pattern such as "/old/*", found a list)");
  }
  SUBCASE("a method in small letters") {
    CHECK(route_problems(R"(match = { method = ["get"] }
respond = {})") == R"(4:21 error: `method`: methods are case-sensitive and written in capitals, found "get")");
  }
  SUBCASE("a method with a blank") {
    CHECK(route_problems(R"(match = { method = ["GET "] }
respond = {})") == R"(4:21 error: `method`: not a valid method, found "GET ")");
  }
  SUBCASE("methods that are no list") {
    CHECK(route_problems(R"(match = { method = "GET" }
respond = {})") ==
          R"(4:20 error: `method` must be a list of methods, found the string "GET" | write method = ["GET"])");
  }
  SUBCASE("a header condition with a bad name") {
    CHECK(route_problems(R"(match = { header = { "a b" = "1" } }
respond = {})") == "4:22 error: `a b`: not a valid field name");
  }
  SUBCASE("a header condition twice") {
    CHECK(route_problems(R"(match = { header = { X-A = "1", x-a = "2" } }
respond = {})") == "4:33 error: the field `x-a` is given twice (names are compared without case)");
  }
  SUBCASE("a header condition that is a number") {
    CHECK(route_problems(R"(match = { header = { X-A = 1 } }
respond = {})") == "4:28 error: `X-A` must be a string, or true (present) or false (absent), found the number 1");
  }
  SUBCASE("a query condition that is a list") {
    CHECK(route_problems(R"(match = { query = { a = ["1"] } }
respond = {})") == "4:25 error: `a` must be a string, or true (present) or false (absent), found a list");
  }
  SUBCASE("a client that is no address") {
    CHECK(
        route_problems(R"(match = { client = ["localhost"] }
respond = {})") ==
        R"(4:21 error: `client`: not an address or an address block (no bits may be set behind the prefix), found "localhost")");
  }
  SUBCASE("a client with bits behind its prefix") {
    CHECK(
        route_problems(R"(match = { client = ["10.0.0.1/8"] }
respond = {})") ==
        R"(4:21 error: `client`: not an address or an address block (no bits may be set behind the prefix), found "10.0.0.1/8")");
  }
  SUBCASE("a prefix that is too long") {
    CHECK(
        route_problems(R"(match = { client = ["10.0.0.0/33"] }
respond = {})") ==
        R"(4:21 error: `client`: not an address or an address block (no bits may be set behind the prefix), found "10.0.0.0/33")");
  }
  SUBCASE("log is a boolean") {
    CHECK(route_problems(R"(log = "off"
respond = {})") == R"(4:7 error: `log` must be true or false, found the string "off")");
  }
}

TEST_CASE("config: redirect") {
  SUBCASE("no target") { CHECK(route_problems("redirect = { status = 301 }") == "4:12 error: `redirect` needs `to`"); }
  SUBCASE("an unknown status") {
    const std::string text = R"(redirect = { to = "/x", status = 304 })";
    CHECK(route_problems(text) ==
          "4:19 error: this redirect leads back to itself"
          "\n"
          "4:34 error: `status` must be 301, 302, 303, 307 or 308, found the number 304");
  }
  SUBCASE("an unknown placeholder") {
    CHECK(
        route_problems(R"(redirect = { to = "/x/{uri}" })") ==
        R"(4:19 error: `to`: unknown placeholder {uri}; there are {path}, {path.rest}, {query}, {host} and {scheme}, found "/x/{uri}")");
  }
  SUBCASE("a brace that is not closed") {
    CHECK(route_problems(R"(redirect = { to = "/x/{path" })") ==
          R"(4:19 error: `to`: a brace without its partner; write {{ or }} for a brace itself, found "/x/{path")");
  }
  SUBCASE("a brace that is not opened") {
    CHECK(route_problems(R"(redirect = { to = "/x/path}" })") ==
          R"(4:19 error: `to`: a brace without its partner; write {{ or }} for a brace itself, found "/x/path}")");
  }
  SUBCASE("a target without scheme and slash") {
    CHECK(
        route_problems(R"(redirect = { to = "example.com/x" })") ==
        R"(4:19 error: `to`: a redirect target begins with a slash, or is a URL with its scheme, found "example.com/x")");
  }
  SUBCASE("an empty target") {
    CHECK(route_problems(R"(redirect = { to = "" })") ==
          R"(4:19 error: `to`: a redirect target is a URL without blanks and control characters, found "")");
  }
  SUBCASE("a blank in the target") {
    CHECK(route_problems(R"(redirect = { to = "/a b" })") ==
          R"(4:19 error: `to`: a redirect target is a URL without blanks and control characters, found "/a b")");
  }
  SUBCASE("the rest without a star") {
    CHECK(route_problems(R"(path = "/old"
redirect = { to = "/new/{path.rest}" })") ==
          R"(5:19 error: {path.rest} needs a path pattern that ends in "*", and this route's is "/old")");
  }
  SUBCASE("to itself") {
    CHECK(route_problems(R"(path = "/x"
redirect = { to = "/x" })") == "5:19 error: this redirect leads back to itself");
  }
  SUBCASE("to itself by placeholder") {
    CHECK(route_problems(R"(path = "/x/*"
redirect = { to = "/x/{path.rest}" })") == "5:19 error: this redirect leads back to itself");
  }
  SUBCASE("to itself with the path") {
    CHECK(route_problems(R"(redirect = { to = "{path}" })") == "4:19 error: this redirect leads back to itself");
  }
  SUBCASE("everything to one page of itself") {
    CHECK(route_problems(R"(path = "/*"
redirect = { to = "/login" })") == "5:19 error: this redirect leads back to itself");
  }
  SUBCASE("deeper and deeper") {
    CHECK(route_problems(R"(path = "/a/*"
redirect = { to = "/a/b/{path.rest}" })") == "5:19 error: this redirect leads back to itself");
  }
  SUBCASE("the query makes no difference") {
    CHECK(route_problems(R"(path = "/x"
redirect = { to = "/x?again=1" })") == "5:19 error: this redirect leads back to itself");
  }
  SUBCASE("elsewhere is fine") {
    CHECK(route_problems(R"(path = "/x"
redirect = { to = "/y" })") == "");
  }
  SUBCASE("another host is fine") {
    CHECK(route_problems(R"(path = "/x"
redirect = { to = "https://other.example/x" })") == "");
  }
  SUBCASE("out of the pattern is fine") {
    CHECK(route_problems(R"(path = "/old/*"
redirect = { to = "/new/{path.rest}" })") == "");
  }
  SUBCASE("a condition may end it") {
    CHECK(route_problems(R"(match = { path = "/x", header = { Cookie = false } }
redirect = { to = "/x" })") == "");
  }
}
