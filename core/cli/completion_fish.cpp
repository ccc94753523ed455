// For fish 3.
#include "cli/command.h"
#include "cli/completion.h"

namespace tidegate::cli {

namespace {

constexpr std::string_view kDirectories = "(__fish_complete_directories (commandline -ct))";

// -x: a value is needed and is no file; -r: a value is needed.
std::string action(Completes completes, std::span<const std::string_view> words) {
  switch (completes) {
    case Completes::kNothing: return " -x";
    case Completes::kFile: return " -r -F";
    case Completes::kDirectory: return " -x -a " + shell_quoted(kDirectories);
    case Completes::kWords: break;
  }
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : " ") + std::string(word);
  return " -x -a " + shell_quoted(list);
}

// The test of fish that the words so far are those of the command.
std::string condition(const Command& command) {
  const std::size_t blank = command.name.find(' ');
  std::string test = "__fish_seen_subcommand_from " + std::string(command.name.substr(0, blank));
  if (blank != std::string_view::npos)
    test += "; and __fish_seen_subcommand_from " + std::string(command.name.substr(blank + 1));
  return shell_quoted(test);
}

std::string line(const std::string& when, const std::string& what, std::string_view help) {
  return "complete -c tidegate -n " + when + what + (help.empty() ? "" : " -d " + shell_quoted(help)) + '\n';
}

std::string command_lines(const Command& command) {
  const std::string when = condition(command);
  std::string out = line(when, " -s h -l help", "This text");
  for (const Option& option : command.options) {
    if (option.hidden) continue;
    std::string what = option.letter == '\0' ? "" : " -s " + std::string(1, option.letter);
    what += " -l " + std::string(option.name);
    if (!option.value.empty()) what += action(option.completes, option.words);
    out += line(when, what, short_help(option.help));
  }
  const Positional& positional = command.positional;
  if (command.name == "help") {
    out += line(when, " -a " + shell_quoted(first_words(" ")), {});
  } else if (positional.completes == Completes::kFile) {
    out += line(when, " -F", {});
  } else if (positional.completes != Completes::kNothing) {
    out += line(when, action(positional.completes, positional.words), {});
  }
  return out;
}

}  // namespace

std::string fish_completion() {
  std::string out =
      "# Completion of tidegate for fish, printed by: tidegate completion fish\n\ncomplete -c tidegate -f\n";
  std::string_view last;
  for (const Command& command : commands()) {
    const std::size_t blank = command.name.find(' ');
    const std::string first(command.name.substr(0, blank));
    if (blank == std::string_view::npos) {
      out += line("__fish_use_subcommand", " -a " + first, command.summary);
      continue;
    }
    if (first != last) out += line("__fish_use_subcommand", " -a " + first, second_words(first, ", "));
    last = command.name.substr(0, blank);
    const std::string without =
        "__fish_seen_subcommand_from " + first + "; and not __fish_seen_subcommand_from " + second_words(first, " ");
    out += line(shell_quoted(without), " -a " + std::string(command.name.substr(blank + 1)), command.summary);
  }
  for (const Command& command : commands()) out += command_lines(command);
  return out;
}

}  // namespace tidegate::cli
