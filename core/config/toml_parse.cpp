#include "config/toml_parse.h"

#include <algorithm>
#include <expected>
#include <string>

#include "config/toml_scan.h"
#include "config/utf8.h"

// The library is fenced: no exceptions and a bound on nesting. Its assertions do not hold for some malformed documents
// ("[[[a]]" is one), and with NDEBUG it hands them to the optimiser as promises. Both are turned off: behind each of them
// the parser has a branch that reports the error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#define TOML_MAX_NESTED_VALUES 32
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#include <toml++/toml.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace tidegate::config {
namespace {

static_assert(kMaxNestedValues == 32, "keep TOML_MAX_NESTED_VALUES equal");

// Stands in for a value that could not be parsed, so that the rest of the file can be looked at.
constexpr std::string_view kHole = "\x01invalid\x01";
constexpr std::string_view kHoleToml = " \"\\u0001invalid\\u0001\"";
constexpr std::size_t kMaxRounds = 50;                             // syntax errors reported for one file
constexpr std::size_t kMaxReparsedBytes = std::size_t{32} << 20U;  // work spent on finding more than the first one

class TreeBuilder {
 public:
  TreeBuilder(std::uint32_t file, bool holes) : file_(file), holes_(holes) {}

  Value convert(const toml::node& node) const {
    Value value;
    value.at = place(node.source());
    switch (node.type()) {
      case toml::node_type::table: convert_table(*node.as_table(), value); break;
      case toml::node_type::array: convert_array(*node.as_array(), value); break;
      case toml::node_type::string: convert_string(node.as_string()->get(), value); break;
      case toml::node_type::integer:
        value.kind = Value::Kind::kInteger;
        value.integer = node.as_integer()->get();
        break;
      case toml::node_type::floating_point:
        value.kind = Value::Kind::kFloat;
        value.number = node.as_floating_point()->get();
        break;
      case toml::node_type::boolean:
        value.kind = Value::Kind::kBool;
        value.boolean = node.as_boolean()->get();
        break;
      default: convert_date(node, value);
    }
    return value;
  }

 private:
  SourceLocation place(const toml::source_region& region) const {
    return {file_, region.begin.line, static_cast<std::uint32_t>(region.begin.column)};
  }

  void convert_table(const toml::table& table, Value& value) const {
    value.kind = Value::Kind::kTable;
    value.members.reserve(table.size());
    for (auto&& [key, node] : table) {
      value.members.push_back({std::string(key.str()), place(key.source()), convert(node)});
    }
    // The library sorts by name; people think in the order they wrote.
    std::ranges::sort(value.members, {}, &Member::key_at);
  }

  void convert_array(const toml::array& array, Value& value) const {
    value.kind = Value::Kind::kArray;
    value.members.reserve(array.size());
    for (const toml::node& node : array) {
      Value element = convert(node);
      const SourceLocation at = element.at;
      value.members.push_back({{}, at, std::move(element)});
    }
  }

  void convert_string(const std::string& text, Value& value) const {
    if (holes_ && text == kHole) {
      value.kind = Value::Kind::kInvalid;
      return;
    }
    value.kind = Value::Kind::kString;
    value.text = text;
  }

  static void convert_date(const toml::node& node, Value& value) {
    value.kind = Value::Kind::kDate;
    const auto add = [&value](auto number) { value.text += std::to_string(number) + ' '; };
    const auto add_date = [&](const toml::date& d) { add(d.year), add(d.month), add(d.day); };
    const auto add_time = [&](const toml::time& t) { add(t.hour), add(t.minute), add(t.second), add(t.nanosecond); };
    if (const auto* date = node.as_date()) add_date(date->get());
    if (const auto* time = node.as_time()) add_time(time->get());
    if (const auto* both = node.as_date_time()) {
      add_date(both->get().date);
      add_time(both->get().time);
      if (both->get().offset) add(both->get().offset->minutes);
    }
  }

  std::uint32_t file_;
  bool holes_;
};

std::string_view hint_for(std::string_view message) {
  const auto says = [message](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (says("inline table"))
    return "an inline table { ... } stands on one line and has no comma before its closing brace";
  if (says("could not determine value type") || says("expected digit") || says("boolean")) {
    return "strings, durations and sizes are written in quotes, such as \"10s\"";
  }
  if (says("cannot redefine")) return "a key may be given once in its table";
  return {};
}

// "Error while parsing boolean: expected 'true'" becomes "TOML syntax: expected 'true' (in boolean)".
Diagnostic syntax_error(const toml::parse_error& error, std::uint32_t file) {
  constexpr std::string_view kPrefix = "Error while parsing ";
  const std::string_view description = error.description();
  Diagnostic diagnostic;
  diagnostic.at = {file, error.source().begin.line, static_cast<std::uint32_t>(error.source().begin.column)};
  diagnostic.message = "TOML syntax: ";
  const std::size_t colon = description.find(": ");
  if (description.starts_with(kPrefix) && colon != std::string_view::npos) {
    diagnostic.message += description.substr(colon + 2);
    diagnostic.message += " (in ";
    diagnostic.message += description.substr(kPrefix.size(), colon - kPrefix.size());
    diagnostic.message += ')';
  } else {
    diagnostic.message += description;
  }
  diagnostic.hint = hint_for(description);
  return diagnostic;
}

std::size_t line_offset(std::string_view text, std::uint32_t line) {
  std::size_t offset = 0;
  for (std::uint32_t i = 1; i < line && offset < text.size(); ++i) {
    offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
  }
  return offset;
}

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// Whether a line inside what should be a value looks like the next statement: a bracket was left open above it.
bool begins_statement(std::string_view line) {
  const std::vector<TomlStatement> found = toml_statements(line);
  return !found.empty() && (found.front().equals != 0 || (line.starts_with("[[") && line.find("]]") != line.npos));
}

// Where the damage of the broken statement ends: at its own end, or, when a bracket of it is not closed, before the next
// line that begins a statement.
std::size_t damage_end(std::string_view text, const TomlStatement& statement) {
  std::size_t end = std::min(text.find('\n', statement.begin), text.size());
  if (statement.closed) return std::max(end, statement.end);
  while (end < statement.end) {
    const std::size_t next_end = std::min(text.find('\n', end + 1), text.size());
    std::string_view line = text.substr(end + 1, next_end - end - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (begins_statement(line)) break;
    end = next_end;
  }
  return end;
}

// Takes the statement around `line` out of the text: its value only, or (`whole`) its key as well. False: cannot.
bool step_over(std::string& text, std::uint32_t line, bool whole) {
  const std::size_t at = line_offset(text, line);
  const std::size_t line_end = std::min(text.find('\n', at), text.size());
  const std::vector<TomlStatement> statements = toml_statements(text);
  auto found = std::ranges::upper_bound(statements, line_end, {}, &TomlStatement::begin);
  if (found == statements.begin()) return false;
  const TomlStatement statement = *--found;
  if (statement.header) return false;
  const std::size_t end = damage_end(text, statement);
  if (whole || statement.equals == 0) {
    blank_out(text, statement.begin, end);
    return true;
  }
  blank_out(text, statement.equals + 1, end);
  text.insert(statement.equals + 1, kHoleToml);
  return true;
}

Diagnostic whole_file(std::uint32_t file, std::string message) {
  return {.at = {file, 0, 0}, .message = std::move(message)};
}

// The library does not expect characters outside of ASCII where only bare keys and values stand: they stop here.
Diagnostic foreign_character(std::string_view text, std::size_t offset, std::uint32_t file) {
  const std::string_view before = text.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);
  const auto column = static_cast<std::uint32_t>(utf8_count(in_line) + 1);
  const std::string_view character = text.substr(offset, std::max<std::size_t>(utf8_length(text.substr(offset)), 1));
  return {.at = {file, line, column},
          .message = "TOML syntax: " + in_quotes(character) + " may stand in quotes and in comments only"};
}

// Where the statement around the offset begins.
std::size_t statement_start(std::string_view text, std::size_t offset) {
  const std::vector<TomlStatement> statements = toml_statements(text);
  const auto next = std::ranges::upper_bound(statements, offset, {}, &TomlStatement::begin);
  return next == statements.begin() ? 0 : std::prev(next)->begin;
}

// One try: the tree, or the first error.
std::expected<Value, Diagnostic> parse_once(std::string_view text, std::uint32_t file, bool holes) {
  const TomlSurvey survey = survey_toml(text);
  if (survey.longest_key > kMaxKeyParts)
    return std::unexpected(whole_file(file, "a dotted key has more than 32 parts"));
  // The statements before that of the foreign character may have an error of their own, which comes first.
  const bool foreign = survey.first_foreign != std::string_view::npos;
  const toml::parse_result result =
      toml::parse(foreign ? text.substr(0, statement_start(text, survey.first_foreign)) : text);
  if (foreign && result) return std::unexpected(foreign_character(text, survey.first_foreign, file));
  if (!result) return std::unexpected(syntax_error(result.error(), file));
  Value root = TreeBuilder(file, holes).convert(result.table());
  root.at = {file, 1, 1};
  return root;
}

}  // namespace

TomlDocument parse_toml(std::string_view text, std::uint32_t file, Diagnostics& diagnostics) {
  TomlDocument document{Value(Value::Kind::kTable, {file, 1, 1}), false};
  if (text.size() > kMaxTomlBytes) {
    diagnostics.push_back(whole_file(file, "the file is larger than 64 MiB"));
    return document;
  }
  std::string patched;
  std::uint32_t last_line = 0;
  int tries = 0;  // of stepping over last_line
  std::size_t spent = 0;
  for (std::size_t round = 0; round < kMaxRounds && spent <= kMaxReparsedBytes; ++round, spent += text.size()) {
    auto root = parse_once(round == 0 ? text : std::string_view(patched), file, round > 0);
    if (root) {
      document.root = std::move(*root);
      document.readable = true;
      break;
    }
    const std::uint32_t line = root.error().at.line;
    tries = round > 0 && line == last_line ? tries + 1 : 0;
    if (tries == 0) diagnostics.push_back(std::move(root.error()));
    if (line < last_line || tries > 1 || line == 0) break;
    if (round == 0) patched = text;
    // When taking out the value did not help, the key itself is the trouble.
    if (!step_over(patched, line, tries == 1)) break;
    last_line = line;
  }
  return document;
}

}  // namespace tidegate::config
