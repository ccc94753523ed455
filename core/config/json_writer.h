// Writes JSON text (RFC 8259) piece by piece; commas, indentation and escapes are done here and nowhere else.
//
// A value object of one thread. Calls must nest properly; strings that are not valid UTF-8 are written with U+FFFD in
// place of each bad byte, so the output is always valid JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidegate::config {

class JsonWriter {
 public:
  enum class Layout : std::uint8_t { kCompact, kIndented };
  explicit JsonWriter(Layout layout = Layout::kIndented) : indented_(layout == Layout::kIndented) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void string(std::string_view value);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void integer(std::int64_t value) { raw(std::to_string(value)); }
  void unsigned_integer(std::uint64_t value) { raw(std::to_string(value)); }
  void null() { raw("null"); }
  // A value that is JSON text already.
  void raw(std::string_view json);

  // key() and string() in one.
  void member(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void new_line();
  void quote(std::string_view value);

  std::string text_;
  std::size_t depth_ = 0;
  bool indented_;
  bool first_ = true;  // nothing was written yet in the innermost array or object
  bool after_key_ = false;
};

}  // namespace tidegate::config
