// Completion scripts for shells, made from the command table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tidegate::cli {

// The script for "bash", "zsh" or "fish"; nothing for another shell.
[[nodiscard]] std::optional<std::string> completion_script(std::string_view shell);

// One each.
[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();
[[nodiscard]] std::string fish_completion();

// What they share.
// `text` as one word of a shell, in single quotes.
[[nodiscard]] std::string shell_quoted(std::string_view text);
// The first sentence of an option's help, without its full stop.
[[nodiscard]] std::string short_help(std::string_view help);
// The first words of the commands, each once: "serve", "config", ...
[[nodiscard]] std::string first_words(std::string_view separator);
// The second words of a family: "show", "schema", ...
[[nodiscard]] std::string second_words(std::string_view family, std::string_view separator);

}  // namespace tidegate::cli
