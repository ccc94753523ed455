// Host names, and sites together. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Host names of a site") {
  SUBCASE("a star alone") {
    CHECK(site_problems(R"(hosts = ["*"])") ==
          R"(3:10 error: `hosts`: a site without `hosts` answers every name; leave `hosts` out, found "*")");
  }
  SUBCASE("a star in the middle") {
    CHECK(
        site_problems(R"(hosts = ["www.*.example"])") ==
        R"(3:10 error: `hosts`: a wildcard stands for whole labels at the front only: *.shop.example, found "www.*.example")");
  }
  SUBCASE("a star as part of a label") {
    CHECK(
        site_problems(R"(hosts = ["*shop.example"])") ==
        R"(3:10 error: `hosts`: a wildcard stands for whole labels at the front only: *.shop.example, found "*shop.example")");
  }
  SUBCASE("a scheme") {
    CHECK(
        site_problems(R"(hosts = ["http://a.example"])") ==
        R"(3:10 error: `hosts`: a host is a name without a scheme; schemes and ports stand in `listen`, found "http://a.example")");
  }
  SUBCASE("a port") {
    CHECK(site_problems(R"(hosts = ["a.example:80"])") ==
          R"(3:10 error: `hosts`: a host has no port; ports stand in `listen`, found "a.example:80")");
  }
  SUBCASE("an international name") {
    CHECK(
        site_problems(R"(hosts = ["müller.example"])") ==
        R"(3:10 error: `hosts`: an international name is written in its ASCII form (xn--...), found "müller.example")");
  }
  SUBCASE("an empty name") {
    CHECK(site_problems(R"(hosts = [""])") == R"(3:10 error: `hosts`: not a valid host name, found "")");
  }
  SUBCASE("an empty label") {
    CHECK(site_problems(R"(hosts = ["a..example"])") ==
          R"(3:10 error: `hosts`: not a valid host name, found "a..example")");
  }
  SUBCASE("a label that begins with a hyphen") {
    CHECK(site_problems(R"(hosts = ["-a.example"])") ==
          R"(3:10 error: `hosts`: not a valid host name, found "-a.example")");
  }
  SUBCASE("a blank") {
    CHECK(site_problems(R"(hosts = ["a example"])") ==
          R"(3:10 error: `hosts`: not a valid host name, found "a example")");
  }
  SUBCASE("a label of 64 letters") {
    CHECK(
        site_problems(R"(hosts = ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example"])") ==
        R"(3:10 error: `hosts`: not a valid host name, found "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...")");
  }
  SUBCASE("a bad address in brackets") {
    CHECK(site_problems(R"(hosts = ["[::g]"])") ==
          R"(3:10 error: `hosts`: not a valid IPv6 address in brackets, found "[::g]")");
  }
  SUBCASE("a string instead of a list") {
    CHECK(
        site_problems(R"(hosts = "a.example")") ==
        R"(3:9 error: `hosts` must be a list of host names, found the string "a.example" | write hosts = ["a.example"])");
  }
  SUBCASE("twice, compared without case") {
    CHECK(site_problems(R"(hosts = ["a.example", "A.EXAMPLE."])") ==
          R"(3:23 error: the host "a.example" is listed twice | 3:10 it stands here first)");
  }
  SUBCASE("an empty site name") {
    CHECK(site_problems(R"(name = "")") == R"(3:8 error: `name`: a name is not empty, found "")");
  }
}

TEST_CASE("config: Sites together") {
  SUBCASE("one name twice") {
    const std::string text = R"([[site]]
name = "x"
listen = ["http://:80"]
hosts = ["a.example"]
[[site.route]]
respond = {}
[[site]]
name = "x"
listen = ["http://:80"]
hosts = ["b.example"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(8:8 error: two sites are named "x" | 2:8 the name is given here first)");
  }
  SUBCASE("one host twice on a listener") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
hosts = ["a.example", "b.example"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:81", "http://:80"]
hosts = ["b.example"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(8:10 error: the host "b.example" is served by two sites on "http://:80" | 3:23 it stands here first)");
  }
  SUBCASE("one wildcard twice on a listener") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
hosts = ["*.example"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:80"]
hosts = ["*.example"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(8:10 error: the host "*.example" is served by two sites on "http://:80" | 3:10 it stands here first)");
  }
  SUBCASE("two default sites on a listener") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:80"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(5:1 error: a second default site (one without `hosts`) on "http://:80" | 1:1 it stands here first)");
  }
  SUBCASE("one host on two listeners is fine") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
hosts = ["a.example"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:81"]
hosts = ["a.example"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == "");
  }
  SUBCASE("a host beside its wildcard is fine") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
hosts = ["a.example"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:80"]
hosts = ["*.example"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == "");
  }
  SUBCASE("a site without routes") {
    CHECK(problems(R"([[site]]
name = "x"
listen = ["http://:80"])") == R"(1:1 warning: the site "x" has no routes, so it answers 404 to everything)");
  }
  SUBCASE("no site at all") {
    CHECK(problems(R"([server]
workers = 1)") == "0:0 warning: there is no site, so the server answers nothing");
  }
  SUBCASE("[site] instead of [[site]]") {
    CHECK(problems(R"([site]
listen = ["http://:80"])") == "1:1 error: `site` must be a list of tables, found a table | write each one as [[site]]");
  }
  SUBCASE("[site.route] instead of [[site.route]]") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
[site.route]
respond = {})";
    CHECK(problems(text) ==
          "3:1 error: `route` must be a list of tables, found a table | write each one as [[site.route]]");
  }
  SUBCASE("a wrong host does not make a default site") {
    const std::string text = R"([[site]]
listen = ["http://:80"]
hosts = ["*"]
[[site.route]]
respond = {}
[[site]]
listen = ["http://:80"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(3:10 error: `hosts`: a site without `hosts` answers every name; leave `hosts` out, found "*")");
  }
}
