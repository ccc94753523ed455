// Escaping for HTML and JSON. See page_text.h.
#include "pipeline/pages/page_text.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tidegate::pages {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kHex = "0123456789abcdef";

// What a first byte promises: how many bytes follow, its own bits, and the bounds of the second byte, which are what rules
// out overlong forms, surrogates and code points beyond the last (Unicode 3.9, table 3-7).
struct Lead {
  int following = 0;
  char32_t bits = 0;
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
};

Lead read_lead(std::uint8_t byte) noexcept {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1, .bits = byte & 0x1FU};
  if (byte >= 0xE0 && byte <= 0xEF) {
    Lead lead{.following = 2, .bits = byte & 0x0FU};
    if (byte == 0xE0) lead.second_min = 0xA0;
    if (byte == 0xED) lead.second_max = 0x9F;
    return lead;
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    Lead lead{.following = 3, .bits = byte & 0x07U};
    if (byte == 0xF0) lead.second_min = 0x90;
    if (byte == 0xF4) lead.second_max = 0x8F;
    return lead;
  }
  return {};
}

constexpr bool is_reordering_mark(char32_t code_point) noexcept {
  return (code_point >= 0x202A && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
}

// The form in which a code point is shown to people.
constexpr char32_t displayed(char32_t code_point) noexcept {
  if (code_point < 0x20) return 0x2400 + code_point;
  if (code_point == 0x7F) return 0x2421;
  if (code_point >= 0x80 && code_point < 0xA0) return kReplacement;
  return is_reordering_mark(code_point) ? kReplacement : code_point;
}

constexpr std::string_view html_reference(char c) noexcept {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

constexpr char json_short_escape(char c) noexcept {
  switch (c) {
    case '"': return '"';
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return '\0';
  }
}

constexpr bool is_plain_ascii(char c) noexcept { return c >= 0x20 && c < 0x7F; }

}  // namespace

char32_t take_code_point(std::string_view& rest) noexcept {
  const auto byte_at = [&rest](std::size_t i) { return static_cast<std::uint8_t>(rest[i]); };
  const std::uint8_t first = byte_at(0);
  if (first < 0x80) {
    rest.remove_prefix(1);
    return first;
  }
  const Lead lead = read_lead(first);
  char32_t code_point = lead.bits;
  std::size_t used = 1;
  for (int i = 0; i < lead.following; ++i, ++used) {
    const std::uint8_t min = i == 0 ? lead.second_min : std::uint8_t{0x80};
    const std::uint8_t max = i == 0 ? lead.second_max : std::uint8_t{0xBF};
    if (used == rest.size() || byte_at(used) < min || byte_at(used) > max) {
      rest.remove_prefix(used);
      return kReplacement;
    }
    code_point = code_point << 6 | (byte_at(used) & 0x3FU);
  }
  rest.remove_prefix(used);
  return lead.following == 0 ? kReplacement : code_point;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(static_cast<std::uint8_t>(byte))); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

void append_html(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    if (is_plain_ascii(c)) {
      const std::string_view reference = html_reference(c);
      if (reference.empty()) {
        out.push_back(c);
      } else {
        out += reference;
      }
      text.remove_prefix(1);
    } else {
      append_utf8(out, displayed(take_code_point(text)));
    }
  }
}

void append_json(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const char c = text.front();
    if (const char escape = json_short_escape(c); escape != '\0') {
      out.push_back('\\');
      out.push_back(escape);
      text.remove_prefix(1);
    } else if (is_plain_ascii(c)) {
      out.push_back(c);
      text.remove_prefix(1);
    } else {
      const char32_t code_point = take_code_point(text);
      if (code_point >= 0x20) {
        append_utf8(out, code_point);
        continue;
      }
      out += "\\u00";
      out.push_back(kHex[code_point >> 4]);
      out.push_back(kHex[code_point & 0x0F]);
    }
  }
  out.push_back('"');
}

}  // namespace tidegate::pages
