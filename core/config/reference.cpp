#include "config/reference.h"

#include <algorithm>
#include <vector>

#include "config/schema.h"

namespace tidegate::config {
namespace {

// A table of settings, and every place where it may stand, as TOML writes it.
struct Section {
  const ObjectInfo* info;
  std::vector<std::string> places;
};

std::string code(std::string_view text) { return '`' + std::string(text) + '`'; }

// Text in a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

class ReferenceWriter {
 public:
  std::string write() {
    collect(root_schema(), {}, false);
    out_ +=
        "# Configuration reference\n\n"
        "<!-- Generated from the schema table of core/config; do not edit. -->\n\n"
        "The configuration is TOML. Every setting is typed; unknown keys, wrong types and values out of range are errors with "
        "file, line and column. Durations and sizes carry their unit. `${env:NAME}` and `${file:PATH}` in any string are "
        "replaced (`$${` stands for `${`). Relative paths start at the directory of the file that names them. The same "
        "settings in JSON are what the admin API speaks.\n\n";
    write_contents();
    for (const Section& section : sections_) write_section(section);
    write_types();
    write_unavailable();
    return std::move(out_);
  }

 private:
  // Walks the schema; `path` is the dotted name of the table and `list` tells whether it is written [[path]].
  void collect(const ObjectInfo& info, const std::string& path, bool list) {
    const std::string place = path.empty() ? "top level" : list ? "[[" + path + "]]" : "[" + path + "]";
    const auto known = std::ranges::find(sections_, &info, &Section::info);
    if (known != sections_.end()) {
      known->places.push_back(place);
    } else {
      sections_.push_back({&info, {place}});
    }
    for (const Field& field : info.fields) {
      const std::string inner = path.empty() ? std::string(field.name) : path + '.' + std::string(field.name);
      if (!field.available()) {
        if (field.only_in.empty()) unavailable_.push_back(inner);
        continue;
      }
      collect_type(*field.type, inner, false);
    }
  }

  void collect_type(const TypeInfo& type, const std::string& path, bool list) {
    const bool described = !type.doc.empty() && std::ranges::find(types_, type.name, &TypeInfo::name) == types_.end();
    if (described) types_.push_back(type);
    if (type.kind == TypeInfo::Kind::kObject) collect(type.object(), path, list);
    if (type.kind == TypeInfo::Kind::kList) collect_type(*type.element, path, true);
    if (type.kind == TypeInfo::Kind::kMap) collect_type(*type.element, path + ".NAME", false);
    if (type.kind != TypeInfo::Kind::kChoice) return;
    for (const TypeInfo* choice : type.choices) {
      if (choice != nullptr) collect_type(*choice, path, list);
    }
  }

  std::string type_text(const TypeInfo& type) const {
    switch (type.kind) {
      case TypeInfo::Kind::kList: return "list of " + type_text(*type.element);
      case TypeInfo::Kind::kMap: return "table of " + type_text(*type.element);
      case TypeInfo::Kind::kObject: return "[table](#" + std::string(type.object().name) + ")";
      case TypeInfo::Kind::kEnum: return words_text(type);
      case TypeInfo::Kind::kChoice: return choices_text(type);
      default: break;
    }
    std::string text(type.name);
    if (!type.doc.empty()) text = '[' + text + "](#types)";
    return text;
  }

  static std::string words_text(const TypeInfo& type) {
    std::string text;
    for (const std::string_view word : type.words) {
      if (!text.empty()) text += ", ";
      text += code('"' + std::string(word) + '"');
    }
    return text;
  }

  std::string choices_text(const TypeInfo& type) const {
    std::string text;
    for (const TypeInfo* choice : type.choices) {
      if (choice == nullptr) break;
      if (!text.empty()) text += " or ";
      text += type_text(*choice);
    }
    return text;
  }

  void write_contents() {
    for (const Section& section : sections_) {
      out_ += "* [" + std::string(section.info->title) + "](#" + std::string(section.info->name) + ")\n";
    }
    out_ += "* [Types](#types)\n* [Names of later versions](#later)\n\n";
  }

  void write_section(const Section& section) {
    const ObjectInfo& info = *section.info;
    out_ += "<a id=\"" + std::string(info.name) + "\"></a>\n## " + std::string(info.title) + "\n\n";
    out_ += "Stands at: ";
    for (const std::string& place : section.places) {
      if (place != section.places.front()) out_ += ", ";
      out_ += place == "top level" ? place : code(place);
    }
    out_ += ".\n\n" + std::string(info.doc) + "\n\n";
    if (info.repeats != nullptr) return write_repeated(info);
    const bool reasons = std::ranges::any_of(info.fields, [](const Field& field) { return !field.reason.empty(); });
    out_ += reasons ? "| setting | type | default | range | meaning | why |\n|---|---|---|---|---|---|\n"
                    : "| setting | type | default | range | meaning |\n|---|---|---|---|---|\n";
    for (const Field& field : info.fields) {
      if (field.available()) write_row(info, field, reasons);
    }
    out_ += '\n';
  }

  void write_repeated(const ObjectInfo& info) {
    const ObjectInfo& other = info.repeats();
    out_ += "The settings are those of [" + std::string(other.title) + "](#" + std::string(other.name) + "):";
    for (const Field& field : info.fields) {
      if (field.available()) out_ += (&field == &info.fields.front() ? " " : ", ") + code(field.name);
    }
    out_ += ".\n\n";
  }

  void write_row(const ObjectInfo& info, const Field& field, bool reasons) {
    const std::string default_value = default_text(info, field);
    const bool show_default = !default_value.empty() && !field.required && field.type->kind != TypeInfo::Kind::kObject;
    out_ += "| " + code(field.name) + " | " + cell(type_text(*field.type)) + " | ";
    out_ += field.required ? "(required)" : show_default ? cell(code(default_value)) : "";
    out_ += " | " + range_text(field) + " | " + cell(field.doc) + " |";
    if (reasons) out_ += ' ' + cell(field.reason) + " |";
    out_ += '\n';
  }

  void write_types() {
    out_ += "<a id=\"types\"></a>\n## Types\n\n| type | how it is written |\n|---|---|\n";
    for (const TypeInfo& type : types_) out_ += "| " + std::string(type.name) + " | " + cell(type.doc) + " |\n";
    out_ += '\n';
  }

  void write_unavailable() {
    out_ +=
        "<a id=\"later\"></a>\n## Names of later versions\n\nThese names belong to the language and are not available in this version; "
        "using one is an error that says so.\n\n";
    std::ranges::sort(unavailable_);
    for (const std::string& name : unavailable_) out_ += "* " + code(name) + '\n';
  }

  std::vector<Section> sections_;
  std::vector<TypeInfo> types_;
  std::vector<std::string> unavailable_;
  std::string out_;
};

}  // namespace

std::string reference_markdown() { return ReferenceWriter().write(); }

}  // namespace tidegate::config
