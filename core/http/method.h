// The request method and the protocol version, as values that all codecs share (RFC 9110 sections 9 and 2.5).
//
// Owner: http. Thread: any. Pure functions over static text.
#pragma once

#include <cstdint>
#include <string_view>

namespace tidegate::http {

/// The methods of RFC 9110 and RFC 5789. Any other token is kOther; its text stays with the message.
enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kDelete, kConnect, kOptions, kTrace, kPatch, kOther };

enum class Version : std::uint8_t { kHttp10, kHttp11, kHttp2, kHttp3 };

/// The four forms of a request target (RFC 9112 section 3.2).
enum class TargetForm : std::uint8_t { kOrigin, kAbsolute, kAuthority, kAsterisk };

/// The method that a token names. Method names are case-sensitive (RFC 9110 section 9.1): "get" is kOther.
[[nodiscard]] Method method_from_token(std::string_view token) noexcept;

/// "GET", "HEAD" and so on; empty for kOther.
[[nodiscard]] std::string_view name_of(Method method) noexcept;

/// "HTTP/1.0", "HTTP/1.1", "HTTP/2.0" or "HTTP/3.0", the form that access logs use.
[[nodiscard]] std::string_view name_of(Version version) noexcept;

}  // namespace tidegate::http
