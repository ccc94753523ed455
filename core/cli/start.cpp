#include "cli/start.h"

#include "cli/listening.h"
#include "cli/output.h"
#include "sys/thread.h"

namespace tidegate::cli {

std::string greeting(const std::string& before, const std::vector<std::string>& urls) {
  std::string text = before;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    if (i > 0) text += "\n  and on ";
    text += urls[i];
  }
  return text + "\nPress Ctrl-C to stop.\n";
}

int serve_built(const Invocation& invocation, const config::Config& config, const std::string& before) {
  sys::block_service_signals();
  server::ServerOptions options;
  options.load = [&config] {
    config::Loaded loaded;
    loaded.config = config;
    return loaded;
  };
  options.make_poller = invocation.make_poller;
  options.hangup_stops = true;  // the terminal was closed: nobody can stop it any more
  options.announce = [&](const std::map<std::string, std::vector<std::string>>& listeners) {
    invocation.output.write(greeting(before, reached_at(listeners)));
  };
  return server::run_server(options);
}

}  // namespace tidegate::cli
