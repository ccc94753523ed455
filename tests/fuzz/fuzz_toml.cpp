// Fuzzes the whole way of a configuration text: scan, parse, read, validate, write as JSON, read that back, format.
//
// No exception may escape and nothing may hang. Beyond that: a configuration without errors has the same meaning after a
// round trip through JSON, and formatting a text twice gives the same text as formatting it once.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/fmt.h"
#include "config/json_form.h"
#include "config/json_parse.h"
#include "config/validate.h"

namespace {

using namespace tidegate::config;

// Placeholders must not read the machine.
class NoEnvironment final : public Environment {
 public:
  bool variable(const std::string& name, std::string& value) const override {
    value = "x";
    return name == "X";
  }
};

void require(bool condition) {
  if (!condition) std::abort();
}

void try_json(const std::string& text) {
  Diagnostics diagnostics;
  const JsonDocument document = parse_json(text, 0, diagnostics);
  require(document.readable == diagnostics.empty());
}

void try_formatter(const std::string& text) {
  Diagnostics diagnostics;
  const auto once = format_toml(text, 0, diagnostics);
  if (!once) return;
  const auto twice = format_toml(*once, 0, diagnostics);
  require(twice.has_value() && *twice == *once);
}

void try_configuration(const std::string& text, const LoadOptions& options) {
  Loaded loaded = load_text(text, "fuzz.toml", "/nowhere", options);
  validate(loaded, {.check_files = false});
  (void)format(loaded.diagnostics, loaded.sources, {.colour = true});
  (void)to_json(loaded.diagnostics, loaded.sources);
  const std::string json = to_json(loaded.config);
  if (!loaded.ok()) return;
  Loaded again = load_json(json, "fuzz.json", "/nowhere", options);
  again.config.include = loaded.config.include;  // the JSON form has no files to include
  require(again.ok() && again.config == loaded.config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  // Neither other files nor the environment: the text alone decides.
  if (text.find("include") != std::string::npos || text.find("${file") != std::string::npos) return 0;
  static const NoEnvironment environment;
  try_json(text);
  try_formatter(text);
  try_configuration(text, {.environment = &environment});
  return 0;
}
