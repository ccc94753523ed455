// Fuzzes the Range reader: ranges lie inside the representation, do not overlap, and multipart sizes are told right.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "http/semantics/range.h"

namespace http = tidegate::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void check_ranges(std::span<const http::ByteRange> ranges, std::uint64_t length) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].first > ranges[i].last || ranges[i].last >= length) std::abort();
    for (std::size_t j = 0; j < i; ++j) {
      if (ranges[i].first <= ranges[j].last + 1 && ranges[j].first <= ranges[i].last + 1) std::abort();
    }
  }
}

void check_multipart(std::span<const http::ByteRange> ranges, std::uint64_t length) {
  const http::Multipart multipart{"0123456789abcdef0123456789abcdef", "text/plain; charset=utf-8", length};
  std::uint64_t total = 0;
  bool is_first = true;
  for (const http::ByteRange& range : ranges) {
    std::array<char, 512> buffer;
    const auto head = multipart.write_part_head(range, is_first, buffer);
    if (head.empty() || head.size() > multipart.part_head_capacity()) std::abort();
    if (head.size() != multipart.part_head_size(range, is_first)) std::abort();
    total += head.size() + range.size();
    is_first = false;
  }
  if (total + multipart.tail_size() != multipart.body_size(ranges)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  std::uint64_t length = 0;
  std::memcpy(&length, data, sizeof length);
  const std::string_view field(reinterpret_cast<const char*>(data) + 8, size - 8);
  // The same field against the number itself and against small lengths, where the edges are.
  for (const std::uint64_t candidate : {length, length % 64, std::uint64_t{0}, std::uint64_t{1}}) {
    http::RangeSet set;
    const auto result = http::parse_range(field, candidate, set);
    if ((result == http::RangeResult::kSatisfiable) != !set.ranges().empty()) std::abort();
    check_ranges(set.ranges(), candidate);
    if (set.total_size() > candidate) std::abort();
    check_multipart(set.ranges(), candidate);
  }
  return 0;
}
