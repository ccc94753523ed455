#include "cli/help.h"

#include <algorithm>
#include <array>

#include "cli/output.h"

namespace tidegate::cli {

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kOptionColumn = 26;

constexpr Option kHelp{.name = "help", .letter = 'h', .help = "This text."};

std::string heading(std::string_view text, bool colour) { return '\n' + painted(text, Paint::kBold, colour) + '\n'; }

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

// "  -l, --listen URL        Where to listen ..."
std::string option_lines(const Option& option) {
  std::string names = option.letter == '\0' ? "      " : "  -" + std::string(1, option.letter) + ", ";
  names += "--" + std::string(option.name);
  if (!option.value.empty()) names += ' ' + std::string(option.value);
  const bool fits = names.size() + 2 <= kOptionColumn;
  std::string out = fits ? padded(names, kOptionColumn) : names + '\n' + std::string(kOptionColumn, ' ');
  return out + wrapped(option.help, kOptionColumn, kWidth - kOptionColumn) + '\n';
}

std::string command_lines(const Command& command, std::size_t column) {
  return "  " + padded(std::string(command.name), column) + wrapped(command.summary, column + 2, kWidth - column - 2) +
         '\n';
}

std::size_t longest_name() {
  std::size_t longest = 0;
  for (const Command& command : commands()) longest = std::max(longest, command.name.size());
  return longest;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n' + std::string(indent, ' ');
      column = 0;
    }
    if (column > 0 && !word.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      out += '\n' + std::string(text.substr(end + 1).starts_with('\n') ? 0 : indent, ' ');
      column = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string usage_line(const Command& command) {
  std::string line = "tidegate " + std::string(command.name);
  const Positional& positional = command.positional;
  if (!positional.name.empty()) {
    const std::string name = std::string(positional.name) + (positional.max > 1 ? "..." : "");
    line += positional.min > 0 ? ' ' + name : " [" + name + ']';
  }
  return command.options.empty() ? line : line + " [options]";
}

std::string help_text(bool colour) {
  const std::size_t column = longest_name() + 2;
  std::string out =
      painted("tidegate", Paint::kBold, colour) + " - a web server\n\nusage: tidegate COMMAND [options]\n";
  for (const Group group : {Group::kServing, Group::kConfiguration, Group::kRunning, Group::kOther}) {
    out += heading(title_of(group), colour);
    for (const Command& command : commands()) {
      if (command.group == group) out += command_lines(command, column);
    }
  }
  out += heading("examples:", colour);
  out += "  tidegate serve ./public\n  tidegate run --config /etc/tidegate/tidegate.toml\n  tidegate status\n";
  return out + "\n'tidegate COMMAND --help' says more about a command.\n";
}

std::string help_text(const Command& command, bool colour) {
  std::string out = painted("tidegate " + std::string(command.name), Paint::kBold, colour) + " - " +
                    std::string(command.summary) + '\n';
  out += "\nusage: " + usage_line(command) + '\n';
  if (!command.description.empty()) out += '\n' + wrapped(command.description, 0, kWidth) + '\n';
  out += heading("options:", colour);
  for (const Option& option : command.options) {
    if (!option.hidden) out += option_lines(option);
  }
  out += option_lines(kHelp);
  out += heading(command.examples.size() == 1 ? "example:" : "examples:", colour);
  for (const Example& example : command.examples) {
    out += "  " + std::string(example.line) + '\n';
    if (!example.says.empty())
      out += "      " + painted(wrapped(example.says, 6, kWidth - 6), Paint::kDim, colour) + '\n';
  }
  return out;
}

std::string family_text(std::string_view word, bool colour) {
  const std::string prefix = std::string(word) + ' ';
  std::string out = "usage: tidegate " + std::string(word) + " COMMAND [options]\n" + heading("commands:", colour);
  for (const Command& command : commands()) {
    if (command.name.starts_with(prefix)) out += command_lines(command, longest_name() + 2);
  }
  return out;
}

}  // namespace tidegate::cli
