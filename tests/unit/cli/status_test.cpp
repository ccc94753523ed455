// The status document and how it reads.
#include <doctest/doctest.h>

#include <string>

#include "cli/status_document.h"

namespace tidegate {
namespace {

constexpr std::string_view kQuiet = R"({
  "version": "1.2.3", "pid": 4711, "uptime_s": 90061, "memory_bytes": 14680064, "state": "serving",
  "config": {"path": "/etc/tidegate/tidegate.toml", "generation": 3, "sites": 2, "reloads": 2, "last_reload_error": ""},
  "workers": [
    {"worker": 0, "connections": 5, "accepted": 1000, "requests": 20000, "responses": {"1xx": 0, "2xx": 19000, "3xx": 900, "4xx": 100, "5xx": 0},
     "aborted": 1, "bytes_in": 2048, "bytes_out": 3145728, "longest_turn_ms": 12, "slow_turns": 0},
    {"worker": 1, "connections": 7, "accepted": 1100, "requests": 21000, "responses": {"2xx": 21000},
     "aborted": 0, "bytes_in": 0, "bytes_out": 0, "longest_turn_ms": 3, "slow_turns": 0}
  ],
  "connections": 12, "requests": 41000, "accept_imbalance": 1.05, "poller": {"name": "epoll", "reason": "io_uring is forbidden"},
  "listeners": [{"listen": "http://localhost:80", "addresses": ["127.0.0.1:80", "[::1]:80"]}, {"listen": "http://192.0.2.1:81", "addresses": ["192.0.2.1:81"]}],
  "file_cache": {"bytes": 1024, "files": 1}, "log": {"dropped_lines": 0}, "new_in_a_later_version": {"x": []}
})";

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST_CASE("the document is read as values") {
  const auto status = cli::parse_status(kQuiet);
  REQUIRE(status.has_value());
  CHECK(status->pid == 4711);
  CHECK(status->generation == 3);
  REQUIRE(status->workers.size() == 2);
  CHECK(status->workers[0].responses[1] == 19000);
  CHECK(status->workers[1].accepted == 1100);
  REQUIRE(status->listeners.size() == 2);
  CHECK(status->listeners[0].addresses.size() == 2);
  CHECK(status->poller_reason == "io_uring is forbidden");
  CHECK(status->accept_imbalance == doctest::Approx(1.05));
}

TEST_CASE("what is no status document is refused, and what is missing has its default") {
  for (const std::string_view text : {"", "[]", "{}", "null", "{\"pid\":", "HTTP/1.1 200 OK"}) {
    CAPTURE(text);
    CHECK_FALSE(cli::parse_status(text).has_value());
  }
  const auto bare = cli::parse_status(
      R"({"pid": 1, "uptime_s": "soon", "workers": 7, "listeners": [3], "config": null, "accept_imbalance": "x"})");
  REQUIRE(bare.has_value());
  CHECK(bare->uptime_s == 0);
  CHECK(bare->accept_imbalance == 1);
  CHECK_FALSE(cli::status_text(*bare, false).empty());
}

TEST_CASE("a quiet server has nothing that needs attention") {
  const std::string text = cli::status_text(*cli::parse_status(kQuiet), false);
  CAPTURE(text);
  CHECK(text.starts_with("Tidegate 1.2.3 is serving, up 1 d 1 h, pid 4711\n"));
  CHECK_FALSE(has(text, "attention"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK(has(text, "/etc/tidegate/tidegate.toml, generation 3, 2 sites"));
  CHECK(has(text, "http://localhost:80  (127.0.0.1:80, [::1]:80)"));
  CHECK(has(text, "http://192.0.2.1:81\n"));
  CHECK(has(text, "epoll: io_uring is forbidden"));
  CHECK(has(text, "41,000"));
  CHECK(has(text, "3.0 MiB"));
  CHECK(has(text, "longest turn"));
  CHECK(has(cli::status_text(*cli::parse_status(kQuiet), true), "\x1b["));
}

TEST_CASE("trouble comes first") {
  auto status = *cli::parse_status(kQuiet);
  status.last_reload_error = "a.toml:1:2: error: no\na.toml:3:4: error: neither";
  status.dropped_log_lines = 7;
  status.workers[0].responses[4] = 1;
  status.workers[1].slow_turns = 2;
  status.accept_imbalance = 1.9;
  status.state = "stopping";
  const std::string text = cli::status_text(status, false);
  CAPTURE(text);
  CHECK(text.find("needs attention") < text.find("configuration"));
  CHECK(has(text, "generation 3 stays in force:\n    a.toml:1:2: error: no\n    a.toml:3:4: error: neither\n"));
  CHECK(has(text, "! 7 lines of the access log dropped"));
  CHECK(has(text, "! 1 response with a 5xx status"));
  CHECK(has(text, "! 2 slow turns"));
  CHECK(has(text, "1.90 times the fair share"));
  CHECK(has(text, "is stopping"));
}

TEST_CASE("an uneven spread of few connections says nothing") {
  auto status = *cli::parse_status(kQuiet);
  status.accept_imbalance = 2;
  status.workers[0].accepted = 1;
  status.workers[1].accepted = 0;
  CHECK_FALSE(has(cli::status_text(status, false), "attention"));
}

TEST_CASE("servers are told apart in a line") {
  CHECK(cli::one_line(kQuiet) == "pid 4711, /etc/tidegate/tidegate.toml, 127.0.0.1:80, [::1]:80, 192.0.2.1:81");
  CHECK(cli::one_line("{}") == "does not say what it is");
}

}  // namespace
}  // namespace tidegate
