#include "config/reader.h"

#include <algorithm>

#include "config/nearest.h"

namespace tidegate::config {
namespace {

// "`workers`", or "the document" at the top.
std::string named(const Reader& reader) {
  const std::string key = reader.key();
  return key.empty() ? "the document" : '`' + key + '`';
}

// "write \"10ms\", \"10s\" or \"10m\"" for a bare 10 where a duration is needed.
std::string unit_hint(const std::string& number, std::string_view units) {
  std::string hint = "write ";
  while (!units.empty()) {
    const std::string_view unit = units.substr(0, units.find(' '));
    units.remove_prefix(std::min(unit.size() + 1, units.size()));
    hint += '"' + number + std::string(unit) + '"';
    if (!units.empty()) hint += units.find(' ') == std::string_view::npos ? " or " : ", ";
  }
  return hint;
}

// "a list of host names", "a duration such as \"10s\"".
std::string expectation(const TypeInfo& type) {
  switch (type.kind) {
    case TypeInfo::Kind::kObject: return "a table";
    case TypeInfo::Kind::kMap: return "a table of names and values";
    case TypeInfo::Kind::kList: break;
    default: return std::string(type.expects);
  }
  if (type.element->kind == TypeInfo::Kind::kObject) return "a list of tables";
  return "a list of " + std::string(type.element->name) + 's';
}

std::string type_hint(const Value& value, const TypeInfo& type, const Reader& reader) {
  using Kind = TypeInfo::Kind;
  if (value.kind == Value::Kind::kInteger && !type.units.empty())
    return unit_hint(std::to_string(value.integer), type.units);
  if (value.kind == Value::Kind::kString && !value.raw) {
    if (type.kind == Kind::kBool && (value.text == "true" || value.text == "false"))
      return "write " + value.text + " without quotes";
    const bool digits = !value.text.empty() && value.text.find_first_not_of("0123456789") == std::string::npos;
    const bool number =
        type.kind == Kind::kInteger || (type.choices[0] != nullptr && type.choices[0]->kind == Kind::kInteger);
    if (number && digits) return "write " + value.text + " without quotes";
    if (type.kind == Kind::kList) return "write " + reader.key() + " = [" + in_quotes(value) + "]";
  }
  const bool tables = type.kind == Kind::kList && type.element->kind == Kind::kObject;
  if (value.kind == Value::Kind::kTable && tables) return "write each one as [[" + reader.table_name() + "]]";
  if (value.kind == Value::Kind::kArray && type.kind == Kind::kObject && !reader.key().empty())
    return "this table is given once; write [" + reader.table_name() + "]";
  return {};
}

// The path below `object` of a setting called `name`, such as "limits.body_size"; empty when there is none.
std::string find_below(const ObjectInfo& object, std::string_view name, int depth) {
  for (const Field& field : object.fields) {
    if (!field.available() || field.input_only) continue;
    if (field.name == name) return std::string(name);
  }
  if (depth == 0) return {};
  for (const Field& field : object.fields) {
    if (!field.available()) continue;
    const TypeInfo* type = field.type;
    if (type->kind == TypeInfo::Kind::kList) type = type->element;
    for (const TypeInfo* choice : type->choices) {
      if (choice != nullptr && choice->kind == TypeInfo::Kind::kObject) type = choice;
    }
    if (type->kind != TypeInfo::Kind::kObject) continue;
    const std::string below = find_below(type->object(), name, depth - 1);
    if (!below.empty()) return std::string(field.name) + '.' + below;
  }
  return {};
}

std::string unknown_key_hint(std::string_view key, const ObjectInfo& info) {
  std::vector<std::string_view> names;
  for (const Field& field : info.fields) {
    if (field.available()) names.push_back(field.name);
  }
  if (const std::string_view near = nearest(key, names); !near.empty())
    return "did you mean `" + std::string(near) + "`?";
  if (const std::string below = find_below(info, key, 3); !below.empty()) return "did you mean `" + below + "`?";
  if (const std::string elsewhere = find_below(root_schema(), key, 4); !elsewhere.empty()) {
    return "it is a setting of another table: `" + elsewhere + "`";
  }
  std::string hint = "known keys: ";
  for (const std::string_view name : names) {
    if (name != names.front()) hint += ", ";
    hint += name;
  }
  return hint;
}

}  // namespace

std::string Reader::key() const {
  for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
    if (const auto* name = std::get_if<std::string_view>(&*step)) return std::string(*name);
  }
  return {};
}

std::string Reader::table_name() const {
  std::string name;
  for (const auto& step : path_) {
    const auto* key = std::get_if<std::string_view>(&step);
    if (key != nullptr) name += (name.empty() ? "" : ".") + std::string(*key);
  }
  return name;
}

std::string Reader::pointer() const {
  std::string pointer;
  for (const auto& step : path_) {
    const auto* name = std::get_if<std::string_view>(&step);
    pointer += name != nullptr ? pointer_step(*name) : '/' + std::to_string(std::get<std::size_t>(step));
  }
  return pointer;
}

Diagnostic& Reader::error(const SourceLocation& at, std::string message, std::string hint) {
  diagnostics_.push_back({Severity::kError, at, pointer(), std::move(message), std::move(hint), {}});
  return diagnostics_.back();
}

Diagnostic& Reader::warning(const SourceLocation& at, std::string message, std::string hint) {
  Diagnostic& diagnostic = error(at, std::move(message), std::move(hint));
  diagnostic.severity = Severity::kWarning;
  return diagnostic;
}

bool Reader::expect(const Value& value, Value::Kind kind, const TypeInfo& type) {
  if (value.kind == kind) return true;
  wrong_type(value, type);
  return false;
}

void Reader::wrong_type(const Value& value, const TypeInfo& type) {
  if (value.kind == Value::Kind::kInvalid) return;
  std::string message = named(*this) + " must be " + expectation(type) + ", found " + describe(value);
  error(value.at, std::move(message), type_hint(value, type, *this));
}

bool Reader::in_range(const Value& value, std::uint64_t number, const Field& field) {
  if (number >= field.range.min && number <= field.range.max) return true;
  const std::string found = value.kind == Value::Kind::kString ? in_quotes(value) : std::to_string(value.integer);
  error(value.at, named(*this) + " must be " + range_text(field) + ", found " + found);
  return false;
}

void Reader::unknown_word(const Value& value, const TypeInfo& type) {
  std::string hint;
  if (const std::string_view near = nearest(value.text, type.words); !near.empty())
    hint = "did you mean " + in_quotes(near) + '?';
  error(value.at, named(*this) + " must be " + std::string(type.expects) + ", found " + in_quotes(value),
        std::move(hint));
}

bool Reader::accept(const Value& value, std::string_view problem) {
  if (problem.empty()) return true;
  error(value.at, named(*this) + ": " + std::string(problem) + ", found " + in_quotes(value));
  return false;
}

bool Reader::accept_key(const Member& member, std::string_view problem) {
  if (problem.empty()) return true;
  error(member.key_at, '`' + member.key + "`: " + std::string(problem));
  return false;
}

void Reader::unknown_key(const Member& member, const ObjectInfo& info) {
  error(member.key_at, "unknown key `" + member.key + '`', unknown_key_hint(member.key, info));
}

void Reader::read_member(const Member& member, void* object, const ObjectInfo& info) {
  const Step step(*this, member.key);
  const Field* field = find_field(info, member.key);
  if (field == nullptr) return unknown_key(member, info);
  if (!field->available()) {
    const bool misplaced = !field->only_in.empty();
    error(member.key_at, '`' + member.key +
                             (misplaced ? "` may stand only in " + std::string(field->only_in)
                                        : "` is not available in this version"));
    return;
  }
  if (member.value.kind == Value::Kind::kInvalid) return;
  field->read(*this, member.value, object, *field);
}

void Reader::require_fields(const Value& value, const ObjectInfo& info) {
  for (const Field& field : info.fields) {
    if (!field.required || value.find(field.name) != nullptr) continue;
    error(value.at, named(*this) + " needs `" + std::string(field.name) + '`');
  }
}

void Reader::read_object(const Value& value, void* object, const ObjectInfo& info) {
  if (value.kind != Value::Kind::kTable) {
    return wrong_type(value, TypeInfo{.kind = TypeInfo::Kind::kObject});
  }
  if (info.begin != nullptr) info.begin(object, Written{value.at, &value});
  for (const Member& member : value.members) read_member(member, object, info);
  require_fields(value, info);
  if (info.check != nullptr) info.check(*this, value, object);
}

}  // namespace tidegate::config
