#include "config/schema.h"

#include <algorithm>

#include "config/writer.h"

namespace tidegate::config {

const Field* find_field(const ObjectInfo& object, std::string_view name) {
  const auto found = std::ranges::find(object.fields, name, &Field::name);
  return found == object.fields.end() ? nullptr : &*found;
}

std::string default_text(const ObjectInfo& object, const Field& field) {
  if (!field.available()) return {};
  Writer writer(JsonWriter::Layout::kCompact, true, false);
  writer.json.begin_object();
  field.write(writer, object.defaults(), nullptr, field);
  writer.json.end_object();
  // {"name":VALUE} without its ends; just {} when the setting has no default.
  const std::string& text = writer.json.text();
  const std::size_t start = field.name.size() + 4;
  return text.size() <= start ? std::string() : text.substr(start, text.size() - start - 1);
}

std::string range_text(const Field& field) {
  if (!field.available() || !field.range.bounded()) return {};
  const TypeInfo* type = field.type;
  if (type->kind == TypeInfo::Kind::kList || type->kind == TypeInfo::Kind::kMap) type = type->element;
  const auto show = [type](std::uint64_t bound) {
    return type->show != nullptr ? type->show(bound) : std::to_string(bound);
  };
  if (field.range.max == Range{}.max) return "at least " + show(field.range.min);
  if (field.range.min == 0) return "at most " + show(field.range.max);
  return "between " + show(field.range.min) + " and " + show(field.range.max);
}

void Writer::write_object(const void* object, const ObjectInfo& info, const Value* source) {
  json.begin_object();
  for (const Field& field : info.fields) {
    if (!field.available() || field.input_only || (!defaults_ && field.is_default(object))) continue;
    field.write(*this, object, source == nullptr ? nullptr : source->find(field.name), field);
  }
  json.end_object();
}

void Writer::string(const std::string& text, const Value* source) {
  if (source != nullptr && source->kind == Value::Kind::kString && source->raw) return json.string(*source->raw);
  // A "${" of the text itself must not be taken for a placeholder when the JSON is read back.
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '{') escaped += '$';
    escaped += text[i];
  }
  json.string(escaped);
}

const Value* Writer::element_of(const Value* list, std::size_t index, std::size_t size) const {
  const bool parallel = list != nullptr && list->kind == Value::Kind::kArray && list->members.size() == size;
  return parallel ? &list->members[index].value : nullptr;
}

}  // namespace tidegate::config
