// Finding and dropping aliased field names. See aliases.h.
#include "http/h1/aliases.h"

#include <array>
#include <bitset>
#include <cstddef>

#include "http/semantics/chars.h"

namespace tidegate::http::h1 {
namespace {

// The byte that stands for all that programs behind us may take for each other.
constexpr char canonical(char c) noexcept { return is_alpha(c) || is_digit(c) ? to_lower(c) : '-'; }

}  // namespace

bool are_aliases(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (canonical(a[i]) != canonical(b[i])) return false;
  }
  return true;
}

bool is_alias_of_known_field(std::string_view name) noexcept {
  std::array<char, 32> plain;  // no known name is longer
  if (name.size() > plain.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) plain[i] = canonical(name[i]);
  return known_field({plain.data(), name.size()}) != KnownField::kUnknown && known_field(name) == KnownField::kUnknown;
}

std::uint16_t drop_aliases(const ScanOps& ops, FieldTable& fields) noexcept {
  std::bitset<FieldTable::kMaxFields> dropped;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string_view name = fields.name(i);
    if (fields.id(i) != KnownField::kUnknown || !has_alias_mark(ops, name)) continue;
    bool is_alias = is_alias_of_known_field(name);
    for (std::size_t other = 0; other < fields.size() && !is_alias; ++other) {
      is_alias = are_aliases(name, fields.name(other)) && !equals_ignore_case(name, fields.name(other));
    }
    dropped[i] = is_alias;
  }
  if (dropped.none()) return 0;
  fields.remove_if([&](std::size_t i) { return dropped[i]; });
  return static_cast<std::uint16_t>(dropped.count());
}

}  // namespace tidegate::http::h1
