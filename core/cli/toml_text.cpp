// TOML 1.0 from JSON; read with nlohmann/json, which throws: fenced here.
#include "cli/toml_text.h"

#include <nlohmann/json.hpp>

#include "config/fmt.h"

namespace tidegate::cli {

namespace {

using Json = nlohmann::ordered_json;

// Basic strings have JSON's escapes; TOML asks for one more, that of DEL.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '\x7f') {
      out += "\\u007F";
    } else {
      out += c;
    }
  }
  return out;
}

std::string key_text(const std::string& key) {
  constexpr std::string_view kBare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !key.empty() && key.find_first_not_of(kBare) == std::string::npos ? key : quoted(key);
}

class TomlWriter {
 public:
  // The members of a table that has the name `path`, plain values first: what follows a table heading belongs to it.
  void table(const Json& object, const std::string& path) {
    for (const auto& [key, value] : object.items()) {
      if (!apart(key, value, path)) out_ += key_text(key) + " = " + inline_value(value) + '\n';
    }
    for (const auto& [key, value] : object.items()) {
      if (!apart(key, value, path)) continue;
      const std::string name = path.empty() ? key_text(key) : path + '.' + key_text(key);
      if (value.is_object()) {
        out_ += "\n[" + name + "]\n";
        table(value, name);
      } else {
        for (const Json& element : value) {
          out_ += "\n[[" + name + "]]\n";
          table(element, name);
        }
      }
    }
  }

  [[nodiscard]] bool has_null() const { return null_; }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  // Whether the value gets a heading of its own.
  static bool apart(const std::string& key, const Json& value, const std::string& path) {
    if (path.empty() && value.is_object()) return true;
    const bool listed = (path.empty() && key == "site") || (path == "site" && key == "route");
    return listed && value.is_array() && !value.empty();
  }

  std::string inline_value(const Json& value) {
    if (value.is_null()) null_ = true;
    if (value.is_string()) return quoted(value.get<std::string>());
    if (!value.is_structured()) return value.dump();
    std::string out = value.is_array() ? "[" : "{ ";
    bool first = true;
    for (const auto& [key, element] : value.items()) {
      if (!first) out += ", ";
      first = false;
      if (value.is_object()) out += key_text(key) + " = ";
      out += inline_value(element);
    }
    return out + (value.is_array() ? "]" : " }");
  }

  std::string out_;
  bool null_ = false;
};

}  // namespace

std::optional<std::string> toml_from_json(std::string_view json) {
  try {
    const Json object = Json::parse(json, nullptr, false);
    if (!object.is_object()) return std::nullopt;
    TomlWriter writer;
    writer.table(object, "");
    if (writer.has_null()) return std::nullopt;
    config::Diagnostics ignored;
    auto formatted = config::format_toml(writer.text(), 0, ignored);
    return formatted ? std::move(*formatted) : writer.text();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tidegate::cli
