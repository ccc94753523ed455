// Helpers of the configuration tests: read a text and put what is said about it into one string.
#pragma once

#include <string>

#include "config/validate.h"

namespace tidegate::config::test {

// An environment with two variables and nothing else.
class FakeEnvironment final : public Environment {
 public:
  bool variable(const std::string& name, std::string& value) const override {
    if (name == "PORT") value = "8080";
    if (name == "TOKEN") value = "s3cret";
    return name == "PORT" || name == "TOKEN";
  }
};

// One line a diagnostic: "line:column severity: message | hint | line:column related".
inline std::string summary(const Diagnostics& diagnostics) {
  const auto place = [](const SourceLocation& at) { return std::to_string(at.line) + ':' + std::to_string(at.column); };
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!out.empty()) out += '\n';
    out += place(diagnostic.at) + (diagnostic.severity == Severity::kError ? " error: " : " warning: ") +
           diagnostic.message;
    if (!diagnostic.hint.empty()) out += " | " + diagnostic.hint;
    for (const RelatedPlace& related : diagnostic.related) out += " | " + place(related.at) + ' ' + related.message;
  }
  return out;
}

// Reads and validates a text as the file /etc/tidegate/t.toml, without a look at the file system.
inline Loaded load(const std::string& text) {
  static const FakeEnvironment environment;
  Loaded loaded = load_text(text, "t.toml", "/etc/tidegate", {.environment = &environment});
  validate(loaded, {.check_files = false});
  return loaded;
}

inline std::string problems(const std::string& text) { return summary(load(text).diagnostics); }

// `text` are lines of a site, from line 3 on; a route follows.
inline std::string in_site(const std::string& text) {
  return "[[site]]\nlisten = [\"http://:80\"]\n" + text + "\n[[site.route]]\nrespond = {}\n";
}
inline std::string site_problems(const std::string& text) { return problems(in_site(text)); }

// `text` are lines of the only route of a site, from line 4 on.
inline std::string in_route(const std::string& text) {
  return "[[site]]\nlisten = [\"http://:80\"]\n[[site.route]]\n" + text + '\n';
}
inline std::string route_problems(const std::string& text) { return problems(in_route(text)); }

}  // namespace tidegate::config::test
