// What [server], [log] and [admin] refuse. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: [server]") {
  SUBCASE("workers: zero") {
    CHECK(problems(R"([server]
workers = 0)") == "2:11 error: `workers` must be between 1 and 1024, found 0");
  }
  SUBCASE("workers: too many") {
    CHECK(problems(R"([server]
workers = 1025)") == "2:11 error: `workers` must be between 1 and 1024, found 1025");
  }
  SUBCASE("workers: negative") {
    CHECK(problems(R"([server]
workers = -1)") == "2:11 error: `workers` must be between 1 and 1024, found -1");
  }
  SUBCASE("workers: a quoted number") {
    CHECK(
        problems(R"([server]
workers = "4")") ==
        R"(2:11 error: `workers` must be "auto", a number, or { min = 1, max = 8 }, found the string "4" | write 4 without quotes)");
  }
  SUBCASE("workers: another word") {
    CHECK(problems(R"([server]
workers = "all")") ==
          R"(2:11 error: `workers` must be "auto", a number, or { min = 1, max = 8 }, found the string "all")");
  }
  SUBCASE("workers: a list") {
    CHECK(problems(R"([server]
workers = [1, 8])") == R"(2:11 error: `workers` must be "auto", a number, or { min = 1, max = 8 }, found a list)");
  }
  SUBCASE("workers: min above max") {
    CHECK(problems(R"([server]
workers = { min = 8, max = 2 })") == "2:19 error: `min` must not be larger than `max`, which is 2");
  }
  SUBCASE("workers: max is missing") {
    CHECK(problems(R"([server]
workers = { min = 2 })") == "2:11 error: `workers` needs `max`");
  }
  SUBCASE("workers: min of zero") {
    CHECK(problems(R"([server]
workers = { min = 0, max = 2 })") == "2:19 error: `min` must be between 1 and 1024, found 0");
  }
  SUBCASE("poller: unknown") {
    CHECK(problems(R"([server]
poller = "iouring")") ==
          R"(2:10 error: `poller` must be "auto" or the name of a poller, found "iouring" | did you mean "io_uring"?)");
  }
  SUBCASE("poller: not a string") {
    CHECK(problems(R"([server]
poller = 1)") == R"(2:10 error: `poller` must be "auto" or the name of a poller, found the number 1)");
  }
  SUBCASE("pin_workers: a string") {
    CHECK(problems(R"([server]
pin_workers = "true")") ==
          R"(2:15 error: `pin_workers` must be true or false, found the string "true" | write true without quotes)");
  }
  SUBCASE("pin_workers: a number") {
    CHECK(problems(R"([server]
pin_workers = 1)") == "2:15 error: `pin_workers` must be true or false, found the number 1");
  }
  SUBCASE("file_cache: a bare number") {
    CHECK(
        problems(R"([server]
file_cache = 64)") ==
        R"(2:14 error: `file_cache` must be a size such as "64k", found the number 64 | write "64b", "64k" or "64m")");
  }
  SUBCASE("file_cache: smaller than its largest file") {
    const std::string text = R"([server]
file_cache = "1m"
file_cache_max_file = "2m")";
    CHECK(problems(text) ==
          "0:0 warning: there is no site, so the server answers nothing"
          "\n"
          "3:23 warning: no file of this size fits in `file_cache`, which is 1m");
  }
  SUBCASE("shutdown_timeout: too long") {
    CHECK(problems(R"([server]
shutdown_timeout = "2d")") == R"(2:20 error: `shutdown_timeout` must be at most 1d, found "2d")");
  }
  SUBCASE("a table given as a list") {
    CHECK(problems(R"([[server]]
workers = 1)") == "1:1 error: `server` must be a table, found a list | this table is given once; write [server]");
  }
  SUBCASE("a table given as a number") {
    CHECK(problems("server = 1") == "1:10 error: `server` must be a table, found the number 1");
  }
}

TEST_CASE("config: [log]") {
  SUBCASE("a slip in stdout") {
    CHECK(
        problems(R"([log]
access = { to = "stdot" })") ==
        R"(2:17 error: `to` must be "stdout", "stderr", "off", a path, or { path, rotate }, found "stdot" | did you mean "stdout"?)");
  }
  SUBCASE("a file without a directory") {
    CHECK(
        problems(R"([log]
access = { to = "accesslog.txt" })") ==
        R"(2:17 error: `to` must be "stdout", "stderr", "off", a path, or { path, rotate }, found "accesslog.txt" | a file is written with its directory: "./accesslog.txt")");
  }
  SUBCASE("an unknown format") {
    CHECK(problems(R"([log]
access = { format = "common" })") == R"(2:21 error: `format` must be "json" or "combined", found "common")");
  }
  SUBCASE("an unknown level") {
    CHECK(problems(R"([log]
error = { level = "warning" })") ==
          R"(2:19 error: `level` must be "debug", "info", "warn" or "error", found "warning")");
  }
  SUBCASE("access is a table") {
    CHECK(problems(R"([log]
access = "off")") == R"(2:10 error: `access` must be a table, found the string "off")");
  }
  SUBCASE("a file table without a path") {
    CHECK(problems(R"([log]
access = { to = { rotate = { size = "1m" } } })") == "2:17 error: `to` needs `path`");
  }
  SUBCASE("rotation too small") {
    CHECK(problems(R"([log]
access = { to = { path = "/var/log/a", rotate = { size = "1k" } } })") ==
          R"(2:58 error: `size` must be between 4k and 1t, found "1k")");
  }
  SUBCASE("rotation keeps too few") {
    CHECK(problems(R"([log]
access = { to = { path = "/var/log/a", rotate = { keep = 0 } } })") ==
          "2:58 error: `keep` must be between 1 and 10000, found 0");
  }
  SUBCASE("rotate stands in the wrong table") {
    CHECK(problems(R"([log]
access = { to = "/var/log/a", rotate = { keep = 5 } })") ==
          "2:31 error: unknown key `rotate` | did you mean `to.rotate`?");
  }
  SUBCASE("an empty path") {
    CHECK(problems(R"([log]
access = { to = { path = "" } })") ==
          R"(2:26 error: `path`: a path is not empty; write "." for the directory of this file, found "")");
  }
}

TEST_CASE("config: [admin]") {
  SUBCASE("an address that others reach") {
    CHECK(
        problems(R"([admin]
listen = ["http://0.0.0.0:2080"])") ==
        R"(2:11 error: `listen`: the admin listener is a unix socket or a loopback address, found "http://0.0.0.0:2080")");
  }
  SUBCASE("every address") {
    CHECK(problems(R"([admin]
listen = ["http://:2080"])") ==
          R"(2:11 error: `listen`: the admin listener is a unix socket or a loopback address, found "http://:2080")");
  }
  SUBCASE("a descriptor") {
    CHECK(problems(R"([admin]
listen = ["fd:3"])") ==
          R"(2:11 error: `listen`: the admin listener is a unix socket or a loopback address, found "fd:3")");
  }
  SUBCASE("https") {
    CHECK(problems(R"([admin]
listen = ["https://127.0.0.1:2080"])") ==
          R"(2:11 error: `listen`: https listeners are not available in this version, found "https://127.0.0.1:2080")");
  }
  SUBCASE("a string instead of a list") {
    CHECK(
        problems(R"([admin]
listen = "unix:/run/x.sock")") ==
        R"(2:10 error: `listen` must be a list of admin listeners, found the string "unix:/run/x.sock" | write listen = ["unix:/run/x.sock"])");
  }
  SUBCASE("a site on an admin listener") {
    const std::string text = R"([admin]
listen = ["http://127.0.0.1:2080"]
[[site]]
listen = ["http://127.0.0.1:2080"]
[[site.route]]
respond = {})";
    CHECK(problems(text) ==
          R"(4:11 error: "http://127.0.0.1:2080" is an admin listener already | 2:11 it is an admin listener here)");
  }
}
