#include "config/fmt.h"

#include <algorithm>
#include <vector>

#include "config/toml_parse.h"
#include "config/toml_scan.h"

namespace tidegate::config {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::string_view kBeforeComment = "  ";  // between the end of a line and its comment
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed_right(std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r") + 1); }

// Lays out one value, from behind its '=' to the end of the line on which it ends.
class ValueLayout {
 public:
  ValueLayout(TomlScanner& scanner, std::size_t indent, std::string& out)
      : scanner_(scanner), indent_(indent), out_(out) {}

  void write() {
    for (;;) {
      const TomlToken token = scanner_.next(in_key_);
      using Kind = TomlToken::Kind;
      if (token.kind == Kind::kEnd || (token.kind == Kind::kNewline && open_.empty())) return;
      switch (token.kind) {
        case Kind::kBlank: blank_ = true; break;
        case Kind::kNewline: end_line(); break;
        case Kind::kComment: write_comment(token.text); break;
        case Kind::kMark: write_mark(token.text.front()); break;
        default: write_word(token);
      }
    }
  }

 private:
  enum class Last : std::uint8_t { kNothing, kOpening, kComma, kEquals, kWord, kClosing };

  // Inside brackets a value may go on: remembers the line's end until something follows.
  void end_line() {
    ++line_ends_;
    blank_ = false;
  }

  // Begins a new line when one ended; `closing` brackets stand one step further left. False: still on the same line.
  bool begin_line(bool closing) {
    if (line_ends_ == 0) return false;
    const bool edge = last_ == Last::kOpening || closing;  // no empty line next to a bracket
    out_ += line_ends_ > 1 && !edge ? "\n\n" : "\n";
    out_.append(indent_ + kIndent * (open_.size() - (closing ? 1 : 0)), ' ');
    line_ends_ = 0;
    return true;
  }

  void write_comment(std::string_view text) {
    if (!begin_line(false)) out_ += kBeforeComment;
    out_ += trimmed_right(text);
    blank_ = false;
  }

  // The blank that belongs between the last piece and the next one of a line.
  void separate(bool braces) {
    if (last_ == Last::kComma || last_ == Last::kEquals) out_ += ' ';
    if (last_ == Last::kOpening && braces) out_ += ' ';
  }

  void write_mark(char mark) {
    const bool closing = mark == ']' || mark == '}';
    const bool fresh = begin_line(closing);
    if (mark == ',' || mark == '.') {
      out_ += mark;
      last_ = mark == ',' ? Last::kComma : Last::kNothing;
      in_key_ = mark == '.' ? in_key_ : !open_.empty() && open_.back() == '{';
    } else if (mark == '=') {
      out_ += " =";
      last_ = Last::kEquals;
      in_key_ = false;
    } else if (closing) {
      if (last_ == Last::kComma && !fresh) out_.pop_back();  // a last comma is for lists of several lines
      if (mark == '}' && last_ != Last::kOpening && !fresh) out_ += ' ';
      out_ += mark;
      if (!open_.empty()) open_.pop_back();
      last_ = Last::kClosing;
      in_key_ = false;
    } else {
      if (!fresh) separate(in_braces());
      out_ += mark;
      open_ += mark;
      last_ = Last::kOpening;
      in_key_ = mark == '{';
    }
    blank_ = false;
  }

  void write_word(const TomlToken& token) {
    if (!begin_line(false)) {
      separate(in_braces());
      // A date and its time may have one blank between them.
      if (last_ == Last::kWord && blank_ && !in_key_) out_ += ' ';
    }
    out_ += token.kind == TomlToken::Kind::kString ? token.text : trimmed_right(token.text);
    last_ = Last::kWord;
    blank_ = false;
  }

  [[nodiscard]] bool in_braces() const { return !open_.empty() && open_.back() == '{'; }

  TomlScanner& scanner_;
  std::size_t indent_;
  std::string& out_;
  std::string open_;  // the brackets that are open
  Last last_ = Last::kEquals;
  bool in_key_ = false;
  bool blank_ = false;
  std::size_t line_ends_ = 0;
};

// Lays out a document, statement by statement.
class Layout {
 public:
  explicit Layout(std::string_view text) : text_(text), scanner_(text) {}

  std::string write() {
    for (;;) {
      const TomlToken token = scanner_.next();
      switch (token.kind) {
        case TomlToken::Kind::kEnd: write_comments(0, false); return std::move(out_);
        case TomlToken::Kind::kBlank: break;
        case TomlToken::Kind::kNewline: ++line_ends_; break;
        case TomlToken::Kind::kComment: hold_comment(token); break;
        default: token.is('[') ? write_header(token) : write_key(token);
      }
    }
  }

 private:
  // A line of comment that waits for the statement after it, which decides its indentation.
  struct Held {
    std::string_view text;
    std::size_t column;
    bool blank_before;
  };

  [[nodiscard]] bool blank_line() const { return line_ends_ > 1; }

  void hold_comment(const TomlToken& token) {
    const std::size_t line = text_.rfind('\n', token.offset);
    const std::size_t column = line == std::string_view::npos ? token.offset : token.offset - line - 1;
    held_.push_back({trimmed_right(token.text), column, blank_line()});
    line_ends_ = 0;
  }

  // Writes the held comments. Those directly above a statement take its indentation; others that of the table they
  // stand in or of the next one, whichever is nearer to where they stood.
  void write_comments(std::size_t next_indent, bool attached_end) {
    std::size_t attached = held_.size();
    const bool touching = attached_end && !blank_line();
    while (touching && attached > 0 && !(attached < held_.size() && held_[attached].blank_before)) --attached;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Held& comment = held_[i];
      const auto distance = [&](std::size_t indent) {
        return comment.column > indent ? comment.column - indent : indent - comment.column;
      };
      const bool next = i >= attached || distance(next_indent) <= distance(indent_);
      const bool group_begins = i == attached && next_indent_is_header_;
      begin_line(comment.blank_before || group_begins, next ? next_indent : indent_);
      out_ += comment.text;
      out_ += '\n';
      after_header_ = false;
    }
    held_.clear();
  }

  // Begins a line, with an empty one before it if wanted and if something stands above.
  void begin_line(bool blank, std::size_t indent) {
    if (blank && !out_.empty() && !after_header_) out_ += '\n';
    out_.append(indent, ' ');
  }

  void write_header(const TomlToken& first) {
    std::string header;
    std::string comment;
    std::size_t dots = 0;
    for (TomlToken token = first; token.kind != TomlToken::Kind::kEnd && token.kind != TomlToken::Kind::kNewline;
         token = scanner_.next()) {
      if (token.kind == TomlToken::Kind::kBlank) continue;
      if (token.kind == TomlToken::Kind::kComment) {
        comment = std::string(kBeforeComment).append(trimmed_right(token.text));
        continue;
      }
      if (token.is('.')) ++dots;
      header += token.text;
    }
    next_indent_is_header_ = true;
    const bool separate = held_.empty() || blank_line();
    write_comments(dots * kIndent, true);
    next_indent_is_header_ = false;
    after_header_ = false;
    indent_ = dots * kIndent;
    begin_line(separate, indent_);
    out_ += header + comment + '\n';
    after_header_ = true;
    line_ends_ = 1;
  }

  void write_key(const TomlToken& first) {
    const bool blank = blank_line();
    write_comments(indent_, true);
    begin_line(blank, indent_);
    for (TomlToken token = first; !token.is('='); token = scanner_.next()) {
      if (token.kind == TomlToken::Kind::kEnd || token.kind == TomlToken::Kind::kNewline) break;
      if (token.kind != TomlToken::Kind::kBlank) out_ += token.text;
    }
    out_ += " =";
    ValueLayout(scanner_, indent_, out_).write();
    out_ += '\n';
    after_header_ = false;
    line_ends_ = 1;
  }

  std::string_view text_;
  TomlScanner scanner_;
  std::string out_;
  std::vector<Held> held_;
  std::size_t indent_ = 0;     // of the current table
  std::size_t line_ends_ = 1;  // since the last statement or comment; more than one: an empty line
  bool after_header_ = false;  // nothing was written below the last header yet: no empty line there
  bool next_indent_is_header_ = false;
};

}  // namespace

std::optional<std::string> format_toml(std::string_view text, std::uint32_t file, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  const TomlDocument original = parse_toml(text, file, diagnostics);
  if (!original.readable || diagnostics.size() != before) return std::nullopt;
  std::string_view body = text;
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  std::string formatted = Layout(body).write();
  Diagnostics ignored;
  const TomlDocument result = parse_toml(formatted, file, ignored);
  if (!result.readable || !ignored.empty() || !same_meaning(original.root, result.root)) {
    diagnostics.push_back(
        {.at = {file, 0, 0},
         .message = "the file was left as it is: its layout cannot be changed without changing its meaning"});
    return std::nullopt;
  }
  return formatted;
}

}  // namespace tidegate::config
