// Listeners as a person gives them to a command and as a command shows them.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "config/listen.h"

namespace tidegate::cli {

// How many ports after a taken one are tried.
inline constexpr std::uint16_t kPortTries = 20;

struct ChosenListeners {
  std::vector<config::Listen> listen;
  std::string note{};  // what a person should know about the choice; may be empty
};

// The listeners of --listen, or `usual` when there are none; if its port is taken, the next free one. Paths of unix sockets
// become absolute. Refuses --https and https://, which this version does not speak.
[[nodiscard]] std::expected<ChosenListeners, Failure> choose_listeners(const Arguments& arguments,
                                                                       const std::string& usual);

// How each bound listener is reached from this machine: "http://localhost:8080", "http://[::1]:80", "http://unix:/run/x".
// A listener on every address is shown as localhost, with a remark behind it. `listeners`: ServerOptions::announce.
[[nodiscard]] std::vector<std::string> reached_at(const std::map<std::string, std::vector<std::string>>& listeners);

}  // namespace tidegate::cli
