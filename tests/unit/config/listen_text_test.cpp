// Listeners that are refused. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: Listeners") {
  SUBCASE("https") {
    const std::string text = R"([[site]]
listen = ["http://:80", "https://:443"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:25 error: `listen`: https listeners are not available in this version, found "https://:443")");
  }
  SUBCASE("no scheme") {
    const std::string text = R"([[site]]
listen = ["127.0.0.1:80"]
[[site.route]]
respond = {})";
    CHECK(
        problems(text) ==
        R"(2:11 error: `listen`: a listener begins with its scheme, such as http://:8080 or http://unix:/run/x.sock, found "127.0.0.1:80")");
  }
  SUBCASE("a unix socket without its scheme") {
    const std::string text = R"([[site]]
listen = ["unix:/run/x.sock"]
[[site.route]]
respond = {})";
    CHECK(
        problems(text) ==
        R"(2:11 error: `listen`: a listener begins with its scheme, such as http://:8080 or http://unix:/run/x.sock, found "unix:/run/x.sock")");
  }
  SUBCASE("a name") {
    const std::string text = R"([[site]]
listen = ["http://shop.example:80"]
[[site.route]]
respond = {})";
    CHECK(
        problems(text) ==
        R"(2:11 error: `listen`: a listener has an IP address (IPv6 in brackets), localhost, or nothing for every address, found "http://shop.example:80")");
  }
  SUBCASE("a star") {
    const std::string text = R"([[site]]
listen = ["http://*:80"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(2:11 error: `listen`: every address is written http://:PORT, found "http://*:80")");
  }
  SUBCASE("a path") {
    const std::string text = R"([[site]]
listen = ["http://:80/x"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:11 error: `listen`: a listener has no path; write the address and port only, found "http://:80/x")");
  }
  SUBCASE("IPv6 without brackets") {
    const std::string text = R"([[site]]
listen = ["http://::1:80"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:11 error: `listen`: an IPv6 address stands in brackets: http://[::1]:8080, found "http://::1:80")");
  }
  SUBCASE("IPv4 in brackets") {
    const std::string text = R"([[site]]
listen = ["http://[127.0.0.1]:80"]
[[site.route]]
respond = {})";
    CHECK(
        problems(text) ==
        R"(2:11 error: `listen`: a listener has an IP address (IPv6 in brackets), localhost, or nothing for every address, found "http://[127.0.0.1]:80")");
  }
  SUBCASE("a port too large") {
    const std::string text = R"([[site]]
listen = ["http://:65536"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(2:11 error: `listen`: a port is a number from 0 to 65535, found "http://:65536")");
  }
  SUBCASE("a port that is no number") {
    const std::string text = R"([[site]]
listen = ["http://:http"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(2:11 error: `listen`: a port is a number from 0 to 65535, found "http://:http")");
  }
  SUBCASE("a standard stream") {
    const std::string text = R"([[site]]
listen = ["fd:2"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:11 error: `listen`: an inherited descriptor is written fd:N with N from 3 to 65535, found "fd:2")");
  }
  SUBCASE("a descriptor that is no number") {
    const std::string text = R"([[site]]
listen = ["fd:web"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:11 error: `listen`: an inherited descriptor is written fd:N with N from 3 to 65535, found "fd:web")");
  }
  SUBCASE("systemd without a name") {
    const std::string text = R"([[site]]
listen = ["systemd:"]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(2:11 error: `listen`: a socket of systemd is written systemd:NAME, found "systemd:")");
  }
  SUBCASE("a unix socket without a path") {
    const std::string text = R"([[site]]
listen = ["http://unix:"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:11 error: `listen`: a unix socket needs a path: http://unix:/run/x.sock, found "http://unix:")");
  }
  SUBCASE("a number") {
    const std::string text = R"([[site]]
listen = [80]
[[site.route]]
respond = {})";
    CHECK(problems(text) == R"(2:11 error: `listen` must be a listener such as "http://:8080", found the number 80)");
  }
  SUBCASE("a string instead of a list") {
    const std::string text = R"([[site]]
listen = "http://:80"
[[site.route]]
respond = {})";
    CHECK(
        problems(text) ==
        R"(2:10 error: `listen` must be a list of listeners, found the string "http://:80" | write listen = ["http://:80"])");
  }
  SUBCASE("an empty list") {
    const std::string text = R"([[site]]
listen = []
[[site.route]]
respond = {})";
    CHECK(problems(text) == "2:10 error: a site needs at least one listener");
  }
  SUBCASE("not given") {
    const std::string text = R"([[site]]
name = "x"
[[site.route]]
respond = {})";
    CHECK(problems(text) == "1:1 error: `site` needs `listen`");
  }
  SUBCASE("twice") {
    const std::string text = R"([[site]]
listen = ["http://127.0.0.1:80", "http://127.0.0.1"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(2:34 error: the listener "http://127.0.0.1:80" is listed twice | 2:11 it is listed here first)");
  }
}
