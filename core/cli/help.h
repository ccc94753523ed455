// The help texts, made from the command table.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace tidegate::cli {

// "tidegate serve [DIR] [options]".
[[nodiscard]] std::string usage_line(const Command& command);
// What `tidegate help` says: all commands.
[[nodiscard]] std::string help_text(bool colour);
// What `tidegate COMMAND --help` says.
[[nodiscard]] std::string help_text(const Command& command, bool colour);
// What `tidegate config --help` says: the commands that begin with that word.
[[nodiscard]] std::string family_text(std::string_view word, bool colour);

// `text` in lines of at most `width` columns, each after the first `indent` blanks in. Line ends in it stay.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace tidegate::cli
