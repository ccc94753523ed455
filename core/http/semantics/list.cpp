// List and parameter readers. See list.h.
#include "http/semantics/list.h"

#include "http/semantics/chars.h"

namespace tidegate::http {

std::size_t find_outside_quotes(std::string_view text, char separator, bool& is_closed) noexcept {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '\\' && i + 1 < text.size()) {
      ++i;  // quoted-pair: the next byte is data
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == separator && !is_quoted) {
      is_closed = true;
      return i;
    }
  }
  is_closed = !is_quoted;
  return text.size();
}

std::optional<std::string_view> ListReader::next() noexcept {
  for (;;) {
    while (rest_.empty()) {
      if (lines_.empty()) return std::nullopt;
      rest_ = lines_.front();
      lines_ = lines_.subspan(1);
    }
    bool is_closed = true;
    const std::size_t end = find_outside_quotes(rest_, ',', is_closed);
    const std::string_view element = trim_ows(rest_.substr(0, end));
    rest_.remove_prefix(end < rest_.size() ? end + 1 : end);
    if (!is_closed) is_malformed_ = true;
    if (!element.empty()) return element;
  }
}

ParameterReader::ParameterReader(std::string_view element) noexcept {
  bool is_closed = true;
  const std::size_t end = find_outside_quotes(element, ';', is_closed);
  head_ = trim_ows(element.substr(0, end));
  rest_ = element.substr(end < element.size() ? end + 1 : end);
}

std::optional<Parameter> ParameterReader::next() noexcept {
  while (!rest_.empty()) {
    bool is_closed = true;
    const std::size_t end = find_outside_quotes(rest_, ';', is_closed);
    const std::string_view text = trim_ows(rest_.substr(0, end));
    rest_.remove_prefix(end < rest_.size() ? end + 1 : end);
    if (text.empty()) continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return Parameter{text, {}, false};
    Parameter parameter{text.substr(0, equals), text.substr(equals + 1), false};
    const std::string_view value = parameter.value;
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      parameter.value = value.substr(1, value.size() - 2);
      parameter.is_quoted = true;
    }
    return parameter;
  }
  return std::nullopt;
}

bool list_contains(std::span<const std::string_view> lines, std::string_view token) noexcept {
  ListReader reader(lines);
  while (const auto element = reader.next()) {
    if (equals_ignore_case(*element, token)) return true;
  }
  return false;
}

}  // namespace tidegate::http
