// config show, config schema, config reference: the configuration and its language.
#include "cli/arguments.h"
#include "cli/config_file.h"
#include "cli/output.h"
#include "cli/toml_text.h"
#include "cli/verbs/verbs.h"
#include "config/json_form.h"
#include "config/json_schema.h"
#include "config/reference.h"
#include "config/validate.h"
#include "server/server.h"

namespace tidegate::cli {

namespace {

std::string files_as_json(const config::Sources& sources) {
  config::JsonWriter json;
  json.begin_object();
  json.key("files");
  json.begin_array();
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    json.begin_object();
    json.member("path", sources.file(i).name);
    json.member("text", sources.file(i).text);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + '\n';
}

std::string files_as_text(const config::Sources& sources) {
  std::string out;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    out += (i > 0 ? "\n# file: " : "# file: ") + sources.file(i).name + "\n" + sources.file(i).text;
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

Failure invalid(const config::Loaded& loaded, const std::string& path, const Output& output) {
  const config::DiagnosticStyle style{.colour = !output.json() && output.colour_errors(), .excerpt = !output.json()};
  return {server::kConfigInvalid, path + " is not valid: " + problem_count(loaded.diagnostics) + '\n' +
                                      config::format(loaded.diagnostics, loaded.sources, style)};
}

}  // namespace

Outcome config_show(const Invocation& invocation) {
  const auto path = config_file_of(invocation.arguments);
  if (!path) return std::unexpected(path.error());
  config::Loaded loaded = load_for_server(*path);
  const bool with_defaults = invocation.arguments.has("with-defaults");
  Output& output = invocation.output;
  if (!with_defaults && !invocation.arguments.has("effective")) {
    if (loaded.sources.size() == 0) return std::unexpected(invalid(loaded, *path, output));
    output.write(output.json() ? files_as_json(loaded.sources) : files_as_text(loaded.sources));
    return server::kOk;
  }
  config::validate(loaded);
  if (!loaded.ok()) return std::unexpected(invalid(loaded, *path, output));
  // With the sources, what came from ${env:X} and ${file:X} is shown as written: a secret stays one.
  const std::string json = config::to_json(loaded.config, {.defaults = with_defaults, .sources = &loaded.sources});
  if (output.json()) {
    output.write(json);
    return server::kOk;
  }
  const auto toml = toml_from_json(json);
  if (!toml)
    return std::unexpected(Failure{server::kFailed, "the configuration has no form in TOML", "ask with --json"});
  output.write(*toml);
  return server::kOk;
}

Outcome config_schema(const Invocation& invocation) {
  return invocation.output.write(config::json_schema()) ? server::kOk : server::kFailed;
}

Outcome config_reference(const Invocation& invocation) {
  return invocation.output.write(config::reference_markdown()) ? server::kOk : server::kFailed;
}

}  // namespace tidegate::cli
