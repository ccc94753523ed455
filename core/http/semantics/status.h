// Status codes: reason phrases and the few facts that depend on the code alone (RFC 9110 section 15 and the IANA
// registry of HTTP status codes).
//
// Owner: http/semantics. Thread: any. Everything is usable at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidegate::http {

inline constexpr int kMinStatus = 100;
inline constexpr int kMaxStatus = 599;

namespace detail {

struct StatusName {
  int code;
  std::string_view reason;
};

inline constexpr StatusName kStatusNames[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {104, "Upload Resumption Supported"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {418, "I'm a Teapot"},  // the registry reserves the code; this is what everyone knows it as
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
};

consteval auto make_reason_table() {
  std::array<std::string_view, kMaxStatus - kMinStatus + 1> table{};
  for (const StatusName& entry : kStatusNames) table[static_cast<std::size_t>(entry.code - kMinStatus)] = entry.reason;
  return table;
}

inline constexpr auto kReasons = make_reason_table();

}  // namespace detail

/// A status code that may stand in a status line: 100 to 599 (RFC 9110 section 15).
[[nodiscard]] constexpr bool is_valid_status(int status) noexcept {
  return status >= kMinStatus && status <= kMaxStatus;
}

/// The reason phrase, or an empty view for a code that is not registered. An empty phrase is allowed on the wire.
[[nodiscard]] constexpr std::string_view reason_phrase(int status) noexcept {
  if (!is_valid_status(status)) return {};
  return detail::kReasons[static_cast<std::size_t>(status - kMinStatus)];
}

/// What a recipient does with a code, also one it does not know (RFC 9110 section 15: by the first digit).
enum class StatusClass : std::uint8_t { kInformational = 1, kSuccessful, kRedirection, kClientError, kServerError };

/// `status` must be valid.
[[nodiscard]] constexpr StatusClass status_class(int status) noexcept { return static_cast<StatusClass>(status / 100); }

/// True for responses that never have content: 1xx, 204, 304 (RFC 9110 section 6.4.1). HEAD and CONNECT are a matter of
/// the method, not of the code.
[[nodiscard]] constexpr bool status_forbids_content(int status) noexcept {
  return (status >= 100 && status < 200) || status == 204 || status == 304;
}

}  // namespace tidegate::http
