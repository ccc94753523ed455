#include "cli/control_client.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/status_document.h"
#include "server/server.h"
#include "sys/process.h"

namespace tidegate::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kProbeTimeout_ms = 2'000;
constexpr std::string_view kStatus = "/v1/status";

struct Reached {
  std::string socket;
  HttpAnswer answer;
};

std::expected<HttpAnswer, base::Error> exchange(const std::string& socket, std::string_view method,
                                                std::string_view target, std::int64_t timeout_ms, std::string& why) {
  std::string request =
      std::string(method) + ' ' + std::string(target) + " HTTP/1.1\r\nHost: tidegate\r\nConnection: close\r\n";
  if (method == "POST") request += "Content-Length: 0\r\n";
  const auto bytes = sys::exchange_over_unix(socket, request + "\r\n", timeout_ms);
  if (!bytes) return std::unexpected(bytes.error());
  auto answer = parse_answer(*bytes);
  if (answer) return *answer;
  why = answer.error();
  return std::unexpected(base::Error{.code = base::Code::kReset, .domain = base::Domain::kServer});
}

Failure unreached(const std::string& socket, base::Error error, std::int64_t timeout_ms, const std::string& why) {
  constexpr int kUnreached = server::kNoServer;
  const std::string nobody = "no running server at " + socket + ": ";
  switch (error.code) {
    case base::Code::kNotFound:
      return {kUnreached, nobody + "there is no such socket",
              "start one with 'tidegate run'; a server of another user needs sudo or --socket PATH"};
    case base::Code::kRefused:
      return {kUnreached, nobody + "nobody listens there any more", "start one with 'tidegate run'"};
    case base::Code::kDenied:
      return {server::kState, "the control socket " + socket + " may not be opened: permission denied",
              "use sudo, or the user that the server runs as"};
    case base::Code::kTimedOut:
      return {kUnreached,
              "the server at " + socket + " did not answer within " + std::to_string(timeout_ms / 1000) + " s"};
    case base::Code::kInvalid:
      return {server::kUsage, socket + " cannot be the path of a unix socket: it is too long or has an odd character"};
    default: break;
  }
  return {kUnreached, "the server at " + socket +
                          " gave no answer: " + (why.empty() ? std::string(base::name_of(error.code)) : why)};
}

// The other control sockets in the directory that answer, in the order of their names.
std::vector<Reached> others_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("admin-") && name.ends_with(".sock")) names.push_back(entry->path().string());
  }
  std::ranges::sort(names);
  std::vector<Reached> reached;
  for (std::string& socket : names) {
    std::string why;
    if (auto answer = exchange(socket, "GET", kStatus, kProbeTimeout_ms, why))
      reached.push_back({std::move(socket), std::move(*answer)});
  }
  return reached;
}

Failure several(const std::vector<Reached>& reached) {
  std::string text = "several servers run; choose one with --socket:\n";
  for (const Reached& one : reached) text += "  --socket " + one.socket + "   " + one_line(one.answer.body) + '\n';
  return {server::kUsage, std::move(text)};
}

}  // namespace

std::expected<ControlClient, Failure> ControlClient::find(const Arguments& arguments) {
  if (const std::string* chosen = arguments.value("socket")) return ControlClient(*chosen);
  const std::string directory = sys::runtime_directory();
  const std::string usual = directory + "/admin.sock";
  std::string why;
  const auto found = exchange(usual, "GET", kStatus, kAnswerTimeout_ms, why);
  if (found) return ControlClient(usual);
  const base::Code code = found.error().code;
  if (code == base::Code::kNotFound || code == base::Code::kRefused) {
    const std::vector<Reached> others = others_in(directory);
    if (others.size() == 1) return ControlClient(others.front().socket);
    if (others.size() > 1) return std::unexpected(several(others));
  }
  return std::unexpected(unreached(usual, found.error(), kAnswerTimeout_ms, why));
}

std::expected<HttpAnswer, Failure> ControlClient::ask(std::string_view method, std::string_view target,
                                                      std::int64_t timeout_ms) const {
  std::string why;
  auto answer = exchange(socket_, method, target, timeout_ms, why);
  if (!answer) return std::unexpected(unreached(socket_, answer.error(), timeout_ms, why));
  return *answer;
}

Failure strange_answer(const ControlClient& client, const HttpAnswer& answer) {
  return {server::kFailed,
          "the server at " + client.socket() + " answered with status " + std::to_string(answer.status),
          "is it another version of tidegate?"};
}

}  // namespace tidegate::cli
