#include "cli/cli.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/output.h"
#include "config/nearest.h"
#include "server/server.h"

namespace tidegate::cli {

namespace {

using Words = std::vector<std::string>;

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

// "--json" counts before the words are told apart: a mistake in them is reported in JSON as well.
bool asks_for_json(const Words& words) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, "--json") != end;
}

int unknown_command(Output& output, const std::string& name) {
  std::vector<std::string_view> known;
  for (const Command& command : commands()) known.push_back(command.name);
  const std::string_view near = config::nearest(name, known);
  const int code = output.fail({server::kUsage, "there is no command '" + name + "'",
                                near.empty() ? "" : "did you mean '" + std::string(near) + "'?"});
  output.complain("usage: tidegate COMMAND [options]\n'tidegate help' lists the commands.\n");
  return code;
}

int run_command(const Command& command, const Words& words, Output& output, io::PollerFactory make_poller) {
  const auto arguments = parse_arguments(command, words);
  Outcome outcome = server::kOk;
  if (!arguments) {
    outcome = std::unexpected(arguments.error());
  } else if (arguments->has("help")) {
    output.write(help_text(command, output.colour_out()));
  } else {
    outcome = command.run({command, *arguments, output, make_poller});
  }
  if (outcome) return *outcome;
  const int code = output.fail(outcome.error());
  if (code == server::kUsage) {
    output.complain("usage: " + usage_line(command) + "\n'tidegate " + std::string(command.name) +
                    " --help' says more.\n");
  }
  return code;
}

// `config` alone, or with a word that it does not know.
int run_family(const std::string& word, const Words& rest, Output& output) {
  if (!rest.empty() && asks_for_help(rest.front())) {
    output.write(family_text(word, output.colour_out()));
    return server::kOk;
  }
  if (!rest.empty() && !rest.front().starts_with('-')) return unknown_command(output, word + ' ' + rest.front());
  const int code = output.fail({server::kUsage, "'" + word + "' needs a command"});
  output.complain(family_text(word, output.colour_errors()));
  return code;
}

}  // namespace

int run(int argc, char** argv, io::PollerFactory make_poller) {
  Words words(argv + std::min(argc, 1), argv + argc);
  Output output = Output::for_process(asks_for_json(words));
  if (words.empty()) {
    output.complain(help_text(output.colour_errors()));
    return server::kUsage;
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (asks_for_help(first)) {
    output.write(help_text(output.colour_out()));
    return server::kOk;
  }
  if (first == "--version") return run_command(*find_command("version"), words, output, make_poller);
  if (is_family(first)) {
    const Command* command = words.empty() ? nullptr : find_command(first + ' ' + words.front());
    if (command == nullptr) return run_family(first, words, output);
    words.erase(words.begin());
    return run_command(*command, words, output, make_poller);
  }
  const Command* command = find_command(first);
  return command == nullptr ? unknown_command(output, first) : run_command(*command, words, output, make_poller);
}

}  // namespace tidegate::cli
