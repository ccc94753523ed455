#include "config/text_rules.h"

#include <algorithm>

namespace tidegate::config {
namespace {

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool is_token(std::string_view text) {
  static constexpr std::string_view kPunctuation = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_letter_or_digit(c) || kPunctuation.find(c) != std::string_view::npos;
  });
}

bool is_field_value(std::string_view text) {
  if (text.empty()) return true;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  if (blank(text.front()) || blank(text.back())) return false;
  return std::ranges::all_of(text, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7F) || c == '\t';
  });
}

bool is_media_type(std::string_view text) {
  if (!is_field_value(text)) return false;
  std::string_view type = text.substr(0, text.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  const std::size_t slash = type.find('/');
  return slash != std::string_view::npos && is_token(type.substr(0, slash)) && is_token(type.substr(slash + 1));
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

}  // namespace tidegate::config
