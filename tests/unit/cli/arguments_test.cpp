// The words behind a command.
#include "cli/arguments.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "server/server.h"

namespace tidegate {
namespace {

using cli::Arguments;
using cli::Failure;

std::expected<Arguments, Failure> parse(std::string_view command, const std::vector<std::string>& words) {
  const cli::Command* found = cli::find_command(command);
  REQUIRE(found != nullptr);
  return cli::parse_arguments(*found, words);
}

// The arguments, which must be right.
Arguments good(std::string_view command, const std::vector<std::string>& words) {
  auto arguments = parse(command, words);
  if (!arguments) FAIL(arguments.error().message);
  return *arguments;
}

Failure bad(std::string_view command, const std::vector<std::string>& words) {
  const auto arguments = parse(command, words);
  REQUIRE_FALSE(arguments.has_value());
  CHECK(arguments.error().code == server::kUsage);
  return arguments.error();
}

TEST_CASE("options have their values, and the rest stays in its order") {
  const Arguments arguments = good("serve", {"--listen", "http://:80", "--spa", "dir"});
  CHECK(arguments.has("spa"));
  CHECK_FALSE(arguments.has("log"));
  REQUIRE(arguments.value("listen") != nullptr);
  CHECK(*arguments.value("listen") == "http://:80");
  CHECK(arguments.value("spa") != nullptr);
  CHECK(arguments.value("log") == nullptr);
  CHECK(arguments.rest() == std::vector<std::string>{"dir"});
  CHECK(good("fmt", {"b", "--check", "a", "c"}).rest() == std::vector<std::string>{"b", "a", "c"});
}

TEST_CASE("a value comes as the next word, behind a sign of equality, or behind a letter") {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--listen", "http://:80"}, {"--listen=http://:80"}, {"-l", "http://:80"}}) {
    CAPTURE(words.front());
    const Arguments arguments = good("serve", words);
    REQUIRE(arguments.value("listen") != nullptr);
    CHECK(*arguments.value("listen") == "http://:80");
    CHECK(arguments.rest().empty());
  }
}

TEST_CASE("nothing is split or changed in a value") {
  CHECK(good("fmt", {"a,b.toml", "c d.toml"}).rest() == std::vector<std::string>{"a,b.toml", "c d.toml"});
  CHECK(*good("run", {"--config", "x,y = z.toml"}).value("config") == "x,y = z.toml");
  CHECK(*good("run", {"--config=a=b"}).value("config") == "a=b");
  CHECK(*good("run", {"--config", "-"}).value("config") == "-");
  CHECK(good("respond", {"line one\nline two"}).rest() == std::vector<std::string>{"line one\nline two"});
  CHECK(good("respond", {""}).rest() == std::vector<std::string>{""});
}

TEST_CASE("an option may be given several times where that has a meaning") {
  CHECK(good("serve", {"-l", "http://:1", "--listen", "http://:2"}).values("listen") ==
        std::vector<std::string>{"http://:1", "http://:2"});
  CHECK(good("serve", {}).values("listen").empty());
  CHECK(bad("run", {"--config", "a", "--config", "b"}).message == "--config is given 2 times");
}

TEST_CASE("a flag that is said to be false is not given") {
  CHECK(good("serve", {"--spa=true"}).has("spa"));
  CHECK_FALSE(good("serve", {"--spa=false"}).has("spa"));
  bad("serve", {"--spa=perhaps"});
}

TEST_CASE("what follows two dashes is never an option") {
  CHECK(good("respond", {"--", "--status"}).rest() == std::vector<std::string>{"--status"});
  CHECK(good("fmt", {"a", "--", "-b", "--"}).rest() == std::vector<std::string>{"a", "-b", "--"});
  CHECK(good("fmt", {"-", "x"}).rest() == std::vector<std::string>{"-", "x"});
}

TEST_CASE("an unknown option is told with the nearest that there is") {
  CHECK(bad("serve", {"--lisen", "http://:80"}).hint == "did you mean --listen?");
  CHECK(bad("serve", {"--lisen=http://:80"}).message == "'serve' has no option --lisen");
  CHECK(bad("serve", {"--zzzzzzzz"}).hint.empty());
  CHECK(bad("serve", {"-z"}).message == "'serve' has no option -z");
  CHECK(bad("version", {"--jsn"}).hint == "did you mean --json?");
  // What is only known in order to be refused is not recommended.
  CHECK(bad("serve", {"--htps"}).hint.find("--https") == std::string::npos);
}

TEST_CASE("an option that needs a value does not come without one") {
  CHECK(bad("run", {"--config"}).message.find("config") != std::string::npos);
  bad("serve", {"-l"});
}

TEST_CASE("arguments are neither too many nor too few") {
  CHECK(bad("serve", {"a", "b"}).message == "'serve' takes no further argument: b");
  CHECK(bad("status", {"a"}).message == "'status' takes no argument: a");
  CHECK(bad("respond", {}).message == "'respond' needs TEXT");
  CHECK(bad("completion", {}).message == "'completion' needs SHELL");
}

TEST_CASE("help is an option of every command, whatever else is missing") {
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    CHECK(good(command.name, {"--help"}).has("help"));
    CHECK(good(command.name, {"-h"}).has("help"));
  }
}

}  // namespace
}  // namespace tidegate
