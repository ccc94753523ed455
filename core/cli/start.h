// From a configuration and a few words to a running server: what serve, respond and run share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "config/model.h"
#include "server/server.h"

namespace tidegate::cli {

// The control socket of a server that has no configuration file.
enum class ControlSocket : std::uint8_t {
  kOfProcess,  // admin-PID.sock: never in the way of a server that is run with a configuration
  kUsual,      // admin.sock; if another server has it, admin-PID.sock
};

// Serves a configuration that was made from options until it is told to stop. `before` is written in front of the first
// address, such as "Serving /srv on ". The exit code.
[[nodiscard]] int serve_built(const Invocation& invocation, const config::Config& config, const std::string& before,
                              ControlSocket socket);

// "before URL", further addresses below one another, and how to stop.
[[nodiscard]] std::string greeting(const std::string& before, const std::vector<std::string>& urls);

}  // namespace tidegate::cli
