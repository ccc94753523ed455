// Header changes, access, authentication and error pages. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Headers, access, authentication and error pages") {
  SUBCASE("set: a bad name") {
    CHECK(route_problems(R"(respond = {}
headers = { set = { "X Y" = "1" } })") == "5:21 error: `X Y`: not a valid field name");
  }
  SUBCASE("set: a value that is a number") {
    CHECK(route_problems(R"(respond = {}
headers = { set = { X = 1 } })") == "5:25 error: `X` must be the value of a header field, found the number 1");
  }
  SUBCASE("set: a field of the connection") {
    CHECK(route_problems(R"(respond = {}
headers = { set = { Connection = "close" } })") ==
          "5:21 error: `Connection`: the server alone decides about this field");
  }
  SUBCASE("add: a table as value") {
    CHECK(route_problems(R"(respond = {}
headers = { add = { X = {} } })") == "5:25 error: `X` must be a field value, or a list of them, found a table");
  }
  SUBCASE("add: a bad value in a list") {
    CHECK(route_problems(R"(respond = {}
headers = { add = { X = ["a", "b\r"] } })") ==
          R"(5:31 error: `X`: a field value has no control characters and no blanks at its ends, found "b?")");
  }
  SUBCASE("remove: a field that frames the message") {
    CHECK(route_problems(R"(respond = {}
headers = { remove = ["Server", "transfer-encoding"] })") ==
          R"(5:33 error: `remove`: the server alone decides about this field, found "transfer-encoding")");
  }
  SUBCASE("remove: no list") {
    CHECK(
        route_problems(R"(respond = {}
headers = { remove = "Server" })") ==
        R"(5:22 error: `remove` must be a list of field names, found the string "Server" | write remove = ["Server"])");
  }
  SUBCASE("access: a bad block") {
    CHECK(
        route_problems(R"(respond = {}
access = { allow = ["10.0.0.0/8", "x"] })") ==
        R"(5:35 error: `allow`: not an address or an address block (no bits may be set behind the prefix), found "x")");
  }
  SUBCASE("access: an unknown key") {
    CHECK(route_problems(R"(respond = {}
access = { alow = [] })") == "5:12 error: unknown key `alow` | did you mean `allow`?");
  }
  SUBCASE("basic_auth: nothing given") {
    CHECK(route_problems(R"(respond = {}
basic_auth = { realm = "x" })") == "5:14 error: `basic_auth` needs `users` or `file`");
  }
  SUBCASE("basic_auth: both given") {
    CHECK(route_problems(R"(respond = {}
basic_auth = { users = { a = "$6$x$y" }, file = "x" })") ==
          "5:49 error: `basic_auth` has `users` or `file`, not both | 5:24 `users` is given here");
  }
  SUBCASE("basic_auth: nobody") {
    CHECK(route_problems(R"(respond = {}
basic_auth = { users = {} })") == "5:24 error: `users` is empty, so nobody could ever enter");
  }
  SUBCASE("basic_auth: a plain password, which is not repeated") {
    CHECK(
        route_problems(R"(respond = {}
basic_auth = { users = { a = "secret" } })") ==
        "5:30 error: `a`: a password is stored as a hash of crypt(3): bcrypt ($2b$, $2y$), SHA-crypt ($5$, $6$) or yescrypt ($y$) | make one with: htpasswd -nB NAME, or openssl passwd -6");
  }
  SUBCASE("basic_auth: a name with a colon") {
    CHECK(route_problems(R"(respond = {}
basic_auth = { users = { "a:b" = "$6$x$y" } })") == "5:26 error: `a:b`: a user name has no colon");
  }
  SUBCASE("error_pages: a status that is no error") {
    CHECK(route_problems(R"(respond = {}
error_pages = { 200 = "/x" })") ==
          "5:17 error: `200`: an error page is for a status from 400 to 599, or for 4xx or 5xx");
  }
  SUBCASE("error_pages: a class of redirects") {
    CHECK(route_problems(R"(respond = {}
error_pages = { 3xx = "/x" })") ==
          "5:17 error: `3xx`: an error page is for a status from 400 to 599, or for 4xx or 5xx");
  }
  SUBCASE("error_pages: a path without a slash") {
    CHECK(route_problems(R"(respond = {}
error_pages = { 404 = "404.html" })") ==
          R"(5:23 error: `404`: a path of the site begins with a slash, found "404.html")");
  }
  SUBCASE("error_pages: a table without a body") {
    CHECK(route_problems(R"(respond = {}
error_pages = { 404 = { content_type = "text/html" } })") == "5:23 error: `404` needs `body`");
  }
  SUBCASE("error_pages: a number") {
    CHECK(route_problems(R"(respond = {}
error_pages = { 404 = 1 })") ==
          "5:23 error: `404` must be a path of the site, or a table with `body`, found the number 1");
  }
}
