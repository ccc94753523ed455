// The process: control thread, workers, reloads, stop. What the commands run, serve and respond start.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "config/load.h"
#include "io/poller_factory.h"

namespace tidegate::server {

// Exit codes of the process (the table in docs/guide/commands.md).
enum ExitCode : int { kOk = 0, kFailed = 1, kUsage = 2, kConfigInvalid = 3, kCannotBind = 4, kState = 5 };

struct ServerOptions {
  // Reads the configuration; called at the start and for each reload. Never throws.
  std::function<config::Loaded()> load;
  std::string config_path;     // for status; empty: no file
  std::string control_socket;  // path; empty: the default, and another one if a server has that already
  bool own_control_socket = false;  // another server at the default socket is an error (run), not a reason to move (serve)
  io::PollerFactory make_poller = nullptr;
  std::function<void(std::string_view address)> announce;  // called for each address once requests are answered
};

// Runs until the process is told to stop. Returns an ExitCode; everything that a person needs to know was logged.
// block_service_signals must have been called before.
[[nodiscard]] int run_server(const ServerOptions& options);

}  // namespace tidegate::server
