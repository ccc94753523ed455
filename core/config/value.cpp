#include "config/value.h"

#include <algorithm>
#include <bit>

namespace tidegate::config {

Value::Value() = default;
Value::Value(Kind of, SourceLocation where) : kind(of), at(where) {}
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const Member* Value::find_member(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &*found;
}

const Value* Value::find(std::string_view key) const {
  const Member* member = kind == Kind::kTable ? find_member(key) : nullptr;
  return member == nullptr ? nullptr : &member->value;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string out = "\"";
  std::size_t end = std::min(text.size(), kShown);
  // Never cut a UTF-8 sequence in two.
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  for (const char c : text.substr(0, end)) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += '?';
    } else {
      out += c;
    }
  }
  if (end < text.size()) out += "...";
  return out + '"';
}

std::string in_quotes(const Value& value) { return in_quotes(value.raw ? *value.raw : value.text); }

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kInvalid: return "an invalid value";
    case Value::Kind::kNull: return "null";
    case Value::Kind::kBool: return value.boolean ? "the boolean true" : "the boolean false";
    case Value::Kind::kInteger: return "the number " + std::to_string(value.integer);
    case Value::Kind::kFloat: return "a fractional number";
    case Value::Kind::kDate: return "a date or time";
    case Value::Kind::kString: return "the string " + in_quotes(value);
    case Value::Kind::kArray: return "a list";
    case Value::Kind::kTable: return "a table";
  }
  return "something else";
}

namespace {

bool same_tables(const Value& a, const Value& b) {
  const auto order = [](const Value& table) {
    std::vector<const Member*> sorted;
    sorted.reserve(table.members.size());
    for (const Member& member : table.members) sorted.push_back(&member);
    std::ranges::sort(sorted, {}, &Member::key);
    return sorted;
  };
  return std::ranges::equal(order(a), order(b), [](const Member* x, const Member* y) {
    return x->key == y->key && same_meaning(x->value, y->value);
  });
}

}  // namespace

bool same_meaning(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.members.size() != b.members.size()) return false;
  switch (a.kind) {
    case Value::Kind::kBool: return a.boolean == b.boolean;
    case Value::Kind::kInteger: return a.integer == b.integer;
    case Value::Kind::kFloat: return std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number);
    case Value::Kind::kDate:
    case Value::Kind::kString: return a.text == b.text;
    case Value::Kind::kArray:
      return std::ranges::equal(a.members, b.members,
                                [](const Member& x, const Member& y) { return same_meaning(x.value, y.value); });
    case Value::Kind::kTable: return same_tables(a, b);
    case Value::Kind::kInvalid:
    case Value::Kind::kNull: return true;
  }
  return false;
}

}  // namespace tidegate::config
