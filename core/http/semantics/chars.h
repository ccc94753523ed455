// Character classes and small text helpers of the HTTP grammar (RFC 9110 section 5.6, RFC 5234 appendix B).
//
// Owner: http/semantics. Thread: any. Pure, allocation-free, usable at compile time.
// Invariant: nothing here depends on a locale, and bytes above 0x7F are never letters, digits or token characters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidegate::http {

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

[[nodiscard]] constexpr bool is_alpha(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Optional white space inside a field value: space and tab (RFC 9110 section 5.6.3).
[[nodiscard]] constexpr bool is_ows(char c) noexcept { return c == ' ' || c == '\t'; }

/// C0 controls and DEL. Nothing of this kind may come from a peer in a target or go out in a field value.
[[nodiscard]] constexpr bool is_control(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

[[nodiscard]] constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Value of a hexadecimal digit, or -1.
[[nodiscard]] constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

namespace detail {

consteval std::array<bool, 256> make_tchar_table() {
  std::array<bool, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    table[i] = is_digit(c) || is_alpha(c);
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
  return table;
}

inline constexpr std::array<bool, 256> kTchar = make_tchar_table();

}  // namespace detail

/// tchar of RFC 9110 section 5.6.2.
[[nodiscard]] constexpr bool is_tchar(char c) noexcept { return detail::kTchar[static_cast<unsigned char>(c)]; }

/// A token: one or more tchar (RFC 9110 section 5.6.2).
[[nodiscard]] constexpr bool is_token(std::string_view text) noexcept {
  if (text.empty()) return false;
  for (const char c : text) {
    if (!is_tchar(c)) return false;
  }
  return true;
}

/// Compares without regard to the case of ASCII letters.
[[nodiscard]] constexpr bool equals_ignore_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

/// Drops spaces and tabs at both ends.
[[nodiscard]] constexpr std::string_view trim_ows(std::string_view text) noexcept {
  while (!text.empty() && is_ows(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ows(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace tidegate::http
