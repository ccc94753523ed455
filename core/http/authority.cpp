// Validation of host and port. See authority.h.
#include "http/authority.h"

#include <array>
#include <cstddef>

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

constexpr std::size_t kMaxHostSize = 255;  // bytes of a DNS name (RFC 1035 section 2.3.4)

consteval std::array<bool, 256> make_host_table() {
  std::array<bool, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    table[i] = is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
  }
  return table;
}

constexpr std::array<bool, 256> kHostByte = make_host_table();

// Size of the name that `text` begins with, or 0 if it is not well formed.
std::size_t scan_name(std::string_view text) noexcept {
  std::size_t i = 0;
  char before = '.';  // so that a leading dot counts as an empty label
  for (; i < text.size() && kHostByte[static_cast<unsigned char>(text[i])]; ++i) {
    if (text[i] == '.' && before == '.') return 0;
    before = text[i];
  }
  return i <= kMaxHostSize ? i : 0;
}

// Four decimal numbers up to 255 without leading zeros, the tail of an IPv6 literal (RFC 3986: IPv4address).
bool is_ipv4(std::string_view text) noexcept {
  unsigned parts = 0;
  while (true) {
    unsigned value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && digits < 3 && is_digit(text[digits]); ++digits) {
      value = value * 10 + static_cast<unsigned>(text[digits] - '0');
    }
    if (digits == 0 || value > 255 || (digits > 1 && text[0] == '0')) return false;
    text.remove_prefix(digits);
    if (++parts == 4) return text.empty();
    if (text.empty() || text[0] != '.') return false;
    text.remove_prefix(1);
  }
}

// IPv6address of RFC 3986: eight groups of one to four hexadecimal digits, one "::" for one or more of them, and
// dotted decimals in the place of the last two.
bool is_ipv6(std::string_view text) noexcept {
  unsigned groups = 0;
  bool has_gap = false;
  if (text.starts_with("::")) {
    has_gap = true;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (true) {
    std::size_t digits = 0;
    while (digits < text.size() && digits <= 4 && hex_value(text[digits]) >= 0) ++digits;
    if (digits < text.size() && text[digits] == '.') {
      groups += 2;
      return is_ipv4(text) && (has_gap ? groups <= 7 : groups == 8);
    }
    if (digits == 0 || digits > 4) return false;
    ++groups;
    text.remove_prefix(digits);
    if (text.empty()) return has_gap ? groups <= 7 : groups == 8;
    if (text[0] != ':' || groups >= 8) return false;
    text.remove_prefix(1);
    if (!text.starts_with(':')) continue;
    if (has_gap) return false;
    has_gap = true;
    text.remove_prefix(1);
    if (text.empty()) return groups <= 7;
  }
}

// What follows the host: nothing, or ':' and the port. False if it is neither.
bool parse_port(std::string_view text, std::uint16_t& port) noexcept {
  port = 0;
  if (text.empty()) return true;
  if (text[0] != ':' || text.size() > 6) return false;
  text.remove_prefix(1);
  if (text.empty()) return true;
  unsigned value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return false;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  if (value == 0 || value > 0xFFFF) return false;
  port = static_cast<std::uint16_t>(value);
  return true;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) noexcept {
  Authority found;
  std::size_t host_size = 0;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos || !is_ipv6(text.substr(1, close - 1))) return std::nullopt;
    host_size = close + 1;
    found.is_ipv6 = true;
  } else {
    host_size = scan_name(text);
    if (host_size == 0) return std::nullopt;
  }
  found.host = text.substr(0, host_size);
  if (!parse_port(text.substr(host_size), found.port)) return std::nullopt;
  return found;
}

}  // namespace tidegate::http
