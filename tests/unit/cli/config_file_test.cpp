// Which file a command reads, and what a server of this version can run.
#include "cli/config_file.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "server/server.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using test::TempDir;

// An environment variable for a while.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    had_ = before != nullptr;
    if (had_) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool had_ = false;
  std::string before_;
};

std::string write(const TempDir& directory, const std::string& name, std::string_view text) {
  const std::string path = directory / name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
  return path;
}

cli::Arguments check_with(const std::vector<std::string>& words) {
  return cli::parse_arguments(*cli::find_command("check"), words).value();
}

TEST_CASE("the user's directory is that of XDG, else the one below home; relative ones do not count") {
  const Variable home("HOME", "/nowhere/at/all");
  {
    const Variable xdg("XDG_CONFIG_HOME", "/xdg");
    CHECK(cli::usual_config_files() ==
          std::vector<std::string>{"/etc/tidegate/tidegate.toml", "/xdg/tidegate/tidegate.toml"});
  }
  const Variable relative("XDG_CONFIG_HOME", "xdg");
  CHECK(cli::usual_config_files().at(1) == "/nowhere/at/all/.config/tidegate/tidegate.toml");
  const Variable homeless("HOME", "");
  CHECK(cli::usual_config_files().size() == 1);
}

TEST_CASE("a named file is taken, absolute, whether it is there or not") {
  CHECK(cli::config_file_of(check_with({"--config", "a/../b.toml"})) ==
        (std::filesystem::current_path() / "b.toml").string());
}

TEST_CASE("the usual file is found when none is named") {
  if (std::filesystem::exists("/etc/tidegate/tidegate.toml")) return;  // that of this machine comes first
  const TempDir directory;
  const Variable xdg("XDG_CONFIG_HOME", directory.path());
  const auto none = cli::config_file_of(check_with({}));
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().code == server::kUsage);
  CHECK(none.error().message.find(directory / "tidegate/tidegate.toml") != std::string::npos);
  const std::string path = write(directory, "tidegate/tidegate.toml", "");
  CHECK(cli::find_usual_config() == path);
  CHECK(cli::config_file_of(check_with({})) == path);
}

TEST_CASE("one unix socket may be the control socket, nothing else") {
  const TempDir directory;
  const config::Loaded one =
      cli::load_for_server(write(directory, "one.toml", "admin = { listen = [\"unix:run/admin.sock\"] }\n"));
  CHECK(config::format(one.diagnostics, one.sources).empty());
  CHECK(cli::control_socket_of(one.config) == directory / "run/admin.sock");

  const config::Loaded none = cli::load_for_server(write(directory, "none.toml", ""));
  CHECK(cli::control_socket_of(none.config).empty());

  const config::Loaded two = cli::load_for_server(
      write(directory, "two.toml", "admin = { listen = [\"http://127.0.0.1:2080\", \"unix:/a\",\n  \"unix:/b\"] }\n"));
  CHECK_FALSE(two.ok());
  CHECK(config::count(two.diagnostics, config::Severity::kError) == 2);
  const std::string text = config::format(two.diagnostics, two.sources);
  CAPTURE(text);
  CHECK(text.find("two.toml:1:21: error: a control listener on TCP") != std::string::npos);
  CHECK(text.find("two.toml:2:3: error: this version opens one control socket only") != std::string::npos);
}

TEST_CASE("problems are counted in words") {
  config::Diagnostics diagnostics;
  CHECK(cli::problem_count(diagnostics).empty());
  diagnostics.push_back({.severity = config::Severity::kWarning});
  CHECK(cli::problem_count(diagnostics) == "1 warning");
  diagnostics.push_back({.severity = config::Severity::kError});
  diagnostics.push_back({.severity = config::Severity::kError});
  CHECK(cli::problem_count(diagnostics) == "2 errors, 1 warning");
}

}  // namespace
}  // namespace tidegate
