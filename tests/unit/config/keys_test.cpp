// Unknown keys and their nearest known names. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Unknown keys come with the nearest known one") {
  SUBCASE("at the top") {
    CHECK(problems(R"([sever]
workers = 1)") == "1:2 error: unknown key `sever` | did you mean `server`?");
  }
  SUBCASE("in [server]") {
    CHECK(problems(R"([server]
worker = 1)") == "2:1 error: unknown key `worker` | did you mean `workers`?");
  }
  SUBCASE("letters swapped") {
    CHECK(problems(R"([server]
polelr = "auto")") == "2:1 error: unknown key `polelr` | did you mean `poller`?");
  }
  SUBCASE("in [limits]") {
    CHECK(problems(R"([limits]
headers_size = "64k")") == "2:1 error: unknown key `headers_size` | did you mean `header_size`?");
  }
  SUBCASE("in [log]") {
    CHECK(problems(R"([log]
acess = { to = "off" })") == "2:1 error: unknown key `acess` | did you mean `access`?");
  }
  SUBCASE("in an inline table") {
    CHECK(problems(R"([log]
access = { too = "off" })") == "2:12 error: unknown key `too` | did you mean `to`?");
  }
  SUBCASE("in a nested inline table") {
    CHECK(problems(R"([log]
access = { to = { path = "/var/log/x", rotate = { sise = "1m" } } })") ==
          "2:51 error: unknown key `sise` | did you mean `size`?");
  }
  SUBCASE("a limit that stands outside of its table") {
    CHECK(problems(R"([server]
body_size = "1m")") == "2:1 error: unknown key `body_size` | it is a setting of another table: `limits.body_size`");
  }
  SUBCASE("a key of another table") {
    CHECK(problems(R"([admin]
workers = 1)") == "2:1 error: unknown key `workers` | it is a setting of another table: `server.workers`");
  }
  SUBCASE("nothing is near: the known keys are listed") {
    CHECK(problems(R"([admin]
qqqqqqqq = 1)") == "2:1 error: unknown key `qqqqqqqq` | known keys: listen");
  }
  SUBCASE("a quoted key") {
    CHECK(problems(R"([server]
"work ers" = 1)") == "2:1 error: unknown key `work ers` | did you mean `workers`?");
  }
  SUBCASE("a dotted key") {
    CHECK(problems("server.worker = 1") == "1:8 error: unknown key `worker` | did you mean `workers`?");
  }
  SUBCASE("sites") {
    CHECK(problems(R"([[sites]]
name = "x")") == "1:3 error: unknown key `sites` | did you mean `site`?");
  }
}

TEST_CASE("config: Unknown keys of a site") {
  SUBCASE("a slip") {
    CHECK(site_problems(R"(host = ["a.example"])") == "3:1 error: unknown key `host` | did you mean `hosts`?");
  }
  SUBCASE("a limit directly in the site") {
    CHECK(site_problems(R"(body_size = "1m")") ==
          "3:1 error: unknown key `body_size` | did you mean `limits.body_size`?");
  }
  SUBCASE("case matters") {
    CHECK(site_problems(R"(Hosts = ["a.example"])") == "3:1 error: unknown key `Hosts` | did you mean `hosts`?");
  }
}

TEST_CASE("config: Unknown keys of a route") {
  SUBCASE("the handler itself: one message") {
    CHECK(route_problems("respnd = { status = 200 }") == "4:1 error: unknown key `respnd` | did you mean `respond`?");
  }
  SUBCASE("in match") {
    CHECK(route_problems(R"(match = { pth = "/x" }
respond = {})") == "4:11 error: unknown key `pth` | did you mean `path`?");
  }
  SUBCASE("in respond") {
    CHECK(route_problems("respond = { code = 200 }") ==
          "4:13 error: unknown key `code` | known keys: status, body, content_type, headers");
  }
  SUBCASE("in redirect") {
    const std::string text = R"(redirect = { to = "/x", code = 301 })";
    CHECK(route_problems(text) ==
          "4:19 error: this redirect leads back to itself"
          "\n"
          "4:25 error: unknown key `code` | known keys: to, status, keep_query");
  }
  SUBCASE("in files") {
    CHECK(route_problems(R"(files = { root = ".", indx = ["a"] })") ==
          "4:23 error: unknown key `indx` | did you mean `index`?");
  }
  SUBCASE("a limit directly in the route") {
    CHECK(route_problems(R"(respond = {}
header_timeout = "1s")") == "5:1 error: unknown key `header_timeout` | did you mean `limits.header_timeout`?");
  }
}
