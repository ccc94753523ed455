// Reaches a running server over its control socket (server/control/control_api.h).
//
// The socket is the one of --socket; else admin.sock in the runtime directory; else, when nobody answers there, the only
// other control socket of that directory that does (servers that were started beside the first have one with their
// process number).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/http_answer.h"

namespace tidegate::cli {

class ControlClient {
 public:
  // Looks at the option --socket. The failure says why no server was reached (exit code 6, or 5 when it is forbidden), or
  // lists the servers when there are several (exit code 2).
  [[nodiscard]] static std::expected<ControlClient, Failure> find(const Arguments& arguments);

  // One exchange. The failure is one of reaching the server; every status is an answer.
  [[nodiscard]] std::expected<HttpAnswer, Failure> ask(std::string_view method, std::string_view target,
                                                       std::int64_t timeout_ms) const;
  [[nodiscard]] const std::string& socket() const { return socket_; }

 private:
  explicit ControlClient(std::string socket) : socket_(std::move(socket)) {}
  std::string socket_;
};

// For an answer that should not have come: another program at the socket, or another version.
[[nodiscard]] Failure strange_answer(const ControlClient& client, const HttpAnswer& answer);

inline constexpr std::int64_t kAnswerTimeout_ms = 10'000;

}  // namespace tidegate::cli
