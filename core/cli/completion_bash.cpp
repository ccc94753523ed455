// For bash 3.2 and newer: no mapfile, no associative arrays.
#include "cli/command.h"
#include "cli/completion.h"

namespace tidegate::cli {

namespace {

constexpr std::string_view kStart = R"sh(# Completion of tidegate for bash, printed by: tidegate completion bash

_tidegate_files() {
  local IFS=$'\n'
  COMPREPLY=($(compgen "$1" -- "$2"))
  compopt -o filenames 2>/dev/null
}

_tidegate() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options=
  # "=" is a word of its own in bash.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
)sh";

// The action for a value or an argument.
std::string action(Completes completes, std::span<const std::string_view> words) {
  switch (completes) {
    case Completes::kNothing: return ":";
    case Completes::kFile: return "_tidegate_files -f \"$cur\"";
    case Completes::kDirectory: return "_tidegate_files -d \"$cur\"";
    case Completes::kWords: break;
  }
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : " ") + std::string(word);
  return "COMPREPLY=($(compgen -W " + shell_quoted(list) + " -- \"$cur\"))";
}

std::string words_reply(const std::string& words) {
  return "COMPREPLY=($(compgen -W " + shell_quoted(words) + " -- \"$cur\"))";
}

// case $command in ... of the words that have commands below them.
std::string families() {
  std::string out;
  std::string_view last;
  for (const Command& command : commands()) {
    const std::string_view family = command.name.substr(0, command.name.find(' '));
    if (family.size() == command.name.size() || family == last) continue;
    last = family;
    out += "  if [[ $command == " + std::string(family) + " ]]; then\n    if ((COMP_CWORD == 2)); then\n      " +
           words_reply(second_words(family, " ")) +
           "\n      return\n    fi\n    command+=\" ${COMP_WORDS[2]}\"\n  fi\n";
  }
  return out;
}

std::string command_case(const Command& command) {
  std::string values;
  std::string options = "--help";
  for (const Option& option : command.options) {
    if (option.hidden) continue;
    options += " --" + std::string(option.name);
    if (option.value.empty()) continue;
    const std::string letter = option.letter == '\0' ? "" : "-" + std::string(1, option.letter) + "|";
    values += "        " + letter + "--" + std::string(option.name) + ") " + action(option.completes, option.words) +
              "; return ;;\n";
  }
  std::string out = "    " + shell_quoted(command.name) + ")\n      options=" + shell_quoted(options) + '\n';
  if (!values.empty()) out += "      case $prev in\n" + values + "      esac\n";
  const std::string rest = command.name == "help" ? words_reply(first_words(" "))
                                                  : action(command.positional.completes, command.positional.words);
  return out + "      [[ $cur == -* ]] || " + rest + "\n      ;;\n";
}

}  // namespace

std::string bash_completion() {
  std::string out(kStart);
  out += "  if ((COMP_CWORD == 1)); then\n    " + words_reply(first_words(" ")) + "\n    return\n  fi\n";
  out += families() + "  case $command in\n";
  for (const Command& command : commands()) out += command_case(command);
  out += "  esac\n  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n  fi\n}\n\n";
  return out + "complete -F _tidegate tidegate\n";
}

}  // namespace tidegate::cli
