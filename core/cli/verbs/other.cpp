// version, completion, help: the program about itself.
#include <array>

#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/verbs/verbs.h"
#include "config/json_writer.h"
#include "server/server.h"

namespace tidegate::cli {

namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

}  // namespace

Outcome version(const Invocation& invocation) {
  Output& output = invocation.output;
  if (!output.json()) return output.write("tidegate " TIDEGATE_VERSION "\n") ? server::kOk : server::kFailed;
  config::JsonWriter json;
  json.begin_object();
  json.member("name", "tidegate");
  json.member("version", TIDEGATE_VERSION);
  json.member("compiler", kCompiler);
  json.end_object();
  return output.write(json.take() + '\n') ? server::kOk : server::kFailed;
}

Outcome completion(const Invocation& invocation) {
  const std::string& shell = invocation.arguments.rest().front();
  const auto script = completion_script(shell);
  if (!script)
    return std::unexpected(
        Failure{server::kUsage, "there is no completion for " + shell, "there is one for bash, zsh and fish"});
  return invocation.output.write(*script) ? server::kOk : server::kFailed;
}

Outcome help(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments.rest();
  Output& output = invocation.output;
  const bool colour = output.colour_out();
  if (words.empty()) return output.write(help_text(colour)) ? server::kOk : server::kFailed;
  std::string name = words.front();
  if (words.size() > 1) name += ' ' + words[1];
  if (const Command* command = find_command(name))
    return output.write(help_text(*command, colour)) ? server::kOk : server::kFailed;
  if (is_family(name)) return output.write(family_text(name, colour)) ? server::kOk : server::kFailed;
  return std::unexpected(
      Failure{server::kUsage, "there is no command '" + name + "'", "'tidegate help' lists the commands"});
}

}  // namespace tidegate::cli
