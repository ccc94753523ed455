// check: everything that starting with a configuration would find wrong, without starting.
#include "cli/arguments.h"
#include "cli/config_file.h"
#include "cli/output.h"
#include "cli/text.h"
#include "cli/verbs/verbs.h"
#include "config/json_writer.h"
#include "config/validate.h"
#include "handlers/files/file_store.h"
#include "server/compile.h"
#include "server/server.h"

namespace tidegate::cli {

namespace {

std::size_t routes_of(const config::Config& config) {
  std::size_t routes = 0;
  for (const config::Site& site : config.sites) routes += site.routes.size();
  return routes;
}

// What only the way to a running configuration shows.
void try_compile(config::Loaded& loaded) {
  server::ListenerNumbers numbers;
  for (const config::Site& site : loaded.config.sites) {
    for (const config::Listen& listen : site.listen)
      numbers.try_emplace(listen.text, static_cast<std::uint16_t>(numbers.size()));
  }
  handlers::FileStore files(0, 0);
  if (const auto compiled = server::compile(loaded.config, loaded.sources, numbers, files); !compiled) {
    config::Diagnostic diagnostic;
    diagnostic.message = compiled.error();
    loaded.diagnostics.push_back(std::move(diagnostic));
  }
}

// A JSON document as a member of another: without its line end, one level further in. (A line end in a string is escaped.)
std::string nested(std::string_view document) {
  std::string out;
  while (document.ends_with('\n')) document.remove_suffix(1);
  for (const char c : document) out += c == '\n' ? "\n  " : std::string(1, c);
  return out;
}

std::string json_of(const config::Loaded& loaded, const std::string& path) {
  config::JsonWriter json;
  json.begin_object();
  json.key("ok");
  json.boolean(loaded.ok());
  json.key("exit_code");
  json.integer(loaded.ok() ? server::kOk : server::kConfigInvalid);
  json.member("config", path);
  json.key("sites");
  json.unsigned_integer(loaded.config.sites.size());
  json.key("routes");
  json.unsigned_integer(routes_of(loaded.config));
  json.key("errors");
  json.unsigned_integer(config::count(loaded.diagnostics, config::Severity::kError));
  json.key("warnings");
  json.unsigned_integer(config::count(loaded.diagnostics, config::Severity::kWarning));
  json.key("diagnostics");
  json.raw(nested(config::to_json(loaded.diagnostics, loaded.sources)));
  json.end_object();
  return json.take() + '\n';
}

}  // namespace

Outcome check(const Invocation& invocation) {
  const auto path = config_file_of(invocation.arguments);
  if (!path) return std::unexpected(path.error());
  config::Loaded loaded = load_for_server(*path);
  config::validate(loaded);
  if (loaded.ok()) try_compile(loaded);
  const int code = loaded.ok() ? server::kOk : server::kConfigInvalid;
  Output& output = invocation.output;
  if (output.json()) {
    output.write(json_of(loaded, *path));
    return code;
  }
  const std::string problems = problem_count(loaded.diagnostics);
  output.complain(
      config::format(loaded.diagnostics, loaded.sources, {.colour = output.colour_errors(), .excerpt = true}));
  if (!loaded.ok()) {
    output.complain(painted("not valid:", Paint::kRed, output.colour_errors()) + ' ' + problems + " in " + *path +
                    '\n');
    return code;
  }
  output.write(painted("ok:", Paint::kGreen, output.colour_out()) + ' ' +
               counted(loaded.config.sites.size(), "site", "sites") + ", " +
               counted(routes_of(loaded.config), "route", "routes") + (problems.empty() ? "" : ", " + problems) + '\n');
  return code;
}

}  // namespace tidegate::cli
