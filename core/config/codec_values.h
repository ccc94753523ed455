// Codecs of booleans, numbers, quantities with units, and closed sets of words.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include "config/codec.h"
#include "config/units.h"

namespace tidegate::config {

template <>
struct Codec<bool> {
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kBool, .name = "boolean", .expects = "true or false"};

  static bool read(Reader& reader, const Value& value, bool& out, const Field& /*field*/) {
    if (!reader.expect(value, Value::Kind::kBool, kInfo)) return false;
    out = value.boolean;
    return true;
  }
  static void write(Writer& writer, bool value, const Value* /*source*/) { writer.json.boolean(value); }
};

inline constexpr TypeInfo kIntegerInfo{
    .kind = TypeInfo::Kind::kInteger, .name = "integer", .expects = "a whole number"};

// Reads a whole number into [field.range] that T can hold.
template <std::unsigned_integral T>
bool read_integer(Reader& reader, const Value& value, T& out, const Field& field, const TypeInfo& type = kIntegerInfo) {
  if (!reader.expect(value, Value::Kind::kInteger, type)) return false;
  Field bounded = field;
  bounded.type = &kIntegerInfo;
  bounded.range.max = std::min<std::uint64_t>(field.range.max, std::numeric_limits<T>::max());
  // A negative number becomes one that is larger than any bound.
  const bool negative = value.integer < 0;
  const auto number = negative ? Range{}.max : static_cast<std::uint64_t>(value.integer);
  if (negative && bounded.range.max == Range{}.max) bounded.range.max = std::numeric_limits<std::int64_t>::max();
  if (!reader.in_range(value, number, bounded)) return false;
  out = static_cast<T>(number);
  return true;
}

template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>)
struct Codec<T> {
  static constexpr const TypeInfo& kInfo = kIntegerInfo;

  static bool read(Reader& reader, const Value& value, T& out, const Field& field) {
    return read_integer(reader, value, out, field);
  }
  static void write(Writer& writer, T value, const Value* /*source*/) { writer.json.unsigned_integer(value); }
};

// A quantity that is one number and written as a string with a unit. `Rules` has kInfo, parse, number, make and text.
template <class T, class Rules>
struct QuantityCodec {
  static constexpr const TypeInfo& kInfo = Rules::kInfo;

  static bool read(Reader& reader, const Value& value, T& out, const Field& field) {
    if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
    const auto parsed = Rules::parse(value.text);
    if (!reader.accept(value, parsed ? std::string() : parsed.error())) return false;
    const std::uint64_t number = Rules::number(*parsed);
    if (!Rules::special(*parsed) && !reader.in_range(value, number, field)) return false;
    out = *parsed;
    return true;
  }
  static void write(Writer& writer, const T& value, const Value* /*source*/) { writer.json.string(Rules::text(value)); }
};

struct DurationRules {
  static std::string show(std::uint64_t ms) { return text_of(Duration{static_cast<std::int64_t>(ms)}); }
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kString,
                                  .name = "duration",
                                  .expects = "a duration such as \"10s\"",
                                  .doc = "A whole number and a unit: `ms`, `s`, `m`, `h` or `d`.",
                                  .pattern = "^[0-9]+(ms|s|m|h|d)$",
                                  .units = "ms s m",
                                  .show = &show};
  static Parsed<Duration> parse(std::string_view text) { return parse_duration(text); }
  static std::uint64_t number(Duration value) { return static_cast<std::uint64_t>(value.ms); }
  static bool special(Duration /*value*/) { return false; }
  static std::string text(Duration value) { return text_of(value); }
};
template <>
struct Codec<Duration> : QuantityCodec<Duration, DurationRules> {};

struct SizeRules {
  static std::string show(std::uint64_t bytes) { return text_of(Size{bytes}); }
  static constexpr TypeInfo kInfo{
      .kind = TypeInfo::Kind::kString,
      .name = "size",
      .expects = "a size such as \"64k\"",
      .doc = "A whole number and a unit: `b` (bytes), `k`, `m`, `g` or `t`, each 1024 times the one before.",
      .pattern = "^[0-9]+[bkmgt]$",
      .units = "b k m",
      .show = &show};
  static Parsed<Size> parse(std::string_view text) { return parse_size(text); }
  static std::uint64_t number(Size value) { return value.bytes; }
  static bool special(Size /*value*/) { return false; }
  static std::string text(Size value) { return text_of(value); }
};
template <>
struct Codec<Size> : QuantityCodec<Size, SizeRules> {};

inline constexpr std::array<std::string_view, 1> kUnlimitedWord{"unlimited"};
inline constexpr std::array<std::string_view, 1> kAutoWord{"auto"};
inline constexpr std::array<std::string_view, 1> kOffWord{"off"};

struct SizeLimitRules {
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kString,
                                  .name = "size or unlimited",
                                  .expects = "a size such as \"10m\", or \"unlimited\"",
                                  .pattern = "^([0-9]+[bkmgt]|unlimited)$",
                                  .units = "b k m",
                                  .words = kUnlimitedWord,
                                  .show = &SizeRules::show};
  static Parsed<SizeLimit> parse(std::string_view text) {
    if (text == "unlimited") return SizeLimit{};
    const auto size = parse_size(text);
    if (!size) return std::unexpected(size.error() + "; or \"unlimited\"");
    return SizeLimit{size->bytes};
  }
  static std::uint64_t number(SizeLimit value) { return value.bytes; }
  static bool special(SizeLimit value) { return value.unlimited(); }
  static std::string text(SizeLimit value) { return value.unlimited() ? "unlimited" : text_of(Size{value.bytes}); }
};
template <>
struct Codec<SizeLimit> : QuantityCodec<SizeLimit, SizeLimitRules> {};

struct ByteRateRules {
  static std::string show(std::uint64_t rate) { return text_of(ByteRate{rate}); }
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kString,
                                  .name = "rate",
                                  .expects = "a rate such as \"240/s\", or \"off\"",
                                  .doc = "A size a second, such as `240/s` (bytes) or `64k/s`; `off` asks for nothing.",
                                  .pattern = "^([0-9]+[bkmgt]?/s|off)$",
                                  .units = "/s k/s",
                                  .words = kOffWord,
                                  .show = &show};
  static Parsed<ByteRate> parse(std::string_view text) { return parse_byte_rate(text); }
  static std::uint64_t number(ByteRate value) { return value.bytes_per_second; }
  static bool special(ByteRate value) { return value.bytes_per_second == 0; }
  static std::string text(ByteRate value) { return text_of(value); }
};
template <>
struct Codec<ByteRate> : QuantityCodec<ByteRate, ByteRateRules> {};

// A number of bytes in a settings header, which knows no units: written as a size.
struct AsSize {
  static constexpr const TypeInfo& kInfo = SizeRules::kInfo;

  static bool read(Reader& reader, const Value& value, std::uint64_t& out, const Field& field) {
    Size size;
    if (!Codec<Size>::read(reader, value, size, field)) return false;
    out = size.bytes;
    return true;
  }
  static void write(Writer& writer, std::uint64_t bytes, const Value* source) {
    Codec<Size>::write(writer, Size{bytes}, source);
  }
};

inline constexpr TypeInfo kUnlimitedInfo{.kind = TypeInfo::Kind::kEnum, .name = "unlimited", .words = kUnlimitedWord};
inline constexpr TypeInfo kAutoInfo{.kind = TypeInfo::Kind::kEnum, .name = "auto", .words = kAutoWord};

// A whole number, or one word that stands for the number T{}.
template <class T, const TypeInfo& Type>
struct CountCodec {
  static constexpr const TypeInfo& kInfo = Type;

  static bool read(Reader& reader, const Value& value, T& out, const Field& field) {
    if (value.kind == Value::Kind::kString && value.text == kInfo.words.front()) {
      out = T{};
      return true;
    }
    std::uint64_t count = 0;
    if (!read_integer(reader, value, count, field, kInfo)) return false;
    out = T{count};
    return true;
  }
  static void write(Writer& writer, const T& value, const Value* /*source*/) {
    if (value == T{}) return writer.json.string(kInfo.words.front());
    writer.json.unsigned_integer(value.count);
  }
};

inline constexpr TypeInfo kCountLimitInfo{.kind = TypeInfo::Kind::kChoice,
                                          .name = "integer or unlimited",
                                          .expects = "a whole number, or \"unlimited\"",
                                          .words = kUnlimitedWord,
                                          .choices = {&kIntegerInfo, &kUnlimitedInfo}};
template <>
struct Codec<CountLimit> : CountCodec<CountLimit, kCountLimitInfo> {};

inline constexpr TypeInfo kAutoCountInfo{.kind = TypeInfo::Kind::kChoice,
                                         .name = "integer or auto",
                                         .expects = "a whole number, or \"auto\"",
                                         .words = kAutoWord,
                                         .choices = {&kIntegerInfo, &kAutoInfo}};
template <>
struct Codec<AutoCount> : CountCodec<AutoCount, kAutoCountInfo> {};

// Specialised for each enum that is written as words: kName, kExpects and kWords, an array of pairs.
template <class E>
struct WordsOf;

template <class E>
  requires std::is_enum_v<E>
struct Codec<E> {
  static constexpr auto kNames = [] {
    std::array<std::string_view, WordsOf<E>::kWords.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = WordsOf<E>::kWords[i].first;
    return names;
  }();
  static constexpr TypeInfo kInfo{
      .kind = TypeInfo::Kind::kEnum, .name = WordsOf<E>::kName, .expects = WordsOf<E>::kExpects, .words = kNames};

  static bool read(Reader& reader, const Value& value, E& out, const Field& /*field*/) {
    if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
    for (const auto& [word, meaning] : WordsOf<E>::kWords) {
      if (word != value.text) continue;
      out = meaning;
      return true;
    }
    reader.unknown_word(value, kInfo);
    return false;
  }
  static void write(Writer& writer, E value, const Value* /*source*/) {
    for (const auto& [word, meaning] : WordsOf<E>::kWords) {
      if (meaning == value) return writer.json.string(word);
    }
    writer.json.null();
  }
};

}  // namespace tidegate::config
