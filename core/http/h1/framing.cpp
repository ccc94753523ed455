// Host, body and connection from the fields. See framing.h.
#include "http/h1/framing.h"

#include <limits>
#include <optional>

#include "http/authority.h"
#include "http/semantics/chars.h"

namespace tidegate::http::h1 {
namespace {

constexpr std::uint64_t kFramingFields = bit_of(KnownField::kContentLength) | bit_of(KnownField::kTransferEncoding) |
                                         bit_of(KnownField::kConnection) | bit_of(KnownField::kExpect);

constexpr std::uint64_t kMaxLength = std::numeric_limits<std::int64_t>::max();

// Host is checked even when an absolute target overrides it (RFC 9112 section 3.2.2).
Rule derive_host(RequestHead& head) noexcept {
  if (!head.fields.contains(KnownField::kHost)) {
    return head.version == Version::kHttp10 ? Rule::kNone : Rule::kMissingHost;
  }
  if (head.fields.is_repeated(KnownField::kHost)) return Rule::kRepeatedHost;
  const std::size_t index = head.fields.first_index(KnownField::kHost);
  const std::string_view value = head.fields.value(index);
  const bool is_overridden = !head.host.empty();
  // An empty value says that the target has no authority (RFC 9112 section 3.2). The default site answers.
  if (value.empty()) return Rule::kNone;
  const std::optional<Authority> authority = parse_authority(value);
  if (!authority) return Rule::kBadHost;
  if (is_overridden) return Rule::kNone;
  head.host = {head.fields.value_span(index).offset, static_cast<std::uint32_t>(authority->host.size())};
  head.port = authority->port;
  return Rule::kNone;
}

// Only the coding "chunked", once. `is_chunked` tells whether an earlier line had it.
Rule read_codings(std::string_view line, bool& is_chunked) noexcept {
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view coding = trim_ows(line.substr(0, comma));
    const std::string_view name = trim_ows(coding.substr(0, coding.find(';')));
    if (!is_token(name) || is_chunked) return Rule::kBadTransferEncoding;
    if (!equals_ignore_case(name, "chunked")) return Rule::kUnknownCoding;
    if (coding.size() != name.size()) return Rule::kBadTransferEncoding;  // chunked has no parameters
    is_chunked = true;
    if (comma == std::string_view::npos) return Rule::kNone;
    line.remove_prefix(comma + 1);
  }
}

Rule derive_chunked(RequestHead& head) noexcept {
  if (head.fields.contains(KnownField::kContentLength)) return Rule::kLengthAndCoding;
  if (head.version == Version::kHttp10) return Rule::kCodingInHttp10;
  bool is_chunked = false;
  Rule broken = Rule::kNone;
  head.fields.for_each(KnownField::kTransferEncoding, [&](std::string_view line) {
    if (broken == Rule::kNone) broken = read_codings(line, is_chunked);
  });
  head.body = BodyKind::kChunked;
  return broken;
}

Rule derive_length(RequestHead& head) noexcept {
  if (head.fields.is_repeated(KnownField::kContentLength)) return Rule::kRepeatedContentLength;
  const std::string_view digits = *head.fields.find(KnownField::kContentLength);
  if (digits.empty()) return Rule::kBadContentLength;
  std::uint64_t value = 0;
  bool is_too_large = false;
  for (const char c : digits) {
    if (!is_digit(c)) return Rule::kBadContentLength;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    is_too_large = is_too_large || value > (kMaxLength - digit) / 10;
    value = value * 10 + digit;
  }
  if (is_too_large) return Rule::kContentLengthTooLarge;
  head.content_length = value;
  head.body = BodyKind::kLength;
  return Rule::kNone;
}

std::uint8_t connection_bit(std::string_view option) noexcept {
  if (equals_ignore_case(option, "close")) return kConnectionClose;
  if (equals_ignore_case(option, "keep-alive")) return kConnectionKeepAlive;
  if (equals_ignore_case(option, "upgrade")) return kConnectionUpgrade;
  return kConnectionOther;
}

// An element that is no known option only concerns who forwards the message, so it is never an error here.
void derive_connection(RequestHead& head) noexcept {
  head.for_each_connection_option([&](std::string_view option) { head.connection |= connection_bit(option); });
}

// HTTP/1.0 clients cannot mean it (RFC 9110 section 10.1.1), and without a body there is nothing to wait for.
Rule derive_expectation(RequestHead& head) noexcept {
  bool is_known = true;
  head.fields.for_each(KnownField::kExpect, [&](std::string_view value) {
    is_known = is_known && equals_ignore_case(value, "100-continue");
  });
  if (!is_known) return Rule::kUnknownExpectation;
  const bool has_body = head.body == BodyKind::kChunked || head.content_length != 0;
  head.expect_continue = has_body && head.version == Version::kHttp11;
  return Rule::kNone;
}

Rule derive_body_and_connection(RequestHead& head) noexcept {
  Rule broken = Rule::kNone;
  if (head.fields.contains(KnownField::kTransferEncoding)) {
    broken = derive_chunked(head);
  } else if (head.fields.contains(KnownField::kContentLength)) {
    broken = derive_length(head);
  }
  if (broken != Rule::kNone) return broken;
  derive_connection(head);
  return head.fields.contains(KnownField::kExpect) ? derive_expectation(head) : Rule::kNone;
}

}  // namespace

Rule derive_framing(RequestHead& head) noexcept {
  if (const Rule broken = derive_host(head); broken != Rule::kNone) return broken;
  if (head.fields.contains_any(kFramingFields)) {
    if (const Rule broken = derive_body_and_connection(head); broken != Rule::kNone) return broken;
  }
  const bool is_http11 = head.version == Version::kHttp11;
  head.keep_alive =
      (head.connection & kConnectionClose) == 0 && (is_http11 || (head.connection & kConnectionKeepAlive) != 0);
  // Upgrade in an HTTP/1.0 request is ignored (RFC 9110 section 7.8).
  head.upgrade = is_http11 && (head.connection & kConnectionUpgrade) != 0 && head.fields.contains(KnownField::kUpgrade);
  return Rule::kNone;
}

}  // namespace tidegate::http::h1
