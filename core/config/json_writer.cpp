#include "config/json_writer.h"

#include "config/utf8.h"

namespace tidegate::config {

void JsonWriter::new_line() {
  if (!indented_) return;
  text_ += '\n';
  text_.append(depth_ * 2, ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  if (!first_) text_ += ',';
  first_ = false;
  new_line();
}

void JsonWriter::open(char bracket) {
  before_value();
  text_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  before_value();
  quote(name);
  text_ += indented_ ? ": " : ":";
  after_key_ = true;
}

void JsonWriter::string(std::string_view value) {
  before_value();
  quote(value);
}

void JsonWriter::raw(std::string_view json) {
  before_value();
  text_ += json;
}

void JsonWriter::quote(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  text_ += '"';
  for (std::size_t i = 0; i < value.size();) {
    const auto c = static_cast<unsigned char>(value[i]);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += value[i++];
    } else if (c == '\n' || c == '\r' || c == '\t') {
      text_ += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
      ++i;
    } else if (c < 0x20) {
      text_ += "\\u00";
      text_ += kHex[c >> 4U];
      text_ += kHex[c & 0xFU];
      ++i;
    } else if (const std::size_t length = utf8_length(value.substr(i)); length != 0) {
      text_ += value.substr(i, length);
      i += length;
    } else {
      text_ += "\xEF\xBF\xBD";
      ++i;
    }
  }
  text_ += '"';
}

}  // namespace tidegate::config
