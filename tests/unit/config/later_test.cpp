// Names of the language that this version does not offer. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Names of later versions say so") {
  SUBCASE("[acme]") {
    CHECK(problems(R"([acme]
email = "x")") == "1:2 error: `acme` is not available in this version");
  }
  SUBCASE("[[certificate]]") {
    CHECK(problems(R"([[certificate]]
hosts = ["x"])") == "1:3 error: `certificate` is not available in this version");
  }
  SUBCASE("[[upstream]]") {
    CHECK(problems(R"([[upstream]]
name = "api")") == "1:3 error: `upstream` is not available in this version");
  }
  SUBCASE("[[cache_policy]]") {
    CHECK(problems(R"([[cache_policy]]
name = "a")") == "1:3 error: `cache_policy` is not available in this version");
  }
  SUBCASE("trusted_proxies") {
    CHECK(problems(R"([server]
trusted_proxies = ["10.0.0.0/8"])") == "2:1 error: `trusted_proxies` is not available in this version");
  }
  SUBCASE("admin.store") {
    CHECK(problems(R"([admin]
store = "/x")") == "2:1 error: `store` is not available in this version");
  }
}

TEST_CASE("config: Names of later versions in a site") {
  SUBCASE("tls") {
    CHECK(site_problems(R"(tls = { certificate = "auto" })") == "3:1 error: `tls` is not available in this version");
  }
  SUBCASE("redirect_to_https") {
    CHECK(site_problems("redirect_to_https = true") ==
          "3:1 error: `redirect_to_https` is not available in this version");
  }
}

TEST_CASE("config: Names of later versions in a route: a handler among them counts as one") {
  SUBCASE("proxy") {
    CHECK(route_problems(R"(proxy = { upstream = "api" })") == "4:1 error: `proxy` is not available in this version");
  }
  SUBCASE("php") {
    CHECK(route_problems(R"(php = { root = "/x" })") == "4:1 error: `php` is not available in this version");
  }
  SUBCASE("app") {
    CHECK(route_problems(R"(app = { runtime = "node" })") == "4:1 error: `app` is not available in this version");
  }
  SUBCASE("cache") {
    CHECK(route_problems(R"(respond = {}
cache = "assets")") == "5:1 error: `cache` is not available in this version");
  }
  SUBCASE("compress") {
    CHECK(route_problems(R"(respond = {}
compress = ["br"])") == "5:1 error: `compress` is not available in this version");
  }
  SUBCASE("rate_limit") {
    CHECK(route_problems(R"(respond = {}
rate_limit = { rate = "1/s" })") == "5:1 error: `rate_limit` is not available in this version");
  }
}
