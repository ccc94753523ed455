// The process: control thread, workers, reloads, stop. What the commands run, serve and respond start.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/load.h"
#include "io/poller_factory.h"

namespace tidegate::server {

// Exit codes of the process and of the commands (the table in docs/guide/commands.md).
enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kConfigInvalid = 3, kCannotBind = 4, kState = 5, kNoServer = 6, kDifferences = 10 };

struct ServerOptions {
  // Reads the configuration; called at the start and for each reload. Never throws.
  std::function<config::Loaded()> load;
  std::string config_path;     // for status; empty: no file
  std::string control_socket;  // path; empty: the default, and another one if a server has that already
  bool own_control_socket = false;  // another server at the default socket is an error (run), not a reason to move (serve)
  io::PollerFactory make_poller = nullptr;
  bool hangup_stops = false;  // HUP ends the server (serve in a terminal that is closed) instead of reloading it
  // Called once requests are answered: the listeners as they are written, each with its bound addresses.
  std::function<void(const std::map<std::string, std::vector<std::string>>& listeners)> announce;
};

// Runs until the process is told to stop. Returns an ExitCode; everything that a person needs to know was logged.
// block_service_signals must have been called before.
[[nodiscard]] int run_server(const ServerOptions& options);

}  // namespace tidegate::server
