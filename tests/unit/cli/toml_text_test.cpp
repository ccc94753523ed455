// The TOML form of a configuration.
#include "cli/toml_text.h"

#include <doctest/doctest.h>

#include "config/json_form.h"
#include "config/load.h"

namespace tidegate {
namespace {

constexpr std::string_view kRich = R"(
[server]
workers = { min = 1, max = 3 }
headers = { set = { X-Odd = "a \"quoted\" \\ value" } }

[limits]
body_size = "10m"

[[site]]
name = "one"
hosts = ["one.example", "*.one.example"]
listen = ["http://127.0.0.1:8080", "http://unix:/run/x.sock"]
error_pages = { 404 = { body = "gone\t\u0001\u007f" } }

[[site.route]]
match = { path = "/a/*", method = ["GET"], header = { X-Version = "2" } }
respond = { status = 200, body = "line\nline $${env:X} é \U0001F600" }

[[site.route]]
path = "/old/*"
redirect = { to = "/new/{path.rest}", status = 308 }

[[site]]
name = "two"
listen = ["http://127.0.0.1:8081"]

[[site.route]]
path = "/*"
files = { root = "/", listing = true, precompressed = ["br", "gzip"] }
)";

std::string complaints(const config::Loaded& loaded) { return config::format(loaded.diagnostics, loaded.sources); }

TEST_CASE("what is written reads back to the same configuration") {
  const config::Loaded loaded = config::load_text(std::string(kRich), "rich.toml", "/");
  REQUIRE(complaints(loaded) == "");
  for (const bool defaults : {false, true}) {
    CAPTURE(defaults);
    const auto toml = cli::toml_from_json(config::to_json(loaded.config, {.defaults = defaults}));
    REQUIRE(toml.has_value());
    CAPTURE(*toml);
    const config::Loaded again = config::load_text(*toml, "again.toml", "/");
    CHECK(complaints(again) == "");
    CHECK(again.config == loaded.config);
    CHECK(toml->find("[[site.route]]") != std::string::npos);
  }
}

TEST_CASE("tables, lists of tables and inline values") {
  const auto toml = cli::toml_from_json(
      R"({"a": 1, "server": {"x": "y", "in": {"k": [1, true]}}, "site": [{"route": [{"p": "/"}], "n": "s"}], "odd key": []})");
  REQUIRE(toml.has_value());
  CHECK(
      *toml ==
      "a = 1\n\"odd key\" = []\n\n[server]\nx = \"y\"\nin = { k = [1, true] }\n\n[[site]]\nn = \"s\"\n\n  [[site.route]]\n  p = \"/\"\n");
}

TEST_CASE("what TOML cannot say is refused") {
  for (const std::string_view json : {"", "[]", "1", "{", R"({"a": null})", R"({"a": [{"b": null}]})"}) {
    CAPTURE(json);
    CHECK_FALSE(cli::toml_from_json(json).has_value());
  }
}

}  // namespace
}  // namespace tidegate
