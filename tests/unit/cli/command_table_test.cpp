// What must hold for every command: the table is the one place where a command is made.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/help.h"

namespace tidegate {
namespace {

// The words of an example that a shell would hand over: quotes taken off, up to the first sign of the shell itself.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool started = false;
  for (const char c : std::string(line) + ' ') {
    if (c == '\'') {
      quoted = !quoted;
      started = true;
    } else if (c == ' ' && !quoted) {
      if (word == "|" || word == ">" || word == "&&") return words;
      if (started) words.push_back(word);
      word.clear();
      started = false;
    } else {
      word += c;
      started = true;
    }
  }
  return words;
}

TEST_CASE("every command says what it is and can be run") {
  std::set<std::string_view> names;
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    CHECK(names.insert(command.name).second);
    CHECK_FALSE(command.summary.empty());
    CHECK_FALSE(command.summary.ends_with('.'));
    CHECK((command.run != nullptr));
    CHECK(cli::find_command(command.name) == &command);
    CHECK(command.positional.name.empty() == (command.positional.max == 0));
    CHECK(command.positional.min <= command.positional.max);
  }
  CHECK(cli::find_command("config") == nullptr);
  CHECK(cli::is_family("config"));
  CHECK_FALSE(cli::is_family("serve"));
  CHECK_FALSE(cli::is_family("con"));
}

TEST_CASE("the options of a command are told apart and explained") {
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    std::set<std::string_view> names{"help"};
    std::set<char> letters{'h'};
    for (const cli::Option& option : command.options) {
      CAPTURE(option.name);
      CHECK(option.name.size() > 1);
      CHECK(names.insert(option.name).second);
      if (option.letter != '\0') CHECK(letters.insert(option.letter).second);
      CHECK(option.help.ends_with('.'));
      CHECK((option.completes == cli::Completes::kWords) == !option.words.empty());
      if (option.value.empty()) CHECK(option.completes == cli::Completes::kNothing);
    }
  }
}

TEST_CASE("every example is a command line that works") {
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    CHECK_FALSE(command.examples.empty());
    for (const cli::Example& example : command.examples) {
      CAPTURE(example.line);
      std::string_view line = example.line;
      if (line.starts_with("source <(")) line = line.substr(9, line.size() - 10);
      std::vector<std::string> words = words_of(line);
      REQUIRE(words.size() > 1);
      CHECK(words[0] == "tidegate");
      std::string name = words[1];
      std::size_t used = 2;
      if (cli::is_family(name)) {
        REQUIRE(words.size() > 2);
        name += ' ' + words[used++];
      }
      CHECK(name == command.name);
      const auto arguments =
          cli::parse_arguments(command, {words.begin() + static_cast<std::ptrdiff_t>(used), words.end()});
      if (!arguments) FAIL_CHECK(arguments.error().message);
    }
  }
}

TEST_CASE("the help of a command has all that the table says") {
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    const std::string text = cli::help_text(command, false);
    CHECK(text.find("usage: tidegate " + std::string(command.name)) != std::string::npos);
    CHECK(text.find("--help") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(cli::help_text(command, true).find('\x1b') != std::string::npos);
    for (const cli::Option& option : command.options) {
      CHECK((text.find("--" + std::string(option.name)) != std::string::npos) == !option.hidden);
    }
    for (const cli::Example& example : command.examples) CHECK(text.find(example.line) != std::string::npos);
    CHECK(cli::help_text(false).find("  " + std::string(command.name) + ' ') != std::string::npos);
  }
}

TEST_CASE("help fits a terminal of 80 columns") {
  std::vector<std::string> texts{cli::help_text(false), cli::family_text("config", false)};
  for (const cli::Command& command : cli::commands()) texts.push_back(cli::help_text(command, false));
  for (const std::string& text : texts) {
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = text.find('\n', start);
      CAPTURE(text.substr(start, end - start));
      CHECK(end - start <= 80);
      start = end + 1;
    }
  }
}

TEST_CASE("text is wrapped between words only") {
  CHECK(cli::wrapped("one two three", 2, 8) == "one two\n  three");
  CHECK(cli::wrapped("one two three", 0, 80) == "one two three");
  CHECK(cli::wrapped("averylongword and", 1, 5) == "averylongword\n and");
  CHECK(cli::wrapped("one\ntwo", 2, 80) == "one\n  two");
  CHECK(cli::wrapped("", 2, 80).empty());
  CHECK(cli::wrapped("12345", 2, 5) == "12345");
  CHECK(cli::wrapped("1234 5", 2, 6) == "1234 5");
  CHECK(cli::wrapped("1234 5", 2, 5) == "1234\n  5");
}

}  // namespace
}  // namespace tidegate
