#include "cli/output.h"

#include <cstdio>
#include <cstdlib>

#include "config/json_writer.h"
#include "sys/process.h"
#include "sys/terminal.h"

namespace tidegate::cli {

namespace {

bool environment_allows_colour() {
  const char* none = std::getenv("NO_COLOR");
  if (none != nullptr && none[0] != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string_view sequence_of(Paint paint) {
  switch (paint) {
    case Paint::kNone: return {};
    case Paint::kBold: return "\x1b[1m";
    case Paint::kDim: return "\x1b[2m";
    case Paint::kRed: return "\x1b[1;31m";
    case Paint::kYellow: return "\x1b[1;33m";
    case Paint::kGreen: return "\x1b[32m";
    case Paint::kBlue: return "\x1b[34m";
  }
  return {};
}

}  // namespace

std::string painted(std::string_view text, Paint paint, bool colour) {
  if (!colour || paint == Paint::kNone || text.empty()) return std::string(text);
  return std::string(sequence_of(paint)) + std::string(text) + "\x1b[0m";
}

Output Output::for_process(bool json) {
  const bool allowed = environment_allows_colour();
  return {json, allowed && sys::is_terminal(sys::Stream::kOutput), allowed && sys::is_terminal(sys::Stream::kErrors)};
}

bool Output::write(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

void Output::complain(std::string_view text) const { sys::write_all_to_stderr(text); }

int Output::fail(const Failure& failure) {
  if (json_) {
    config::JsonWriter json;
    json.begin_object();
    json.key("ok");
    json.boolean(false);
    json.key("exit_code");
    json.integer(failure.code);
    json.member("error", failure.message);
    json.member("hint", failure.hint);
    json.end_object();
    write(json.take() + '\n');
    return failure.code;
  }
  std::string text = painted("tidegate:", Paint::kRed, colour_errors_) + ' ' + failure.message;
  if (!text.ends_with('\n')) text += '\n';
  if (!failure.hint.empty()) text += "  " + failure.hint + '\n';
  complain(text);
  return failure.code;
}

}  // namespace tidegate::cli
