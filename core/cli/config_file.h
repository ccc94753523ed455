// The configuration file of a command: which one it is, and what it must say so that this version can run it.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "config/load.h"

namespace tidegate::cli {

// Where a configuration is looked for when none is named, in this order. The second is missing when the environment says
// no home directory.
[[nodiscard]] std::vector<std::string> usual_config_files();
// The first of them that is there (even if it may not be read: then its error is the answer), absolute.
[[nodiscard]] std::optional<std::string> find_usual_config();
// The file of --config, absolute, or the usual one. The failure is one of usage: there is none.
[[nodiscard]] std::expected<std::string, Failure> config_file_of(const Arguments& arguments);

// load_files, and errors for what the configuration language has and the server does not: other control listeners than
// one unix socket. Not validated yet.
[[nodiscard]] config::Loaded load_for_server(const std::string& path);
// The path of the control socket that the configuration names; empty: the default.
[[nodiscard]] std::string control_socket_of(const config::Config& config);

// "2 errors, 1 warning".
[[nodiscard]] std::string problem_count(const config::Diagnostics& diagnostics);

}  // namespace tidegate::cli
