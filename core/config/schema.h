// The schema: every setting is said once, as a Field of an ObjectInfo, and everything else is made from these tables:
// the TOML and JSON readers, the JSON form, the published JSON Schema, the reference page.
//
// The tables are constants (schema_*.cpp); any thread may read them. codec.h makes Fields from member pointers.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "config/source.h"

namespace tidegate::config {

class Reader;
class Writer;
struct Field;
struct ObjectInfo;

// What kind of value a setting takes, described well enough for a message, a schema, a page and a form.
struct TypeInfo {
  enum class Kind : std::uint8_t { kBool, kInteger, kString, kEnum, kList, kMap, kObject, kChoice };
  Kind kind = Kind::kString;
  std::string_view name{};                       // "duration"; types of the same name are the same type
  std::string_view expects{};                    // for messages: "a duration such as \"10s\""
  std::string_view doc{};                        // for the reference page; empty: the name says it
  std::string_view pattern{};                    // kString: regular expression of JSON Schema; empty: anything
  std::string_view units{};                      // units to offer when a bare number is found, separated by blanks
  std::span<const std::string_view> words{};     // kEnum: the values; others: special words allowed beside the type
  const TypeInfo* element = nullptr;             // kList, kMap
  const ObjectInfo& (*object)() = nullptr;       // kObject
  std::array<const TypeInfo*, 3> choices{};      // kChoice: the forms; null ends the list
  std::string (*show)(std::uint64_t) = nullptr;  // how a bound of a range is written; null: as a number
};

// Smallest and largest value, in base units (bytes, milliseconds, items).
struct Range {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] constexpr bool bounded() const { return max != std::numeric_limits<std::uint64_t>::max() || min != 0; }
};

// One setting of an object. The functions work on the object (the struct of the model) that holds it.
struct Field {
  std::string_view name;
  std::string_view doc;
  const TypeInfo* type = nullptr;  // null: a known name that may not be used (here, or in this version)
  void (*read)(Reader&, const Value&, void* object, const Field&) = nullptr;
  void (*write)(Writer&, const void* object, const Value* source, const Field&) = nullptr;  // key and value
  bool (*is_default)(const void* object) = nullptr;
  Range range{};
  std::string_view reason{};  // limits: why there is one, and what happens when it is reached
  bool required = false;
  bool input_only = false;     // read, never written: another way to say a setting, or resolved while loading
  std::string_view only_in{};  // the one place of a name that is known here but stands elsewhere

  [[nodiscard]] constexpr bool available() const { return type != nullptr; }
  // Changed copies, so that a table reads as one line a setting.
  [[nodiscard]] constexpr Field in(std::uint64_t min, std::uint64_t max) const {
    Field copy = *this;
    copy.range = {min, max};
    return copy;
  }
  [[nodiscard]] constexpr Field must() const {
    Field copy = *this;
    copy.required = true;
    return copy;
  }
  [[nodiscard]] constexpr Field never_written() const {
    Field copy = *this;
    copy.input_only = true;
    return copy;
  }
  [[nodiscard]] constexpr Field because(std::string_view why) const {
    Field copy = *this;
    copy.reason = why;
    return copy;
  }
};

// A table of settings.
struct ObjectInfo {
  std::string_view name;   // unique; anchor of the reference page and name in the JSON Schema
  std::string_view title;  // heading of the reference page
  std::string_view doc;
  std::span<const Field> fields;
  const void* (*defaults)() = nullptr;                           // an object with every default
  void (*begin)(void* object, const Written&) = nullptr;         // stores where the object was written
  void (*check)(Reader&, const Value&, void* object) = nullptr;  // what one field alone cannot tell
  const ObjectInfo& (*repeats)() = nullptr;  // the table that describes the same settings; for the reference page
};

[[nodiscard]] const Field* find_field(const ObjectInfo& object, std::string_view name);

// The table of the whole configuration.
[[nodiscard]] const ObjectInfo& root_schema();

// The default of a setting as JSON text; empty when it is not set by default.
[[nodiscard]] std::string default_text(const ObjectInfo& object, const Field& field);
// "between 10ms and 1h"; empty when there is no range.
[[nodiscard]] std::string range_text(const Field& field);

}  // namespace tidegate::config
