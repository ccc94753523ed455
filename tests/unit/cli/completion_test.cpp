// The completion scripts know every command and option. That shells understand them is tested from outside.
#include "cli/completion.h"

#include <doctest/doctest.h>

#include "cli/command.h"

namespace tidegate {
namespace {

TEST_CASE("every script has every command and every option that the help shows") {
  for (const std::string_view shell : {"bash", "zsh", "fish"}) {
    const auto script = cli::completion_script(shell);
    REQUIRE(script.has_value());
    for (const cli::Command& command : cli::commands()) {
      CAPTURE(command.name);
      CHECK(script->find(command.name.substr(command.name.find(' ') + 1)) != std::string::npos);
      for (const cli::Option& option : command.options) {
        CAPTURE(option.name);
        const std::string word = (shell == "fish" ? " -l " : "--") + std::string(option.name);
        if (!option.hidden) CHECK(script->find(word) != std::string::npos);
      }
    }
    CHECK(script->find("https' ") == std::string::npos);
  }
  CHECK_FALSE(cli::completion_script("powershell").has_value());
  CHECK_FALSE(cli::completion_script("").has_value());
}

TEST_CASE("words are quoted so that a shell takes them as they are") {
  CHECK(cli::shell_quoted("") == "''");
  CHECK(cli::shell_quoted("a b") == "'a b'");
  CHECK(cli::shell_quoted("it's $HOME") == "'it'\\''s $HOME'");
}

TEST_CASE("the help of an option in a list is its first sentence") {
  CHECK(cli::short_help("Where to listen. More.") == "Where to listen");
  CHECK(cli::short_help("Only this.") == "Only this");
  CHECK(cli::short_help("a.b and c") == "a.b and c");
  CHECK(cli::short_help("").empty());
}

TEST_CASE("first and second words") {
  const std::string first = " " + cli::first_words(" ") + " ";
  CHECK(first.find(" config ") == first.rfind(" config "));
  CHECK(first.find(" serve ") != std::string::npos);
  CHECK(first.find(" show ") == std::string::npos);
  CHECK(cli::second_words("config", "|") == "show|schema|reference");
  CHECK(cli::second_words("serve", "|").empty());
}

}  // namespace
}  // namespace tidegate
