// The configurations that commands make are such as a file could have.
#include "cli/built_config.h"

#include <doctest/doctest.h>

#include "config/json_form.h"
#include "config/validate.h"
#include "handlers/welcome_page.h"

namespace tidegate {
namespace {

config::Listen listen_on(std::string_view text) { return config::parse_listen(text).value(); }

// Checks the configuration as the server will, and that its JSON form reads back to the same.
void check_whole(const config::Config& config) {
  config::Loaded loaded;
  loaded.config = config;
  config::validate(loaded);
  CHECK(config::format(loaded.diagnostics, loaded.sources).empty());
  const config::Loaded again = config::load_json(config::to_json(config), "test", "/");
  CHECK(config::format(again.diagnostics, again.sources).empty());
  CHECK(again.config == config);
}

TEST_CASE("a folder") {
  const config::Config config = cli::folder_config({.root = "/"}, {listen_on("http://localhost:8080")}, false);
  check_whole(config);
  CHECK(config.log.access.to.kind == config::LogTarget::Kind::kOff);
  REQUIRE(config.sites.size() == 1);
  const auto& files = std::get<handlers::FilesSettings>(config.sites[0].routes.at(0).handler);
  CHECK(files.root == "/");
  CHECK(files.listing);
  CHECK_FALSE(files.hidden);
  CHECK(files.fallback.empty());
  CHECK(files.precompressed.size() == 3);
}

TEST_CASE("a folder with an app, hidden names and a log") {
  const config::Config config = cli::folder_config({.root = "/srv/app", .spa = true, .listing = false, .hidden = true},
                                                   {listen_on("http://:80"), listen_on("http://[::1]:81")}, true);
  const auto& files = std::get<handlers::FilesSettings>(config.sites[0].routes.at(0).handler);
  CHECK(files.fallback == "/index.html");
  CHECK_FALSE(files.listing);
  CHECK(files.hidden);
  CHECK(config.sites[0].listen.size() == 2);
  CHECK(config.log.access.to.kind == config::LogTarget::Kind::kStdout);
  CHECK(config.log.access.format == config::AccessLogFormat::kCombined);
}

TEST_CASE("one answer") {
  handlers::RespondSettings answer;
  answer.status = 503;
  answer.body = "later\n";
  const config::Config config = cli::respond_config(answer, {listen_on("http://localhost:8080")}, false);
  check_whole(config);
  CHECK(config.sites[0].routes.at(0).match.path.everything());
  CHECK(std::get<handlers::RespondSettings>(config.sites[0].routes[0].handler) == answer);
}

TEST_CASE("the welcome page") {
  const config::Config config = cli::welcome_config(listen_on("http://127.0.0.1:8080"));
  check_whole(config);
  const config::Route& route = config.sites[0].routes.at(0);
  CHECK(config::matches(route.match.path, "/"));
  CHECK_FALSE(config::matches(route.match.path, "/favicon.ico"));
  const auto& page = std::get<handlers::RespondSettings>(route.handler);
  CHECK(page.body.find("Tidegate is running") != std::string::npos);
  CHECK(page.headers.at(0).name == "Content-Security-Policy");
  CHECK(page.headers.at(0).value == handlers::welcome_policy());
}

}  // namespace
}  // namespace tidegate
