// Sets of bytes that the HTTP/1.1 grammar allows somewhere, in the forms that scalar and vector scans look up.
//
// Owner: http/h1. Thread: any. Constants, built at compile time.
// Invariant: `member` and the two nibble tables describe the same set. For a byte with nibbles high and low:
// member(byte) == ((low[low nibble] & high[high nibble]) != 0).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/semantics/chars.h"

namespace tidegate::http::h1 {

struct ByteClass {
  alignas(16) std::array<std::uint8_t, 16> low{};
  alignas(16) std::array<std::uint8_t, 16> high{};
  std::array<bool, 256> member{};

  [[nodiscard]] constexpr bool contains(char c) const noexcept { return member[static_cast<unsigned char>(c)]; }
};

namespace detail {

/// Builds a class from `allows` over ASCII; `high_bytes` says whether 0x80 to 0xFF belong to it, all or none.
template <class Allows>
consteval ByteClass make_class(Allows allows, bool high_bytes) {
  ByteClass made;
  for (std::size_t byte = 0; byte < 0x80; ++byte) {
    if (!allows(static_cast<char>(byte))) continue;
    made.member[byte] = true;
    made.low[byte & 0x0F] = static_cast<std::uint8_t>(made.low[byte & 0x0F] | 1U << (byte >> 4));
  }
  for (std::size_t row = 0; row < 8; ++row) made.high[row] = static_cast<std::uint8_t>(1U << row);
  if (!high_bytes) return made;
  for (std::size_t row = 8; row < 16; ++row) made.high[row] = 0xFF;
  for (std::size_t byte = 0x80; byte < 0x100; ++byte) made.member[byte] = true;
  return made;
}

// What a target may have beside the query: printable ASCII without the delimiters that RFC 3986 keeps for other uses.
// Browsers leave { | } ^ ` [ ] as they are, so these pass; < > " # never come from a correct client.
constexpr bool is_target_char(char c) noexcept {
  return c > ' ' && c < '\x7F' && c != '"' && c != '<' && c != '>' && c != '#';
}

}  // namespace detail

/// Token (RFC 9110 section 5.6.2): methods and field names.
inline constexpr ByteClass kTokenBytes = detail::make_class([](char c) { return is_tchar(c); }, false);

/// Field value: everything but controls, with tab and obs-text (RFC 9110 section 5.5).
inline constexpr ByteClass kValueBytes = detail::make_class([](char c) { return !is_control(c) || c == '\t'; }, true);

/// Query of a target. Bytes from 0x80 pass raw: curl and scripts send UTF-8 unencoded, no such byte can be taken for
/// a delimiter, and every server that a site may move from accepts them.
inline constexpr ByteClass kQueryBytes = detail::make_class(detail::is_target_char, true);

/// Path of a target. As the query, without '?' (which ends it) and '\', which some programs take for a slash: a path
/// that has two readings is refused.
inline constexpr ByteClass kPathBytes =
    detail::make_class([](char c) { return detail::is_target_char(c) && c != '?' && c != '\\'; }, true);

/// Letters, digits and '-': a field name that can be no alias of another.
inline constexpr ByteClass kPlainNameBytes =
    detail::make_class([](char c) { return is_alpha(c) || is_digit(c) || c == '-'; }, false);

namespace detail {

// The high bytes of a class are found by the nibble tables only if every column has a member.
consteval bool has_all_columns(const ByteClass& made) {
  for (const std::uint8_t column : made.low) {
    if (column == 0) return false;
  }
  return true;
}
static_assert(has_all_columns(kValueBytes) && has_all_columns(kQueryBytes) && has_all_columns(kPathBytes));

}  // namespace detail

}  // namespace tidegate::http::h1
