// status, reload, stop: a running server, asked and told over its control socket.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/clock.h"
#include "cli/arguments.h"
#include "cli/control_client.h"
#include "cli/output.h"
#include "cli/status_document.h"
#include "cli/verbs/verbs.h"
#include "config/json_writer.h"
#include "config/units.h"
#include "server/server.h"
#include "sys/exit_watch.h"

namespace tidegate::cli {

namespace {

constexpr std::int64_t kReloadTimeout_ms = 120'000;  // thousands of sites on a slow disk
constexpr std::int64_t kWaitStep_ms = 500;
constexpr std::int64_t kPatience_ms = 2'000;   // after that a person is told what is waited for
constexpr std::int64_t kGoneGrace_ms = 5'000;  // a server whose socket is gone ends within that time

// The answer of /v1/reload.
struct ReloadAnswer {
  bool ok = false;
  int exit_code = server::kFailed;
  std::uint64_t generation = 0;
  std::string errors;
  std::string warnings;
};

std::optional<ReloadAnswer> parse_reload(const std::string& body) {
  try {
    const nlohmann::json json = nlohmann::json::parse(body, nullptr, false);
    if (!json.is_object() || !json.contains("ok")) return std::nullopt;
    ReloadAnswer answer{json.value("ok", false), json.value("exit_code", static_cast<int>(server::kFailed)),
                        json.value("generation", std::uint64_t{0}), json.value("errors", std::string()),
                        json.value("warnings", std::string())};
    if (!answer.ok && (answer.exit_code <= 0 || answer.exit_code > server::kDifferences))
      answer.exit_code = server::kFailed;
    return answer;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // a member of another type
  }
}

std::expected<StatusDocument, Failure> status_of(const ControlClient& client) {
  const auto answer = client.ask("GET", "/v1/status", kAnswerTimeout_ms);
  if (!answer) return std::unexpected(answer.error());
  auto status = answer->status == 200 ? parse_status(answer->body) : std::nullopt;
  if (!status) return std::unexpected(strange_answer(client, *answer));
  return *status;
}

// The milliseconds of --timeout; none: as long as it takes.
std::expected<std::optional<std::int64_t>, Failure> timeout_of(const Arguments& arguments) {
  const std::string* text = arguments.value("timeout");
  if (text == nullptr) return std::nullopt;
  const auto duration = config::parse_duration(*text);
  if (!duration) return std::unexpected(Failure{server::kUsage, "--timeout " + *text + ": " + duration.error()});
  return duration->ms;
}

// Waits until the process is gone.
class Departure {
 public:
  Departure(const ControlClient& client, std::int64_t pid, std::optional<std::int64_t> most_ms, const Output& output)
      : client_(client), pid_(pid), most_ms_(most_ms), output_(output), start_ms_(base::monotonic_ms()) {}

  std::expected<std::int64_t, Failure> wait() {
    for (;;) {
      const std::int64_t passed_ms = base::monotonic_ms() - start_ms_;
      const std::int64_t left_ms = most_ms_ ? *most_ms_ - passed_ms : kWaitStep_ms;
      const base::Error error = sys::wait_for_exit(pid_, std::clamp<std::int64_t>(left_ms, 0, kWaitStep_ms));
      if (!error) return base::monotonic_ms() - start_ms_;
      if (error.code != base::Code::kTimedOut) {
        return std::unexpected(
            Failure{server::kFailed, "the end of process " + std::to_string(pid_) +
                                         " cannot be seen: " + std::string(base::name_of(error.code))});
      }
      if (most_ms_ && left_ms <= kWaitStep_ms) {
        return std::unexpected(Failure{server::kFailed,
                                       "the server (pid " + std::to_string(pid_) + ") is still there after " +
                                           config::text_of(config::Duration{*most_ms_}),
                                       "'tidegate stop --now' ends its connections"});
      }
      if (auto failure = look()) return std::unexpected(*failure);
    }
  }

 private:
  // After each step. A server that no longer answers and yet does not end is reported.
  std::optional<Failure> look() {
    const std::int64_t now_ms = base::monotonic_ms();
    if (!told_ && now_ms - start_ms_ >= kPatience_ms && !output_.json()) {
      told_ = true;
      output_.complain("waiting for connections to end (pid " + std::to_string(pid_) +
                       "); 'tidegate stop --now' ends them\n");
    }
    if (client_.ask("GET", "/v1/status", kAnswerTimeout_ms)) {
      silent_since_ms_ = 0;
      return std::nullopt;
    }
    if (silent_since_ms_ == 0) silent_since_ms_ = now_ms;
    if (now_ms - silent_since_ms_ < kGoneGrace_ms) return std::nullopt;
    return Failure{server::kFailed,
                   "the server answers no more, but process " + std::to_string(pid_) + " is still there"};
  }

  const ControlClient& client_;
  std::int64_t pid_;
  std::optional<std::int64_t> most_ms_;
  const Output& output_;
  std::int64_t start_ms_;
  std::int64_t silent_since_ms_ = 0;
  bool told_ = false;
};

std::string seconds_with_tenths(std::int64_t ms) {
  return std::to_string(ms / 1000) + '.' + std::to_string(ms % 1000 / 100);
}

}  // namespace

Outcome show_status(const Invocation& invocation) {
  const auto client = ControlClient::find(invocation.arguments);
  if (!client) return std::unexpected(client.error());
  const auto answer = client->ask("GET", "/v1/status", kAnswerTimeout_ms);
  if (!answer) return std::unexpected(answer.error());
  const auto status = answer->status == 200 ? parse_status(answer->body) : std::nullopt;
  if (!status) return std::unexpected(strange_answer(*client, *answer));
  Output& output = invocation.output;
  return output.write(output.json() ? answer->body : status_text(*status, output.colour_out())) ? server::kOk
                                                                                                : server::kFailed;
}

Outcome reload(const Invocation& invocation) {
  const auto client = ControlClient::find(invocation.arguments);
  if (!client) return std::unexpected(client.error());
  const auto answer = client->ask("POST", "/v1/reload", kReloadTimeout_ms);
  if (!answer) return std::unexpected(answer.error());
  const auto outcome = parse_reload(answer->body);
  if (!outcome) return std::unexpected(strange_answer(*client, *answer));
  Output& output = invocation.output;
  if (output.json()) {
    output.write(answer->body);
    return outcome->ok ? server::kOk : outcome->exit_code;
  }
  if (!outcome->ok) {
    return std::unexpected(Failure{
        outcome->exit_code,
        "reload refused, generation " + std::to_string(outcome->generation) + " stays in force\n" + outcome->errors});
  }
  output.complain(outcome->warnings);
  output.write("generation " + std::to_string(outcome->generation) + " is in force\n");
  return server::kOk;
}

Outcome stop(const Invocation& invocation) {
  const auto timeout_ms = timeout_of(invocation.arguments);
  if (!timeout_ms) return std::unexpected(timeout_ms.error());
  const auto client = ControlClient::find(invocation.arguments);
  if (!client) return std::unexpected(client.error());
  const auto status = status_of(*client);
  if (!status) return std::unexpected(status.error());
  const auto answer =
      client->ask("POST", invocation.arguments.has("now") ? "/v1/stop?now=1" : "/v1/stop", kAnswerTimeout_ms);
  if (answer && answer->status != 202) return std::unexpected(strange_answer(*client, *answer));
  // No answer: it may have ended before it could give one. The wait shows which.
  const auto waited_ms = Departure(*client, status->pid, *timeout_ms, invocation.output).wait();
  if (!waited_ms) return std::unexpected(waited_ms.error());
  Output& output = invocation.output;
  if (!output.json()) {
    output.write("stopped (pid " + std::to_string(status->pid) + ", after " + seconds_with_tenths(*waited_ms) +
                 " s)\n");
    return server::kOk;
  }
  config::JsonWriter json;
  json.begin_object();
  json.key("ok");
  json.boolean(true);
  json.key("pid");
  json.integer(status->pid);
  json.key("waited_ms");
  json.integer(*waited_ms);
  json.end_object();
  output.write(json.take() + '\n');
  return server::kOk;
}

}  // namespace tidegate::cli
