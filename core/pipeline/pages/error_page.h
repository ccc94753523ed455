// The body of an error response, for people, terminals and programs.
//
// Owner: pipeline. Thread: any. Pure: nothing of the request is in it but what the caller passes, and that is escaped.
//
// The form depends on Accept, so send `Vary: Accept` with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tidegate::pages {

enum class ErrorFormat : std::uint8_t {
  kText,  // a terminal, a script, fetch() of a page: whoever does not ask for more
  kHtml,  // a browser
  kJson,  // problem details (RFC 9457)
};

/// The form to send. Accept absent, malformed or naming none of them gives text: an error is never answered by 406.
[[nodiscard]] ErrorFormat choose_error_format(std::span<const std::string_view> accept_lines) noexcept;

struct ErrorPage {
  int status = 500;
  std::string_view reason;      // empty: the registered phrase of the status
  std::string_view hint;        // one sentence that says what to do; may be empty
  std::string_view request_id;  // to find the request in the log; may be empty
};

/// Renders the body. Every member may hold any bytes.
[[nodiscard]] std::string render_error(const ErrorPage& page, ErrorFormat format);

/// The value of Content-Type for a form.
[[nodiscard]] std::string_view error_content_type(ErrorFormat format) noexcept;

/// Content-Security-Policy of the HTML form.
[[nodiscard]] std::string_view error_policy() noexcept;

}  // namespace tidegate::pages
