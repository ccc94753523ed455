#include "cli/config_file.h"

#include <cstdlib>
#include <filesystem>

#include "cli/text.h"
#include "server/server.h"

namespace tidegate::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSystemFile = "/etc/tidegate/tidegate.toml";
constexpr std::string_view kUserFile = "/tidegate/tidegate.toml";  // below the user's configuration directory

// An absolute path from the environment, or an empty string (XDG base directory specification: others are ignored).
std::string directory_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] == '/' ? value : "";
}

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

void report(config::Loaded& loaded, std::size_t index, std::string message, std::string hint) {
  config::Diagnostic diagnostic;
  diagnostic.at = loaded.config.admin.listen[index].written.at;
  diagnostic.pointer = "/admin/listen/" + std::to_string(index);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  loaded.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

std::vector<std::string> usual_config_files() {
  std::vector<std::string> files{std::string(kSystemFile)};
  std::string user = directory_in("XDG_CONFIG_HOME");
  if (const std::string home = directory_in("HOME"); user.empty() && !home.empty()) user = home + "/.config";
  if (!user.empty()) files.push_back(user + std::string(kUserFile));
  return files;
}

std::optional<std::string> find_usual_config() {
  for (std::string& file : usual_config_files()) {
    std::error_code failed;
    const fs::file_type type = fs::status(file, failed).type();
    if (type != fs::file_type::not_found) return std::move(file);
  }
  return std::nullopt;
}

std::expected<std::string, Failure> config_file_of(const Arguments& arguments) {
  if (const std::string* chosen = arguments.value("config")) return absolute(*chosen);
  if (auto usual = find_usual_config()) return *usual;
  std::string looked;
  for (const std::string& file : usual_config_files()) looked += (looked.empty() ? "" : " nor ") + file;
  return std::unexpected(Failure{server::kUsage, "there is no configuration file: neither --config nor " + looked});
}

config::Loaded load_for_server(const std::string& path) {
  config::Loaded loaded = config::load_files(path);
  const std::vector<config::Listen>& admin = loaded.config.admin.listen;
  std::size_t sockets = 0;
  for (std::size_t i = 0; i < admin.size(); ++i) {
    if (admin[i].kind != config::Listen::Kind::kUnix) {
      report(loaded, i, "a control listener on TCP is not available in this version",
             "write the path of a unix socket: \"unix:/run/tidegate/admin.sock\"");
    } else if (++sockets > 1) {
      report(loaded, i, "this version opens one control socket only", "remove this one");
    }
  }
  return loaded;
}

std::string control_socket_of(const config::Config& config) {
  for (const config::Listen& listen : config.admin.listen) {
    if (listen.kind == config::Listen::Kind::kUnix) return listen.path;
  }
  return {};
}

std::string problem_count(const config::Diagnostics& diagnostics) {
  const std::size_t errors = config::count(diagnostics, config::Severity::kError);
  const std::size_t warnings = config::count(diagnostics, config::Severity::kWarning);
  std::string text = errors > 0 ? counted(errors, "error", "errors") : "";
  if (warnings > 0) text += (text.empty() ? "" : ", ") + counted(warnings, "warning", "warnings");
  return text;
}

}  // namespace tidegate::cli
