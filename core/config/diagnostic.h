// What is wrong with a configuration: where, what, and what to do about it.
//
// Diagnostics are plain values, collected in a list and sorted by place before they are shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/source.h"

namespace tidegate::config {

enum class Severity : std::uint8_t { kError, kWarning };

// A second place that a message speaks of ("first given here").
struct RelatedPlace {
  SourceLocation at;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  SourceLocation at{};
  std::string pointer{};  // JSON pointer (RFC 6901) of the setting; empty: the whole document
  std::string message{};
  std::string hint{};  // what to do; may be empty
  std::vector<RelatedPlace> related{};
};

using Diagnostics = std::vector<Diagnostic>;

struct DiagnosticStyle {
  bool colour = false;  // the caller looks at NO_COLOR and at the terminal
  bool excerpt = true;  // show the source line and a caret
};

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);
[[nodiscard]] std::size_t count(const Diagnostics& diagnostics, Severity severity);
// By file, line and column; what has no place comes first. Exact repetitions are dropped.
void sort_by_place(Diagnostics& diagnostics);

// "site[0].route[1].files.root" for "/site/0/route/1/files/root"; a name with odd characters is quoted.
[[nodiscard]] std::string key_path(std::string_view pointer);
// `name` as one more step of a JSON pointer.
[[nodiscard]] std::string pointer_step(std::string_view name);

// One diagnostic for people: "file:line:column: error: message", excerpt, hint, related places. Ends with a newline.
[[nodiscard]] std::string format(const Diagnostic& diagnostic, const Sources& sources,
                                 const DiagnosticStyle& style = {});
[[nodiscard]] std::string format(const Diagnostics& diagnostics, const Sources& sources,
                                 const DiagnosticStyle& style = {});
// A JSON array of objects: severity, file, line, column, key, pointer, message, hint, related.
[[nodiscard]] std::string to_json(const Diagnostics& diagnostics, const Sources& sources);

}  // namespace tidegate::config
