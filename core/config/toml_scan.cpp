#include "config/toml_scan.h"

#include <algorithm>

namespace tidegate::config {
namespace {

constexpr std::string_view kMarks = "=.,[]{}";
constexpr std::string_view kBareEnds = " \t\n#\"'=,[]{}";
constexpr std::string_view kBareEndsInKey = " \t\n#\"'=,[]{}.";

}  // namespace

// Offset behind the string that begins at offset_.
std::size_t TomlScanner::string_end() const {
  const char quote = text_[offset_];
  const bool escapes = quote == '"';
  const std::string_view triple = escapes ? "\"\"\"" : "'''";
  const bool multi_line = text_.substr(offset_).starts_with(triple);
  std::size_t at = offset_ + (multi_line ? 3 : 1);
  for (; at < text_.size(); ++at) {
    if (escapes && text_[at] == '\\') {
      ++at;
    } else if (!multi_line && text_[at] == '\n') {
      return at;
    } else if (!multi_line && text_[at] == quote) {
      return at + 1;
    } else if (multi_line && text_.substr(at).starts_with(triple)) {
      at += 3;
      // One or two quotes may stand before the closing three.
      for (int extra = 0; extra < 2 && at < text_.size() && text_[at] == quote; ++extra) ++at;
      return at;
    }
  }
  return text_.size();
}

TomlToken TomlScanner::next(bool in_key) {
  using Kind = TomlToken::Kind;
  if (offset_ >= text_.size()) return {Kind::kEnd, {}, text_.size()};
  const std::size_t begin = offset_;
  const auto take = [&](Kind kind, std::size_t end) {
    offset_ = std::min(end, text_.size());
    return TomlToken{kind, text_.substr(begin, offset_ - begin), begin};
  };
  const char c = text_[begin];
  if (c == ' ' || c == '\t') return take(Kind::kBlank, text_.find_first_not_of(" \t", begin));
  if (c == '\n') return take(Kind::kNewline, begin + 1);
  if (text_.substr(begin).starts_with("\r\n")) return take(Kind::kNewline, begin + 2);
  if (c == '#') {
    std::size_t end = std::min(text_.find('\n', begin), text_.size());
    if (end < text_.size() && text_[end - 1] == '\r') --end;
    return take(Kind::kComment, end);
  }
  if (c == '"' || c == '\'') return take(Kind::kString, string_end());
  if (kMarks.find(c) != std::string_view::npos && (in_key || c != '.')) return take(Kind::kMark, begin + 1);
  std::size_t end = std::min(text_.find_first_of(in_key ? kBareEndsInKey : kBareEnds, begin + 1), text_.size());
  if (end < text_.size() && text_[end] == '\n' && text_[end - 1] == '\r' && end - 1 > begin) --end;
  return take(Kind::kBare, end);
}

namespace {

// Reads the rest of the statement that `first` begins.
TomlStatement read_statement(TomlScanner& scanner, const TomlToken& first) {
  TomlStatement statement;
  statement.begin = first.offset;
  statement.header = first.is('[');
  std::size_t depth = 0;
  for (TomlToken token = first;; token = scanner.next(statement.equals == 0)) {
    const bool ends = token.kind == TomlToken::Kind::kNewline && (depth == 0 || statement.equals == 0);
    if (ends || token.kind == TomlToken::Kind::kEnd) break;
    if (token.kind != TomlToken::Kind::kBlank && token.kind != TomlToken::Kind::kNewline) {
      statement.end = token.offset + token.text.size();
    }
    if (token.is('=') && statement.equals == 0 && !statement.header) statement.equals = token.offset;
    if (statement.equals == 0) continue;
    if (token.is('[') || token.is('{')) ++depth;
    if ((token.is(']') || token.is('}')) && depth > 0) --depth;
  }
  statement.closed = depth == 0;
  return statement;
}

}  // namespace

std::vector<TomlStatement> toml_statements(std::string_view text) {
  std::vector<TomlStatement> statements;
  TomlScanner scanner(text);
  for (;;) {
    const TomlToken token = scanner.next();
    switch (token.kind) {
      case TomlToken::Kind::kEnd: return statements;
      case TomlToken::Kind::kBlank:
      case TomlToken::Kind::kNewline:
      case TomlToken::Kind::kComment: break;
      default: statements.push_back(read_statement(scanner, token));
    }
  }
}

TomlSurvey survey_toml(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  TomlScanner scanner(text, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  TomlSurvey survey;
  std::size_t dots = 0;
  for (TomlToken token = scanner.next(); token.kind != TomlToken::Kind::kEnd; token = scanner.next()) {
    if (token.is('.')) {
      survey.longest_key = std::max(survey.longest_key, ++dots + 1);
    } else if (token.kind == TomlToken::Kind::kMark || token.kind == TomlToken::Kind::kNewline) {
      dots = 0;
    } else if (token.kind == TomlToken::Kind::kBare && survey.first_foreign == std::string_view::npos) {
      const auto foreign =
          std::ranges::find_if(token.text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
      if (foreign == token.text.end()) continue;
      survey.first_foreign = token.offset + static_cast<std::size_t>(foreign - token.text.begin());
    }
  }
  return survey;
}

}  // namespace tidegate::config
