// The neutral tree between a text (TOML or JSON) and the typed model: one reader serves both formats.
//
// Trees are owned by their SourceFile. Tables keep the order in which their keys were written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/source.h"

namespace tidegate::config {

struct Member;

struct Value {
  enum class Kind : std::uint8_t {
    kInvalid,  // a value that the parser has already complained about: readers stay silent
    kNull,     // JSON only
    kBool,
    kInteger,
    kFloat,
    kDate,  // any TOML date or time
    kString,
    kArray,
    kTable,
  };

  Value();
  explicit Value(Kind of, SourceLocation where = {});
  Value(Value&&) noexcept;
  Value& operator=(Value&&) noexcept;
  ~Value();

  Kind kind = Kind::kNull;
  bool boolean = false;
  SourceLocation at;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;                  // kString: the value, placeholders expanded
  std::unique_ptr<std::string> raw;  // kString with placeholders: as written; shown instead of the (secret) value
  std::vector<Member> members;       // kTable: the entries; kArray: the elements, with empty keys

  // The member of a table, or null.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const Member* find_member(std::string_view key) const;
};

struct Member {
  std::string key;
  SourceLocation key_at;
  Value value;
};

// "a string", "the number 5", "a table": how a message names what it found.
[[nodiscard]] std::string describe(const Value& value);
// A string for a message: quoted, shortened, and as written when it came from a placeholder.
[[nodiscard]] std::string in_quotes(const Value& value);
[[nodiscard]] std::string in_quotes(std::string_view text);
// Whether both say the same; places and the order of table keys do not count.
[[nodiscard]] bool same_meaning(const Value& a, const Value& b);

}  // namespace tidegate::config
