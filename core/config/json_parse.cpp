#include "config/json_parse.h"

#include <charconv>
#include <unordered_set>
#include <utility>

#include "config/utf8.h"

namespace tidegate::config {
namespace {

// A recursive descent parser; every method returns false after the first error, which it has recorded in message_.
class JsonParser {
 public:
  JsonParser(std::string_view text, std::uint32_t file) : text_(text), file_(file) {}

  bool parse(Value& root) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
    skip_blank();
    if (!parse_value(root, 0)) return false;
    skip_blank();
    return at_ == text_.size() || fail("unexpected text after the end of the document");
  }

  [[nodiscard]] Diagnostic error() const {
    Diagnostic diagnostic;
    diagnostic.at = place();
    diagnostic.message = "JSON syntax: " + message_;
    return diagnostic;
  }

 private:
  // Counts on from the last place asked for, so that a document in one long line stays linear.
  [[nodiscard]] SourceLocation place() const {
    if (counted_to_ < line_start_ || counted_to_ > at_) {
      counted_to_ = line_start_;
      column_ = 1;
    }
    column_ += static_cast<std::uint32_t>(utf8_count(text_.substr(counted_to_, at_ - counted_to_)));
    counted_to_ = at_;
    return {file_, line_, column_};
  }
  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_blank() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  bool parse_value(Value& value, std::size_t depth) {
    value.at = place();
    switch (peek()) {
      case '{': return depth < kMaxJsonDepth ? parse_object(value, depth) : fail("nested deeper than 64 levels");
      case '[': return depth < kMaxJsonDepth ? parse_array(value, depth) : fail("nested deeper than 64 levels");
      case '"': value.kind = Value::Kind::kString; return parse_string(value.text);
      case 't':
        value.kind = Value::Kind::kBool;
        value.boolean = true;
        return word("true");
      case 'f': value.kind = Value::Kind::kBool; return word("false");
      case 'n': value.kind = Value::Kind::kNull; return word("null");
      default: return parse_number(value);
    }
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return fail("expected " + std::string(expected));
    at_ += expected.size();
    return true;
  }

  bool parse_object(Value& value, std::size_t depth) {
    value.kind = Value::Kind::kTable;
    std::unordered_set<std::string> seen;
    ++at_;
    skip_blank();
    if (take('}')) return true;
    for (;;) {
      Member member{{}, place(), {}};
      if (peek() != '"') return fail("expected a key in double quotes");
      if (!parse_string(member.key)) return false;
      if (!seen.insert(member.key).second) return fail("the key " + in_quotes(member.key) + " is given twice");
      skip_blank();
      if (!take(':')) return fail("expected ':' after a key");
      skip_blank();
      if (!parse_value(member.value, depth + 1)) return false;
      value.members.push_back(std::move(member));
      skip_blank();
      if (take('}')) return true;
      if (!take(',')) return fail("expected ',' or '}' in an object");
      skip_blank();
    }
  }

  bool parse_array(Value& value, std::size_t depth) {
    value.kind = Value::Kind::kArray;
    ++at_;
    skip_blank();
    if (take(']')) return true;
    for (;;) {
      Member element{{}, place(), {}};
      if (!parse_value(element.value, depth + 1)) return false;
      value.members.push_back(std::move(element));
      skip_blank();
      if (take(']')) return true;
      if (!take(',')) return fail("expected ',' or ']' in an array");
      skip_blank();
    }
  }

  bool parse_string(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (take('"')) return true;
      if (c == '\\') {
        if (!parse_escape(out)) return false;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character in a string must be escaped");
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) return fail("a string is not valid UTF-8");
      out += text_.substr(at_, length);
      at_ += length;
    }
    return fail("a string is not closed");
  }

  bool parse_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++at_;
    const char name = peek();
    if (const std::size_t known = kNames.find(name); name != '\0' && known != std::string_view::npos) {
      out += kMeanings[known];
      ++at_;
      return true;
    }
    std::uint32_t code = 0;
    if (!take('u') || !parse_hex(code)) return fail("unknown escape in a string");
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      if (!take('\\') || !take('u') || !parse_hex(low) || low < 0xDC00 || low > 0xDFFF)
        return fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      return fail("half of a surrogate pair");
    }
    utf8_append(out, code);
    return true;
  }

  bool parse_hex(std::uint32_t& code) {
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || digits.size() != 4 || end != digits.data() + 4) return false;
    at_ += 4;
    return true;
  }

  // number = [ "-" ] ( "0" / 1-9 *DIGIT ) [ "." 1*DIGIT ] [ e [ +- ] 1*DIGIT ]
  bool parse_number(Value& value) {
    const std::size_t begin = at_;
    const auto digits = [this] {
      const std::size_t from = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ - from;
    };
    take('-');
    const bool zero = peek() == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) return at_ = begin, fail("expected a value");
    bool fraction = false;
    if (take('.')) {
      fraction = true;
      if (digits() == 0) return fail("expected a digit");
    }
    if (peek() == 'e' || peek() == 'E') {
      fraction = true;
      ++at_;
      if (!take('+')) take('-');
      if (digits() == 0) return fail("expected a digit");
    }
    return convert_number(value, text_.substr(begin, at_ - begin), fraction);
  }

  bool convert_number(Value& value, std::string_view text, bool fraction) {
    value.kind = fraction ? Value::Kind::kFloat : Value::Kind::kInteger;
    const char* end = text.data() + text.size();
    const auto result =
        fraction ? std::from_chars(text.data(), end, value.number) : std::from_chars(text.data(), end, value.integer);
    return result.ec == std::errc() || fail("the number does not fit");
  }

  std::string_view text_;
  std::uint32_t file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  mutable std::size_t counted_to_ = 0;  // column_ is the column of this offset
  mutable std::uint32_t column_ = 1;
  std::string message_;
};

}  // namespace

JsonDocument parse_json(std::string_view text, std::uint32_t file, Diagnostics& diagnostics) {
  JsonDocument document;
  if (text.size() > kMaxJsonBytes) {
    diagnostics.push_back({.at = {file, 0, 0}, .message = "the document is larger than 64 MiB"});
    return document;
  }
  JsonParser parser(text, file);
  document.readable = parser.parse(document.root);
  if (!document.readable) {
    diagnostics.push_back(parser.error());
    document.root = Value(Value::Kind::kInvalid, {file, 1, 1});
  }
  return document;
}

}  // namespace tidegate::config
