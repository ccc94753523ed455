// Durations, sizes and rates as the configuration writes them: a whole number and a unit, never a bare number.
//
// Plain values. A parse function returns the value, or a sentence that says what is wrong and may be shown as it is;
// `text_of` is its inverse and picks the largest unit that keeps the number whole.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>

namespace tidegate::config {

template <class T>
using Parsed = std::expected<T, std::string>;

// "250ms", "10s", "5m", "2h", "7d".
struct Duration {
  std::int64_t ms = 0;
  friend auto operator<=>(const Duration&, const Duration&) = default;
};

// "512b", "64k", "1m", "2g", "1t"; a k is 1024 bytes.
struct Size {
  std::uint64_t bytes = 0;
  friend auto operator<=>(const Size&, const Size&) = default;
};

// A size that may also be "unlimited".
struct SizeLimit {
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes = kUnlimited;

  [[nodiscard]] bool unlimited() const { return bytes == kUnlimited; }
  friend auto operator<=>(const SizeLimit&, const SizeLimit&) = default;
};

// Bytes a second: "240/s", "64k/s"; "off" is 0 and asks for nothing.
struct ByteRate {
  std::uint64_t bytes_per_second = 0;
  friend auto operator<=>(const ByteRate&, const ByteRate&) = default;
};

// A count that may also be "unlimited".
struct CountLimit {
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t count = kUnlimited;

  [[nodiscard]] bool unlimited() const { return count == kUnlimited; }
  friend auto operator<=>(const CountLimit&, const CountLimit&) = default;
};

// A count that may also be "auto", which is 0: the server chooses.
struct AutoCount {
  std::uint64_t count = 0;

  [[nodiscard]] bool automatic() const { return count == 0; }
  friend auto operator<=>(const AutoCount&, const AutoCount&) = default;
};

[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
[[nodiscard]] Parsed<Size> parse_size(std::string_view text);
[[nodiscard]] Parsed<ByteRate> parse_byte_rate(std::string_view text);

[[nodiscard]] std::string text_of(Duration duration);
[[nodiscard]] std::string text_of(Size size);
[[nodiscard]] std::string text_of(ByteRate rate);

namespace literals {
constexpr Duration operator""_ms(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Duration operator""_s(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1000}; }
constexpr Duration operator""_h(unsigned long long n) { return {static_cast<std::int64_t>(n) * 3'600'000}; }
constexpr Size operator""_kib(unsigned long long n) { return {n << 10U}; }
constexpr Size operator""_mib(unsigned long long n) { return {n << 20U}; }
}  // namespace literals

}  // namespace tidegate::config
