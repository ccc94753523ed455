#include "config/units.h"

#include <array>
#include <charconv>
#include <span>

namespace tidegate::config {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 5> kDurationUnits{
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
constexpr std::array<Unit, 5> kSizeUnits{
    {{"b", 1}, {"k", 1ULL << 10U}, {"m", 1ULL << 20U}, {"g", 1ULL << 30U}, {"t", 1ULL << 40U}}};

constexpr std::uint64_t kLargest = std::uint64_t{1} << 62U;

std::string unit_names(std::span<const Unit> units) {
  std::string names;
  for (const Unit& unit : units) {
    if (!names.empty()) names += &unit == &units.back() ? " or " : ", ";
    names += unit.name;
  }
  return names;
}

// A whole number and one of the units; `bare` says what the number alone would be worth, 0: not allowed.
Parsed<std::uint64_t> parse_with_unit(std::string_view text, std::string_view what, std::span<const Unit> units,
                                      std::uint64_t bare) {
  const auto fail = [&](std::string_view why) { return std::unexpected(std::string(why) + unit_names(units)); };
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return std::unexpected("the " + std::string(what) + " is too large");
  if (error != std::errc()) return fail("a " + std::string(what) + " is a whole number and a unit: ");
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  std::uint64_t factor = name.empty() ? bare : 0;
  for (const Unit& unit : units) {
    if (unit.name == name) factor = unit.factor;
  }
  if (name.empty() && factor == 0) return fail("a " + std::string(what) + " needs a unit: ");
  if (factor == 0)
    return fail("unknown unit \"" + std::string(name.substr(0, 16)) + "\"; a " + std::string(what) + " has one of ");
  if (number > kLargest / factor) return std::unexpected("the " + std::string(what) + " is too large");
  return number * factor;
}

std::string with_unit(std::uint64_t number, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (number != 0 && number % unit.factor == 0) best = &unit;
  }
  return std::to_string(number / best->factor) + std::string(best->name);
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const auto ms = parse_with_unit(text, "duration", kDurationUnits, 0);
  if (!ms) return std::unexpected(ms.error());
  return Duration{static_cast<std::int64_t>(*ms)};
}

Parsed<Size> parse_size(std::string_view text) {
  const auto bytes = parse_with_unit(text, "size", kSizeUnits, 0);
  if (!bytes) return std::unexpected(bytes.error());
  return Size{*bytes};
}

Parsed<ByteRate> parse_byte_rate(std::string_view text) {
  if (text == "off") return ByteRate{0};
  if (!text.ends_with("/s")) return std::unexpected("a rate is a size a second, such as 240/s or 64k/s, or \"off\"");
  text.remove_suffix(2);
  const auto bytes = parse_with_unit(text, "rate", kSizeUnits, 1);
  if (!bytes) return std::unexpected(bytes.error());
  if (*bytes == 0) return std::unexpected("a rate is not 0; write \"off\" to ask for none");
  return ByteRate{*bytes};
}

std::string text_of(Duration duration) { return with_unit(static_cast<std::uint64_t>(duration.ms), kDurationUnits); }
std::string text_of(Size size) { return with_unit(size.bytes, kSizeUnits); }

std::string text_of(ByteRate rate) {
  if (rate.bytes_per_second == 0) return "off";
  std::string text = with_unit(rate.bytes_per_second, kSizeUnits);
  if (text.ends_with('b')) text.pop_back();
  return text + "/s";
}

}  // namespace tidegate::config
