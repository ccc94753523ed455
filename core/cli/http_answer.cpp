#include "cli/http_answer.h"

#include <charconv>
#include <optional>

#include "config/text_rules.h"

namespace tidegate::cli {

namespace {

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::unexpected<std::string> wrong(std::string why) { return std::unexpected<std::string>(std::move(why)); }

// The value of a field in `head`, whose lines end with CRLF; none when it is missing.
std::optional<std::string_view> field_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !config::equal_ignoring_case(line.substr(0, colon), name)) continue;
    return trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

}  // namespace

std::expected<HttpAnswer, std::string> parse_answer(std::string_view bytes) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  constexpr std::size_t kStatusSize = 3;
  if (!bytes.starts_with(kVersion)) return wrong("it does not speak HTTP/1.1");
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return wrong("the answer was cut short");
  const std::string_view head = bytes.substr(0, end + 2);
  const auto status = whole_number<int>(head.substr(kVersion.size(), kStatusSize));
  if (!status || *status < 100 || *status > 599) return wrong("its answer has no status");
  if (field_of(head, "Transfer-Encoding")) return wrong("its answer has no length");
  const auto told = field_of(head, "Content-Length");
  const auto length = told ? whole_number<std::size_t>(*told) : std::nullopt;
  if (!length) return wrong("its answer has no length");
  const std::string_view body = bytes.substr(end + 4);
  if (body.size() < *length) return wrong("the answer was cut short");
  return HttpAnswer{*status, std::string(body.substr(0, *length))};
}

}  // namespace tidegate::cli
