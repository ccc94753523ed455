// For zsh: a file of fpath, or sourced after compinit.
#include "cli/command.h"
#include "cli/completion.h"

namespace tidegate::cli {

namespace {

// `text` in the brackets or between the colons of a specification of _arguments.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action(Completes completes, std::span<const std::string_view> words) {
  switch (completes) {
    case Completes::kNothing: return " ";
    case Completes::kFile: return "_files";
    case Completes::kDirectory: return "_directories";
    case Completes::kWords: break;
  }
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : " ") + std::string(word);
  return '(' + list + ')';
}

// '(-l --listen)'{-l,--listen}'[Where to listen]:URL: ', with a star for what may be repeated.
std::string option_spec(const Option& option) {
  const std::string name = "--" + std::string(option.name);
  std::string tail = '[' + escaped(short_help(option.help)) + ']';
  if (!option.value.empty()) tail += ':' + escaped(option.value) + ':' + action(option.completes, option.words);
  if (option.letter == '\0') return shell_quoted((option.repeatable ? "*" : "") + name + tail);
  const std::string letter = '-' + std::string(1, option.letter);
  const std::string head = option.repeatable ? "*" : '(' + letter + ' ' + name + ')';
  return shell_quoted(head) + '{' + letter + ',' + name + '}' + shell_quoted(tail);
}

std::string described(std::string_view name, std::string_view summary) {
  return shell_quoted(escaped(name) + ':' + std::string(summary));
}

std::string command_case(const Command& command, const std::string& indent) {
  const std::string_view name = command.name.substr(command.name.find(' ') + 1);
  std::string out =
      indent + std::string(name) + ")\n" + indent + "  _arguments -s '(-h --help)'{-h,--help}'[This text]'";
  const std::string next = " \\\n" + indent + "    ";
  for (const Option& option : command.options) {
    if (!option.hidden) out += next + option_spec(option);
  }
  const Positional& positional = command.positional;
  if (command.name == "help") {
    out += next + shell_quoted("1:command:(" + first_words(" ") + ')');
  } else if (!positional.name.empty()) {
    out += next + shell_quoted(std::string(positional.max > 1 ? "*" : "1") + ':' + std::string(positional.name) + ':' +
                               action(positional.completes, positional.words));
  }
  return out + '\n' + indent + "  ;;\n";
}

// The function that completes behind the words so far: the names in `prefix`, then what belongs to each.
std::string function_of(const std::string& name, std::string_view family) {
  std::string names;
  std::string cases;
  std::string_view last;
  for (const Command& command : commands()) {
    const std::size_t blank = command.name.find(' ');
    const std::string_view first = command.name.substr(0, blank);
    if (!family.empty()) {
      if (first != family || blank == std::string_view::npos) continue;
      names += "    " + described(command.name.substr(blank + 1), command.summary) + '\n';
      cases += command_case(command, "    ");
    } else if (blank == std::string_view::npos) {
      names += "    " + described(command.name, command.summary) + '\n';
      cases += command_case(command, "    ");
    } else if (first != last) {
      last = first;
      names += "    " + described(first, second_words(first, ", ")) + '\n';
      cases += "    " + std::string(first) + ") _tidegate_" + std::string(first) + " ;;\n";
    }
  }
  return name + "() {\n  local -a names\n  names=(\n" + names +
         "  )\n  if ((CURRENT == 2)); then\n    _describe -t commands command names\n    return\n  fi\n" +
         "  shift words\n  ((CURRENT--))\n  case $words[1] in\n" + cases + "  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion() {
  std::string out = "#compdef tidegate\n# Completion of tidegate for zsh, printed by: tidegate completion zsh\n\n";
  std::string_view last;
  for (const Command& command : commands()) {
    const std::string_view first = command.name.substr(0, command.name.find(' '));
    if (first.size() == command.name.size() || first == last) continue;
    last = first;
    out += function_of("_tidegate_" + std::string(first), first);
  }
  out += function_of("_tidegate", {});
  return out +
         "if [[ $funcstack[1] == _tidegate ]]; then\n  _tidegate \"$@\"\nelse\n  compdef _tidegate tidegate\nfi\n";
}

}  // namespace tidegate::cli
