// Fuzzes the HTTP-date reader: whatever it accepts must be writable, and what is written must read back the same.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "http/semantics/date.h"

namespace http = tidegate::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  std::int64_t number = 0;
  std::memcpy(&number, data, sizeof number);
  const std::string_view text(reinterpret_cast<const char*>(data) + 8, size - 8);

  // Any number: as a clock and as a time to write.
  const auto parsed = http::parse_http_date(text, number);
  if (parsed) {
    if (*parsed < http::kMinFormattable_s - 86400 * 36525LL || *parsed > http::kMaxFormattable_s + 1) std::abort();
    if (*parsed >= http::kMinFormattable_s && *parsed <= http::kMaxFormattable_s) {
      std::array<char, http::kHttpDateSize> written;
      http::format_http_date(*parsed, written);
      if (http::parse_http_date({written.data(), written.size()}, number) != parsed) std::abort();
    }
  }
  std::array<char, http::kHttpDateSize> written;
  http::format_http_date(number, written);
  if (!http::parse_http_date({written.data(), written.size()}, 0)) std::abort();
  const http::CivilTime civil = http::civil_from_seconds(number);
  if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > 31 || civil.weekday < 0 ||
      civil.weekday > 6) {
    std::abort();
  }
  if (civil.year > -1000000 && civil.year < 1000000 && http::seconds_from_civil(civil) != number) std::abort();
  return 0;
}
