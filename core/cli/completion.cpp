#include "cli/completion.h"

#include <algorithm>
#include <vector>

#include "cli/command.h"

namespace tidegate::cli {

namespace {

std::string joined(const std::vector<std::string_view>& words, std::string_view separator) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : std::string(separator)) + std::string(word);
  return out;
}

}  // namespace

std::optional<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  return std::nullopt;
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string short_help(std::string_view help) {
  std::string_view first = help.substr(0, std::min(help.find(". "), help.size()));
  if (first.ends_with('.')) first.remove_suffix(1);
  return std::string(first);
}

std::string first_words(std::string_view separator) {
  std::vector<std::string_view> words;
  for (const Command& command : commands()) {
    const std::string_view word = command.name.substr(0, command.name.find(' '));
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return joined(words, separator);
}

std::string second_words(std::string_view family, std::string_view separator) {
  std::vector<std::string_view> words;
  for (const Command& command : commands()) {
    const std::size_t blank = command.name.find(' ');
    if (blank != std::string_view::npos && command.name.substr(0, blank) == family)
      words.push_back(command.name.substr(blank + 1));
  }
  return joined(words, separator);
}

}  // namespace tidegate::cli
