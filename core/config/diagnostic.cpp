#include "config/diagnostic.h"

#include <algorithm>
#include <tuple>

#include "config/json_writer.h"
#include "config/utf8.h"

namespace tidegate::config {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kYellow = "\x1b[1;33m";
constexpr std::string_view kBlue = "\x1b[34m";
constexpr std::string_view kReset = "\x1b[0m";

std::string painted(std::string_view text, std::string_view colour, const DiagnosticStyle& style) {
  if (!style.colour) return std::string(text);
  return std::string(colour) + std::string(text) + std::string(kReset);
}

std::string_view name_of(Severity severity) { return severity == Severity::kError ? "error" : "warning"; }

// Bytes of the token that `rest` begins with: a quoted string, a bare word, or one character.
std::size_t token_length(std::string_view rest) {
  if (rest.empty()) return 0;
  const char quote = rest.front();
  if (quote == '"' || quote == '\'') {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\\' && quote == '"') {
        ++i;
      } else if (rest[i] == quote) {
        return i + 1;
      }
    }
    return rest.size();
  }
  const std::size_t end = rest.find_first_of(" \t,=[]{}#");
  return std::max<std::size_t>(std::min(end, rest.size()), 1);
}

// The source line and, below it, a caret at the column and tildes to the end of the token.
std::string excerpt(const SourceLocation& at, const Sources& sources, const DiagnosticStyle& style) {
  constexpr std::size_t kLongestLine = 400;
  const std::string_view line = sources.line(at.file, at.line);
  if (line.empty() || line.size() > kLongestLine) return {};
  const std::string number = std::to_string(at.line);
  const std::size_t start = utf8_offset(line, at.column == 0 ? 0 : at.column - 1);
  std::string pad;
  for (const char c : line.substr(0, start)) {
    // A tab stays a tab, so that the caret lines up; only the first byte of a code point takes a column.
    if (c == '\t') {
      pad += '\t';
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      pad += ' ';
    }
  }
  std::string shown;
  for (const char c : line) shown += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
  const std::size_t width = utf8_count(line.substr(start, token_length(line.substr(start))));
  const std::string marker = "^" + std::string(width > 1 ? width - 1 : 0, '~');
  const std::string gutter(std::max<std::size_t>(number.size(), 4), ' ');
  return painted(gutter.substr(number.size()) + number + " | ", kBlue, style) + shown + '\n' +
         painted(gutter + " | ", kBlue, style) + pad + painted(marker, kRed, style) + '\n';
}

void write_place(JsonWriter& json, const SourceLocation& at, const Sources& sources) {
  json.member("file", at.file < sources.size() ? sources.file(at.file).name : std::string());
  json.key("line");
  json.unsigned_integer(at.line);
  json.key("column");
  json.unsigned_integer(at.column);
}

}  // namespace

bool has_errors(const Diagnostics& diagnostics) { return count(diagnostics, Severity::kError) != 0; }

std::size_t count(const Diagnostics& diagnostics, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(diagnostics, severity, &Diagnostic::severity));
}

void sort_by_place(Diagnostics& diagnostics) {
  const auto identity = [](const Diagnostic& d) { return std::tie(d.at, d.severity, d.pointer, d.message); };
  const auto less = [&](const Diagnostic& a, const Diagnostic& b) { return identity(a) < identity(b); };
  const auto same = [&](const Diagnostic& a, const Diagnostic& b) { return identity(a) == identity(b); };
  std::ranges::sort(diagnostics, less);
  const auto repeated = std::ranges::unique(diagnostics, same);
  diagnostics.erase(repeated.begin(), repeated.end());
}

std::string pointer_step(std::string_view name) {
  std::string step = "/";
  for (const char c : name) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string key_path(std::string_view pointer) {
  std::string path;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view raw = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(raw.size());
    std::string step;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const bool escaped = raw[i] == '~' && i + 1 < raw.size();
      step += escaped ? (raw[++i] == '1' ? '/' : '~') : raw[i];
    }
    constexpr std::string_view kDigits = "0123456789";
    constexpr std::string_view kBare = "0123456789_-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    if (!step.empty() && !path.empty() && step.find_first_not_of(kDigits) == std::string::npos) {
      path += '[' + step + ']';
      continue;
    }
    if (!path.empty()) path += '.';
    path += step.empty() || step.find_first_not_of(kBare) != std::string::npos ? '"' + step + '"' : step;
  }
  return path;
}

std::string format(const Diagnostic& diagnostic, const Sources& sources, const DiagnosticStyle& style) {
  const bool error = diagnostic.severity == Severity::kError;
  std::string out;
  if (const std::string place = sources.describe(diagnostic.at); !place.empty()) {
    out += painted(place + ":", kBold, style) + ' ';
  }
  out += painted(std::string(name_of(diagnostic.severity)) + ":", error ? kRed : kYellow, style);
  out += ' ' + diagnostic.message + '\n';
  if (style.excerpt && diagnostic.at) out += excerpt(diagnostic.at, sources, style);
  if (!diagnostic.hint.empty()) out += "     = hint: " + diagnostic.hint + '\n';
  for (const RelatedPlace& place : diagnostic.related) {
    out += "     = " + sources.describe(place.at) + ": " + place.message + '\n';
  }
  return out;
}

std::string format(const Diagnostics& diagnostics, const Sources& sources, const DiagnosticStyle& style) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += format(diagnostic, sources, style);
  return out;
}

std::string to_json(const Diagnostics& diagnostics, const Sources& sources) {
  JsonWriter json;
  json.begin_array();
  for (const Diagnostic& diagnostic : diagnostics) {
    json.begin_object();
    json.member("severity", name_of(diagnostic.severity));
    write_place(json, diagnostic.at, sources);
    json.member("key", key_path(diagnostic.pointer));
    json.member("pointer", diagnostic.pointer);
    json.member("message", diagnostic.message);
    json.member("hint", diagnostic.hint);
    json.key("related");
    json.begin_array();
    for (const RelatedPlace& place : diagnostic.related) {
      json.begin_object();
      write_place(json, place.at, sources);
      json.member("message", place.message);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  return json.take() + '\n';
}

}  // namespace tidegate::config
