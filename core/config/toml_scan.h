// Cuts TOML text into tokens without judging it: what the formatter, the depth fence and the recovery after a syntax
// error need to know about strings, comments and brackets. The parser proper is in toml_parse.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tidegate::config {

struct TomlToken {
  enum class Kind : std::uint8_t {
    kEnd,
    kBlank,    // spaces and tabs
    kNewline,  // LF or CRLF
    kComment,  // from # to the end of the line
    kString,   // any of the four string forms, quotes included; to the end of the line or text when not closed
    kMark,     // one of = . , [ ] { }
    kBare,     // a run of anything else
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::size_t offset = 0;

  [[nodiscard]] bool is(char mark) const { return kind == Kind::kMark && text.front() == mark; }
};

class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text, std::size_t offset = 0) : text_(text), offset_(offset) {}

  // The next token. In a key a dot is a mark; in a value it belongs to the number or date around it.
  [[nodiscard]] TomlToken next(bool in_key = true);

 private:
  [[nodiscard]] std::size_t string_end() const;

  std::string_view text_;
  std::size_t offset_;
};

// One statement of a document: a table header, or a key with its value (over several lines when brackets are open).
struct TomlStatement {
  std::size_t begin = 0;   // offset of the first character that is not blank
  std::size_t end = 0;     // offset behind the last character, a trailing comment included, the line's end not
  std::size_t equals = 0;  // offset of the '=' of a key; 0 when there is none
  bool header = false;     // begins with '['
  bool closed = true;      // all brackets that it opens are closed
};

// The statements in written order; blank lines and lines of comment are left out.
[[nodiscard]] std::vector<TomlStatement> toml_statements(std::string_view text);

// What must be known before a text is given to the parser.
struct TomlSurvey {
  std::size_t longest_key = 1;  // parts of the longest dotted key or table name
  std::size_t first_foreign =
      std::string_view::npos;  // offset of the first character outside of ASCII that is neither in
                               // a string nor in a comment, where TOML has none
};
[[nodiscard]] TomlSurvey survey_toml(std::string_view text);

}  // namespace tidegate::config
