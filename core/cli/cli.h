// The command line: subcommands, their options and their output.
#pragma once

#include "io/poller_factory.h"

namespace tidegate::cli {

// Runs the program; returns the exit code of the process.
[[nodiscard]] int run(int argc, char** argv, io::PollerFactory make_poller);

}  // namespace tidegate::cli
