// One HTTP/1.1 answer in a buffer, as the control socket gives it: a status line, fields, and a body whose length is told.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace tidegate::cli {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// The error is a sentence: no HTTP, cut short, or framed in another way (RFC 9112 section 6.3) than by Content-Length.
[[nodiscard]] std::expected<HttpAnswer, std::string> parse_answer(std::string_view bytes);

}  // namespace tidegate::cli
