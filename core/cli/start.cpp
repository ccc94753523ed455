#include "cli/start.h"

#include "cli/listening.h"
#include "cli/output.h"
#include "sys/process.h"
#include "sys/terminal.h"
#include "sys/thread.h"

namespace tidegate::cli {

namespace {

// Empty when the directory cannot be made: then the server takes the usual one, and says what is wrong.
std::string socket_of_process() {
  const auto directory = sys::prepare_runtime_directory();
  return directory ? *directory + "/admin-" + std::to_string(sys::process_id()) + ".sock" : std::string();
}

}  // namespace

std::string greeting(const std::string& before, const std::vector<std::string>& urls) {
  std::string text = before;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    if (i > 0) text += "\n  and on ";
    text += urls[i];
  }
  return text + "\nPress Ctrl-C to stop.\n";
}

int serve_built(const Invocation& invocation, const config::Config& config, const std::string& before,
                ControlSocket socket) {
  sys::block_service_signals();
  server::ServerOptions options;
  options.load = [&config] {
    config::Loaded loaded;
    loaded.config = config;
    return loaded;
  };
  if (socket == ControlSocket::kOfProcess) options.control_socket = socket_of_process();
  options.make_poller = invocation.make_poller;
  // HUP: the terminal was closed, and nobody can press Ctrl-C any more.
  options.hangup_stops = !sys::hangup_is_ignored();
  options.announce = [&](const std::map<std::string, std::vector<std::string>>& listeners) {
    invocation.output.write(greeting(before, reached_at(listeners)));
  };
  return server::run_server(options);
}

}  // namespace tidegate::cli
