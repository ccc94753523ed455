// The JSON form, the JSON Schema, the reference page, and how diagnostics are shown.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/json_form.h"
#include "config/json_parse.h"
#include "config/json_schema.h"
#include "config/reference.h"
#include "config/schema.h"
#include "unit/config/support.h"

using namespace tidegate::config;
using namespace tidegate::config::test;

namespace {

Loaded load_form(const std::string& json) {
  static const FakeEnvironment environment;
  return load_json(json, "c.json", "/etc/tidegate", {.environment = &environment});
}

std::string json_problems(const std::string& json) { return summary(load_form(json).diagnostics); }

// One of everything.
constexpr std::string_view kFull = R"(
[server]
workers = { min = 1, max = 8 }
poller = "io_uring"
pin_workers = true
file_cache = "0b"
headers = { set = { Server = "x" }, add = { Link = ["a", "b"], Vary = "c" }, remove = ["X"] }
error_pages = { 404 = "/404.html", 5xx = { body = "sorry ${x} $${env:PORT} $${" } }
[limits]
body_size = "10m"
keepalive_requests = 100
connections = 1000
body_rate_min = "off"
[log]
access = { to = { path = "/tmp/a.log", rotate = { size = "10m", keep = 3 } }, format = "combined" }
error = { to = "off", level = "error" }
[admin]
listen = ["unix:/tmp/x.sock", "http://127.0.0.1:2080"]
[[site]]
hosts = ["a.example", "*.a.example", "[::1]"]
listen = ["http://:8080", "fd:3", "http://unix:run/x.sock", "systemd:web", "http://[::1]:1", "http://localhost:2"]
access = { allow = ["10.0.0.0/8", "::1"], deny = ["10.1.2.3"] }
basic_auth = { realm = "r", users = { bob = "$6$salt$hash" } }
log = false
[[site.route]]
name = "first"
match = { path = "/api/*", method = ["GET"], header = { X-V = "2", X-D = true }, query = { a = "1", b = false }, client = ["127.0.0.1"] }
respond = { status = 200, body = "\u0000\"\\\n\t\u0001ä", headers = { A = "b" } }
limits = { body_size = "1m" }
[[site.route]]
path = "/old/*"
redirect = { to = "https://{host}/{{path.rest}}{path.rest}?{query}", status = 301, keep_query = false }
[[site.route]]
basic_auth = { file = "users" }
files = { root = ".", mime = { wasm = "application/wasm" }, memory_max_file = "1k", precompressed = ["br", "gzip"], follow_symlinks = "never" }
)";

}  // namespace

TEST_CASE("config: the JSON form reads back as the same configuration") {
  const Loaded loaded = load(std::string(kFull));
  REQUIRE(summary(loaded.diagnostics) == "");
  for (const bool defaults : {true, false}) {
    for (const auto layout : {JsonWriter::Layout::kCompact, JsonWriter::Layout::kIndented}) {
      const std::string json = to_json(loaded.config, {.defaults = defaults, .layout = layout});
      const Loaded again = load_form(json);
      REQUIRE(summary(again.diagnostics) == "");
      CHECK(again.config == loaded.config);
      CHECK(to_json(again.config, {.defaults = defaults, .layout = layout}) == json);
    }
  }
}

TEST_CASE("config: the JSON form without defaults says only what differs") {
  const Loaded loaded = load(in_route("respond = { body = \"pong\" }"));
  CHECK(to_json(loaded.config, {.defaults = false, .layout = JsonWriter::Layout::kCompact}) ==
        R"({"site":[{"name":"site-1","listen":["http://:80"],"route":[{"respond":{"body":"pong"}}]}]})"
        "\n");
  CHECK(to_json(Config{}, {.defaults = false}) == "{}\n");
}

TEST_CASE("config: placeholders are shown as written when the sources are at hand") {
  const Loaded loaded = load(
      "[[site]]\nhosts = [\"${env:TOKEN}.example\"]\nlisten = [\"http://:${env:PORT}\"]\nheaders = { set = { A = \"${env:TOKEN}\" }, "
      "add = { B = [\"x\", \"${env:TOKEN}\"] } }\n[[site.route]]\nmatch = { header = { C = \"${env:TOKEN}\" } }\nrespond = { body = "
      "\"${env:TOKEN}\" }\n");
  REQUIRE(loaded.ok());
  const std::string shown = to_json(loaded.config, {.sources = &loaded.sources});
  CHECK(shown.find("s3cret") == std::string::npos);
  CHECK(shown.find("8080") == std::string::npos);
  CHECK(load_form(shown).config == loaded.config);
  CHECK(to_json(loaded.config).find("s3cret") != std::string::npos);
}

TEST_CASE("config: errors of the JSON form are those of TOML, with JSON pointers") {
  const Loaded loaded = load_form(R"({
  "server": { "workers": "4", "pollr": 1 },
  "site": [
    { "listen": ["http://:80"], "route": [ { "respond": { "status": 99 } }, {} ] },
    { "listen": "x", "headers": { "set": { "a/b~c": "1" } } }
  ]
})");
  CHECK(
      summary(loaded.diagnostics) ==
      "2:26 error: `workers` must be \"auto\", a number, or { min = 1, max = 8 }, found the string \"4\" | write 4 without quotes\n"
      "2:31 error: unknown key `pollr` | did you mean `poller`?\n"
      "4:69 error: `status` must be between 200 and 599, found 99\n"
      "4:77 error: a route needs a handler: `respond`, `redirect` or `files`\n"
      "5:17 error: `listen` must be a list of listeners, found the string \"x\" | write listen = [\"x\"]\n"
      "5:44 error: `a/b~c`: not a valid field name");
  std::string pointers;
  for (const Diagnostic& diagnostic : loaded.diagnostics)
    pointers += diagnostic.pointer + ' ' + key_path(diagnostic.pointer) + '\n';
  CHECK(pointers ==
        "/server/workers server.workers\n"
        "/server/pollr server.pollr\n"
        "/site/0/route/0/respond/status site[0].route[0].respond.status\n"
        "/site/0/route/1 site[0].route[1]\n"
        "/site/1/listen site[1].listen\n"
        "/site/1/headers/set/a~1b~0c site[1].headers.set.\"a/b~c\"\n");
}

TEST_CASE("config: JSON syntax errors") {
  CHECK(json_problems("") == "1:1 error: JSON syntax: expected a value");
  CHECK(json_problems("{") == "1:2 error: JSON syntax: expected a key in double quotes");
  CHECK(json_problems("{}x") == "1:3 error: JSON syntax: unexpected text after the end of the document");
  CHECK(json_problems("{\"a\" 1}") == "1:6 error: JSON syntax: expected ':' after a key");
  CHECK(json_problems("{\"a\": 1,}") == "1:9 error: JSON syntax: expected a key in double quotes");
  CHECK(json_problems("{\"a\":\n [1 2]}") == "2:5 error: JSON syntax: expected ',' or ']' in an array");
  CHECK(json_problems("{\"ä\": tru}") == "1:7 error: JSON syntax: expected true");
  CHECK(json_problems("{\"a\": 1, \"a\": 2}") == "1:13 error: JSON syntax: the key \"a\" is given twice");
  CHECK(json_problems("{\"a\": \"x\n\"}") == "1:9 error: JSON syntax: a control character in a string must be escaped");
  CHECK(json_problems("{\"a\": \"\\ud800\"}") == "1:14 error: JSON syntax: half of a surrogate pair");
  CHECK(json_problems("{\"a\": \"\\x\"}") == "1:9 error: JSON syntax: unknown escape in a string");
  CHECK(json_problems("{\"a\": \"\xff\"}") == "1:8 error: JSON syntax: a string is not valid UTF-8");
  CHECK(json_problems("{\"a\": \"") == "1:8 error: JSON syntax: a string is not closed");
  CHECK(json_problems("{\"a\": 01}") == "1:7 error: JSON syntax: expected a value");
  CHECK(json_problems("{\"a\": 99999999999999999999}") == "1:27 error: JSON syntax: the number does not fit");
  CHECK(json_problems(std::string(100, '[')) == "1:65 error: JSON syntax: nested deeper than 64 levels");
  CHECK(json_problems("[1]") == "1:1 error: the document must be a table, found a list");
  CHECK(json_problems("null") == "1:1 error: the document must be a table, found null");
  CHECK(json_problems("{\"include\": [\"x\"]}") == "1:2 error: `include` may stand in files only");
}

TEST_CASE("config: JSON values") {
  Diagnostics diagnostics;
  const JsonDocument document =
      parse_json("\xEF\xBB\xBF [ -1, 1.5e2, \"\\u00e4\\ud83c\\udf0a\\/\\b\", true, null ] ", 0, diagnostics);
  REQUIRE(document.readable);
  const auto at = [&](std::size_t i) -> const Value& { return document.root.members.at(i).value; };
  CHECK(at(0).integer == -1);
  CHECK(at(1).number == doctest::Approx(150));
  CHECK(at(2).text == "\xC3\xA4\xF0\x9F\x8C\x8A/\b");
  CHECK(at(3).boolean);
  CHECK(at(4).kind == Value::Kind::kNull);
}

TEST_CASE("config: JSON text is always valid") {
  JsonWriter json(JsonWriter::Layout::kCompact);
  json.begin_object();
  json.member("a\"b", "\x01\xff\xC3\xA4\n");
  json.key("list");
  json.begin_array();
  json.end_array();
  json.key("n");
  json.integer(-5);
  json.end_object();
  CHECK(json.text() == "{\"a\\\"b\":\"\\u0001\xEF\xBF\xBD\xC3\xA4\\n\",\"list\":[],\"n\":-5}");
}

TEST_CASE("config: the JSON Schema names every setting, and is JSON") {
  const std::string schema = json_schema();
  Diagnostics diagnostics;
  const JsonDocument document = parse_json(schema, 0, diagnostics);
  REQUIRE(summary(diagnostics) == "");
  CHECK(document.root.find("$schema")->text == "https://json-schema.org/draft/2020-12/schema");
  const Value& size = *document.root.find("$defs")->find("limits")->find("properties")->find("header_size");
  CHECK(size.find("default")->text == "64k");
  CHECK(size.find("type")->text == "string");
  const Value& route = *document.root.find("$defs")->find("route")->find("properties");
  CHECK(route.find("respond")->find("$ref")->text == "#/$defs/respond");
  CHECK(route.find("proxy") == nullptr);
  const Value& overrides = *document.root.find("$defs")->find("limit_overrides")->find("properties");
  CHECK(overrides.find("body_size") != nullptr);
  CHECK(overrides.find("connections") == nullptr);
}

TEST_CASE("config: every setting has words, and every limit a reason") {
  for (const Field& field : root_schema().fields) {
    if (field.available()) CHECK_MESSAGE(!field.doc.empty(), field.name);
  }
  const ObjectInfo& limits = find_field(root_schema(), "limits")->type->object();
  for (const Field& field : limits.fields) {
    CHECK_MESSAGE(!field.reason.empty(), field.name);
    CHECK_MESSAGE(field.range.bounded(), field.name);
    CHECK_MESSAGE(!default_text(limits, field).empty(), field.name);
  }
}

TEST_CASE("config: the reference page in the guide is up to date") {
  // TIDEGATE_WRITE_REFERENCE=1 writes the page instead of comparing it.
  const std::filesystem::path page =
      std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path() /
      "docs/guide/configuration-reference.md";
  const std::string text = reference_markdown();
  if (std::getenv("TIDEGATE_WRITE_REFERENCE") != nullptr) {
    std::filesystem::create_directories(page.parent_path());
    std::ofstream(page, std::ios::binary) << text;
  }
  std::ifstream stream(page, std::ios::binary);
  REQUIRE_MESSAGE(stream.good(), page.string());
  std::ostringstream content;
  content << stream.rdbuf();
  CHECK_MESSAGE(content.str() == text, "run: TIDEGATE_WRITE_REFERENCE=1 unit_config");
}

TEST_CASE("config: a diagnostic for people") {
  const Loaded loaded = load("[server]\n\tpoller = \"äpoll\" # x\n");
  CHECK(format(loaded.diagnostics, loaded.sources) ==
        "t.toml:2:11: error: `poller` must be \"auto\" or the name of a poller, found \"äpoll\"\n"
        "   2 | \tpoller = \"äpoll\" # x\n"
        "     | \t         ^~~~~~~\n"
        "     = hint: did you mean \"epoll\"?\n");
  CHECK(format(loaded.diagnostics, loaded.sources, {.colour = true}).find("\x1b[1;31merror:\x1b[0m") !=
        std::string::npos);
  CHECK(format(loaded.diagnostics, loaded.sources, {.colour = false}).find('\x1b') == std::string::npos);
}

TEST_CASE("config: a diagnostic with a related place, and warnings") {
  const Loaded loaded = load(in_route("path = \"/a\"\nrespond = {}\n[[site.route]]\npath = \"/a\"\nrespond = {}"));
  CHECK(format(loaded.diagnostics, loaded.sources) ==
        "t.toml:7:8: warning: this route is never reached: an earlier one matches all of its requests\n"
        "   7 | path = \"/a\"\n"
        "     |        ^~~~\n"
        "     = hint: put the narrower route first\n"
        "     = t.toml:4:8: this one matches first\n");
  CHECK(count(loaded.diagnostics, Severity::kWarning) == 1);
  CHECK_FALSE(has_errors(loaded.diagnostics));
}

TEST_CASE("config: diagnostics as JSON") {
  const Loaded loaded = load(in_route("respond = {}\nfiles = { root = \"/\" }"));
  Diagnostics ignored;
  const JsonDocument document = parse_json(to_json(loaded.diagnostics, loaded.sources), 0, ignored);
  REQUIRE(document.readable);
  REQUIRE(document.root.members.size() == 1);
  const Value& one = document.root.members[0].value;
  CHECK(one.find("severity")->text == "error");
  CHECK(one.find("file")->text == "t.toml");
  CHECK(one.find("line")->integer == 5);
  CHECK(one.find("column")->integer == 1);
  CHECK(one.find("key")->text == "site[0].route[0]");
  CHECK(one.find("pointer")->text == "/site/0/route/0");
  CHECK(one.find("related")->members[0].value.find("line")->integer == 4);
}
