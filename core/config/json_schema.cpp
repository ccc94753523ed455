#include "config/json_schema.h"

#include <algorithm>
#include <vector>

#include "config/json_writer.h"
#include "config/schema.h"

namespace tidegate::config {
namespace {

class SchemaWriter {
 public:
  std::string write() {
    json_.begin_object();
    json_.member("$schema", "https://json-schema.org/draft/2020-12/schema");
    json_.member("title", "Tidegate configuration");
    write_object(root_schema());
    json_.key("$defs");
    json_.begin_object();
    // Writing one table may name further ones, which join the end of the list.
    for (std::size_t i = 0; i < named_.size(); ++i) {
      json_.key(named_[i]->name);
      json_.begin_object();
      write_object(*named_[i]);
      json_.end_object();
    }
    json_.end_object();
    json_.end_object();
    return json_.take() + '\n';
  }

 private:
  void write_object(const ObjectInfo& info) {
    json_.member("type", "object");
    json_.member("description", info.doc);
    json_.key("additionalProperties");
    json_.boolean(false);
    json_.key("properties");
    json_.begin_object();
    for (const Field& field : info.fields) {
      if (field.available()) write_field(info, field);
    }
    json_.end_object();
    if (std::ranges::none_of(info.fields, &Field::required)) return;
    json_.key("required");
    json_.begin_array();
    for (const Field& field : info.fields) {
      if (field.required) json_.string(field.name);
    }
    json_.end_array();
  }

  void write_field(const ObjectInfo& info, const Field& field) {
    json_.key(field.name);
    json_.begin_object();
    std::string doc(field.doc);
    // Bounds of quantities cannot be said about a string, so they are told in words.
    if (const std::string range = range_text(field); !range.empty()) doc += " Range: " + range + '.';
    json_.member("description", doc);
    const std::string default_value = default_text(info, field);
    const bool nested = field.type->kind == TypeInfo::Kind::kObject;
    if (!default_value.empty() && !field.required && !nested) {
      json_.key("default");
      json_.raw(default_value);
    }
    write_type(*field.type, field.range);
    json_.end_object();
  }

  // The members of a schema object for the type.
  void write_type(const TypeInfo& type, const Range& range) {
    switch (type.kind) {
      case TypeInfo::Kind::kBool: return json_.member("type", "boolean");
      case TypeInfo::Kind::kInteger: return write_integer(range);
      case TypeInfo::Kind::kString: return write_string(type);
      case TypeInfo::Kind::kEnum: return write_words(type);
      case TypeInfo::Kind::kList: json_.member("type", "array"); return write_nested("items", *type.element, range);
      case TypeInfo::Kind::kMap:
        json_.member("type", "object");
        return write_nested("additionalProperties", *type.element, range);
      case TypeInfo::Kind::kObject: return write_reference(type.object());
      case TypeInfo::Kind::kChoice: return write_choices(type, range);
    }
  }

  void write_nested(std::string_view key, const TypeInfo& type, const Range& range) {
    json_.key(key);
    json_.begin_object();
    write_type(type, range);
    json_.end_object();
  }

  void write_integer(const Range& range) {
    json_.member("type", "integer");
    json_.key("minimum");
    json_.unsigned_integer(range.min);
    if (range.max == Range{}.max) return;
    json_.key("maximum");
    json_.unsigned_integer(range.max);
  }

  void write_string(const TypeInfo& type) {
    json_.member("type", "string");
    // A placeholder may stand in every string, so a pattern must let one through.
    if (type.pattern.empty()) return;
    json_.member("pattern", "(" + std::string(type.pattern) + ")|\\$\\{(env|file):");
  }

  void write_words(const TypeInfo& type) {
    json_.key("enum");
    json_.begin_array();
    for (const std::string_view word : type.words) json_.string(word);
    json_.end_array();
  }

  void write_choices(const TypeInfo& type, const Range& range) {
    json_.key("anyOf");
    json_.begin_array();
    for (const TypeInfo* choice : type.choices) {
      if (choice == nullptr) break;
      json_.begin_object();
      write_type(*choice, range);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_reference(const ObjectInfo& info) {
    json_.member("$ref", "#/$defs/" + std::string(info.name));
    if (std::ranges::find(named_, &info) == named_.end()) named_.push_back(&info);
  }

  JsonWriter json_;
  std::vector<const ObjectInfo*> named_;
};

}  // namespace

std::string json_schema() { return SchemaWriter().write(); }

}  // namespace tidegate::config
