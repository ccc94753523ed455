// What a command is: its words, options and examples, and the function behind it. One table (command_table.cpp) holds
// them all; the parser, the help, the completions and the guide's test are made from it.
//
// Constants; any thread may read them. The command line itself runs on the main thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "io/poller_factory.h"

namespace tidegate::cli {

class Arguments;
class Output;
struct Command;

// How the shell completes a value.
enum class Completes : std::uint8_t { kNothing, kFile, kDirectory, kWords };

struct Option {
  std::string_view name;     // without the dashes
  char letter = '\0';        // the short form; none: '\0'
  std::string_view value{};  // what the help calls its value; empty: a flag
  std::string_view help;
  Completes completes = Completes::kNothing;
  std::span<const std::string_view> words{};  // kWords
  bool repeatable = false;
  bool hidden = false;  // known, in order to say why it cannot be used
};

// The arguments that are no options. All have the same meaning.
struct Positional {
  std::string_view name{};  // empty: the command takes none
  std::size_t min = 0;
  std::size_t max = 0;
  Completes completes = Completes::kNothing;
  std::span<const std::string_view> words{};  // kWords
};

struct Example {
  std::string_view line;
  std::string_view says;
};

// Why a command did not do what it was asked for.
struct Failure {
  int code = 0;         // exit code
  std::string message;  // one sentence without a full stop at its end, or diagnostics
  std::string hint{};   // what to do; may be empty
};
// The exit code, or why there is none yet: the caller shows the failure.
using Outcome = std::expected<int, Failure>;

struct Invocation {
  const Command& command;
  const Arguments& arguments;
  Output& output;
  io::PollerFactory make_poller;
};

enum class Group : std::uint8_t { kServing, kConfiguration, kRunning, kOther };

struct Command {
  std::string_view name;  // one word, or two: "config show"
  Group group = Group::kOther;
  std::string_view summary;      // one line
  std::string_view description;  // sentences; wrapped by the help
  Positional positional{};
  std::span<const Option> options;
  std::span<const Example> examples;
  Outcome (*run)(const Invocation&) = nullptr;
};

[[nodiscard]] std::span<const Command> commands();
// The heading of the group in the help.
[[nodiscard]] std::string_view title_of(Group group);
// The command of that name, or null.
[[nodiscard]] const Command* find_command(std::string_view name);
// Whether commands of two words begin with this one ("config").
[[nodiscard]] bool is_family(std::string_view word);

}  // namespace tidegate::cli
