// run: the server with a configuration file, or with the welcome page when there is none.
#include <optional>

#include "cli/arguments.h"
#include "cli/built_config.h"
#include "cli/config_file.h"
#include "cli/listening.h"
#include "cli/output.h"
#include "cli/start.h"
#include "cli/verbs/verbs.h"
#include "sys/thread.h"

namespace tidegate::cli {

namespace {

constexpr const char* kWelcomeListen = "http://127.0.0.1:8080";

// Reads the file at the start and for each reload. The first reading is done before the server starts, which needs the
// path of the control socket, and is not repeated.
class ConfigFile {
 public:
  explicit ConfigFile(std::string path) : path_(std::move(path)), first_(load_for_server(path_)) {
    socket_ = control_socket_of(first_->config);
    logs_to_stdout_ = first_->config.log.access.to.kind == config::LogTarget::Kind::kStdout;
  }

  config::Loaded load() {
    if (first_) {
      config::Loaded loaded = std::move(*first_);
      first_.reset();
      return loaded;
    }
    config::Loaded loaded = load_for_server(path_);
    if (loaded.ok() && control_socket_of(loaded.config) != socket_) warn_socket(loaded);
    return loaded;
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& socket() const { return socket_; }
  [[nodiscard]] bool logs_to_stdout() const { return logs_to_stdout_; }

 private:
  static void warn_socket(config::Loaded& loaded) {
    config::Diagnostic diagnostic;
    diagnostic.severity = config::Severity::kWarning;
    diagnostic.at = loaded.config.admin.written.at;
    diagnostic.pointer = "/admin/listen";
    diagnostic.message = "the control socket stays where it is until the server is started again";
    loaded.diagnostics.push_back(std::move(diagnostic));
  }

  std::string path_;
  std::optional<config::Loaded> first_;
  std::string socket_;
  bool logs_to_stdout_ = false;
};

std::string running_text(const std::string& path, const std::vector<std::string>& urls) {
  std::string text = "Tidegate " TIDEGATE_VERSION " runs " + path + '\n';
  for (const std::string& url : urls) text += "  " + url + '\n';
  return text;
}

Outcome run_file(const Invocation& invocation, const std::string& path) {
  sys::block_service_signals();
  ConfigFile file(path);
  server::ServerOptions options;
  options.load = [&file] { return file.load(); };
  options.config_path = path;
  options.control_socket = file.socket();
  if (const std::string* socket = invocation.arguments.value("socket")) options.control_socket = *socket;
  options.own_control_socket = true;
  options.make_poller = invocation.make_poller;
  options.announce = [&](const std::map<std::string, std::vector<std::string>>& listeners) {
    const std::string text = running_text(path, reached_at(listeners));
    // Standard output belongs to the access log when that goes there: whoever reads it expects nothing else.
    if (file.logs_to_stdout()) {
      invocation.output.complain(text);
    } else {
      invocation.output.write(text);
    }
  };
  return server::run_server(options);
}

Outcome run_welcome(const Invocation& invocation) {
  auto chosen = choose_listeners(invocation.arguments, kWelcomeListen);
  if (!chosen) return std::unexpected(chosen.error());
  if (!chosen->note.empty()) invocation.output.complain(chosen->note + '\n');
  std::string looked;
  for (const std::string& file : usual_config_files()) looked += (looked.empty() ? "" : ", ") + file;
  const std::string before = "No configuration was found (" + looked + "): here is the welcome page.\n";
  return serve_built(invocation, welcome_config(std::move(chosen->listen.front())), before, ControlSocket::kUsual);
}

}  // namespace

Outcome run_configuration(const Invocation& invocation) {
  if (!invocation.arguments.has("config") && !find_usual_config()) return run_welcome(invocation);
  const auto path = config_file_of(invocation.arguments);
  if (!path) return std::unexpected(path.error());
  return run_file(invocation, *path);
}

}  // namespace tidegate::cli
