// Byte ranges, Content-Range and multipart/byteranges (RFC 9110 section 14).
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "http/semantics/range.h"

namespace http = tidegate::http;
using http::ByteRange;
using http::RangeResult;
using Ranges = std::vector<ByteRange>;

namespace doctest {
template <>
struct StringMaker<Ranges> {
  static String convert(const Ranges& ranges) {
    std::string text;
    for (const auto& range : ranges) text += std::to_string(range.first) + "-" + std::to_string(range.last) + " ";
    return text.c_str();
  }
};
}  // namespace doctest

namespace {

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

RangeResult result_of(std::string_view field, std::uint64_t length) {
  http::RangeSet set;
  const RangeResult result = http::parse_range(field, length, set);
  CHECK((result == RangeResult::kSatisfiable) == !set.ranges().empty());
  return result;
}

Ranges ranges_of(std::string_view field, std::uint64_t length) {
  http::RangeSet set;
  CHECK(http::parse_range(field, length, set) == RangeResult::kSatisfiable);
  return {set.ranges().begin(), set.ranges().end()};
}

// "bytes=0-0,2-2,4-4,...": ranges that neither overlap nor touch.
std::string many_ranges(std::size_t count) {
  std::string field = "bytes=";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string position = std::to_string(2 * i);
    if (i > 0) field += ',';
    field += position;
    field += '-';
    field += position;
  }
  return field;
}

}  // namespace

TEST_CASE("range: the examples of RFC 9110 section 14.1.2") {
  CHECK(ranges_of("bytes=0-499", 10000) == Ranges{{0, 499}});
  CHECK(ranges_of("bytes=500-999", 10000) == Ranges{{500, 999}});
  CHECK(ranges_of("bytes=-500", 10000) == Ranges{{9500, 9999}});
  CHECK(ranges_of("bytes=9500-", 10000) == Ranges{{9500, 9999}});
  CHECK(ranges_of("bytes=0-0,-1", 10000) == Ranges{{0, 0}, {9999, 9999}});
  CHECK(ranges_of("bytes=0-0, -1", 10000) == Ranges{{0, 0}, {9999, 9999}});
  CHECK(ranges_of("bytes= 0-999, 4500-5499, -1000", 10000) == Ranges{{0, 999}, {4500, 5499}, {9000, 9999}});
  CHECK(ranges_of("bytes=500-600,601-999", 10000) == Ranges{{500, 999}});
  CHECK(ranges_of("bytes=500-700,601-999", 10000) == Ranges{{500, 999}});
}

TEST_CASE("range: at the end of the representation") {
  CHECK(ranges_of("bytes=0-9", 10) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=0-10", 10) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=9-9", 10) == Ranges{{9, 9}});
  CHECK(ranges_of("bytes=9-", 10) == Ranges{{9, 9}});
  CHECK(result_of("bytes=10-", 10) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=10-10", 10) == RangeResult::kUnsatisfiable);
  CHECK(ranges_of("bytes=0-", 10) == Ranges{{0, 9}});
}

TEST_CASE("range: suffixes") {
  CHECK(ranges_of("bytes=-1", 10) == Ranges{{9, 9}});
  CHECK(ranges_of("bytes=-9", 10) == Ranges{{1, 9}});
  CHECK(ranges_of("bytes=-10", 10) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=-11", 10) == Ranges{{0, 9}});
  CHECK(result_of("bytes=-0", 10) == RangeResult::kUnsatisfiable);
  CHECK(ranges_of("bytes=-99999999999999999999999", 10) == Ranges{{0, 9}});
}

TEST_CASE("range: an unsatisfiable one among others is left out") {
  CHECK(ranges_of("bytes=0-1,100-200", 10) == Ranges{{0, 1}});
  CHECK(ranges_of("bytes=100-200,5-6,-0", 10) == Ranges{{5, 6}});
  CHECK(result_of("bytes=100-200,300-400", 10) == RangeResult::kUnsatisfiable);
}

TEST_CASE("range: an empty representation") {
  CHECK(result_of("bytes=0-", 0) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=0-0", 0) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=5-10,20-", 0) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=-0", 0) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=-5", 0) == RangeResult::kIgnored);
  CHECK(result_of("bytes=0-0,-5", 0) == RangeResult::kIgnored);
}

TEST_CASE("range: a representation of one byte") {
  CHECK(ranges_of("bytes=0-0", 1) == Ranges{{0, 0}});
  CHECK(ranges_of("bytes=-1", 1) == Ranges{{0, 0}});
  CHECK(result_of("bytes=1-", 1) == RangeResult::kUnsatisfiable);
}

TEST_CASE("range: other units and malformed fields are ignored") {
  for (const char* field : {"",           "bytes",         "bytes=",        "bytes= ",       "bytes=,",
                            "bytes=, ,",  "items=0-1",     "byte=0-1",      "bytes 0-1",     "bytes:0-1",
                            "bytes =0-1", "bytes=-",       "bytes=a-b",     "bytes=0-b",     "bytes=a-1",
                            "bytes=1",    "bytes=1-0",     "bytes=5-4",     "bytes=0-1,5-4", "bytes=0--1",
                            "bytes=--1",  "bytes=0-1-2",   "bytes=+0-1",    "bytes=0-+1",    "bytes=0 -1",
                            "bytes=0- 1", "bytes=0x0-0x1", "bytes=0-1;2-3", "bytes=0-1,x",   "bytes=1.0-2",
                            "=0-1",       "bytes==0-1",    "bytes=\"0-1\"", "0-1",           "bytes=0-1,\"",
                            "bytes=*"}) {
    CAPTURE(field);
    CHECK(result_of(field, 10000) == RangeResult::kIgnored);
  }
}

TEST_CASE("range: the unit is read in any case, and empty elements are skipped") {
  CHECK(ranges_of("BYTES=0-1", 10) == Ranges{{0, 1}});
  CHECK(ranges_of("Bytes=,0-1,,5-6 ,", 10) == Ranges{{0, 1}, {5, 6}});
  CHECK(ranges_of(" bytes=0-1\t", 10) == Ranges{{0, 1}});
}

TEST_CASE("range: numbers beyond 64 bits") {
  CHECK(ranges_of("bytes=0-18446744073709551615", 10) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=0-18446744073709551616", 10) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=5-99999999999999999999999999999999999999", 10) == Ranges{{5, 9}});
  CHECK(result_of("bytes=18446744073709551616-", 10) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=99999999999999999999-99999999999999999999", 10) == RangeResult::kUnsatisfiable);
  CHECK(result_of("bytes=99999999999999999999-5", 10) == RangeResult::kIgnored);
  CHECK(ranges_of("bytes=00000000000000000000000000000000001-2", 10) == Ranges{{1, 2}});
}

TEST_CASE("range: the largest representation") {
  CHECK(ranges_of("bytes=0-", kHuge) == Ranges{{0, kHuge - 1}});
  CHECK(ranges_of("bytes=-1", kHuge) == Ranges{{kHuge - 1, kHuge - 1}});
  CHECK(ranges_of("bytes=18446744073709551614-", kHuge) == Ranges{{kHuge - 1, kHuge - 1}});
  CHECK(result_of("bytes=18446744073709551615-", kHuge) == RangeResult::kUnsatisfiable);
  CHECK(ranges_of("bytes=0-0,-1", kHuge) == Ranges{{0, 0}, {kHuge - 1, kHuge - 1}});
  CHECK(ByteRange{0, kHuge - 1}.size() == kHuge);
}

TEST_CASE("range: 32 ranges are served, 33 are ignored") {
  CHECK(http::kMaxRanges == 32);
  CHECK(ranges_of(many_ranges(32), 1000).size() == 32);
  CHECK(result_of(many_ranges(33), 1000) == RangeResult::kIgnored);
  // Unsatisfiable ones count as well.
  CHECK(result_of(many_ranges(32), 1) == RangeResult::kSatisfiable);
  CHECK(result_of(many_ranges(33), 1) == RangeResult::kIgnored);
}

TEST_CASE("range: two overlapping ranges are joined, three are ignored") {
  CHECK(ranges_of("bytes=0-5,3-9", 100) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=3-9,0-5", 100) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=0-9,3-5", 100) == Ranges{{0, 9}});
  CHECK(ranges_of("bytes=0-5,20-25,3-9", 100) == Ranges{{0, 9}, {20, 25}});
  CHECK(result_of("bytes=0-5,3-9,8-12", 100) == RangeResult::kIgnored);
  CHECK(result_of("bytes=0-,0-,0-", 100) == RangeResult::kIgnored);
  CHECK(result_of("bytes=0-1,1-2,50-51,51-52", 100) == RangeResult::kIgnored);
  CHECK(ranges_of("bytes=0-,0-", 100) == Ranges{{0, 99}});
}

TEST_CASE("range: ranges that touch are joined however many they are") {
  CHECK(ranges_of("bytes=0-4,5-9,10-14,15-19", 100) == Ranges{{0, 19}});
  CHECK(ranges_of("bytes=15-19,10-14,5-9,0-4", 100) == Ranges{{0, 19}});
  CHECK(ranges_of("bytes=0-0,4-4,2-2,1-1,3-3", 100) == Ranges{{0, 4}});
  CHECK(ranges_of("bytes=0-4,6-9", 100) == Ranges{{0, 4}, {6, 9}});
}

TEST_CASE("range: the order asked for is kept") {
  CHECK(ranges_of("bytes=-10,0-9", 100) == Ranges{{90, 99}, {0, 9}});
  CHECK(ranges_of("bytes=50-59,0-9,70-79", 100) == Ranges{{50, 59}, {0, 9}, {70, 79}});
}

TEST_CASE("range: the parts never sum up to more than the representation") {
  http::RangeSet set;
  REQUIRE(http::parse_range("bytes=0-80,20-99", 100, set) == RangeResult::kSatisfiable);
  CHECK(set.total_size() == 100);
  REQUIRE(http::parse_range("bytes=0-9,90-99", 100, set) == RangeResult::kSatisfiable);
  CHECK(set.total_size() == 20);
}

TEST_CASE("range: a set can be used again") {
  http::RangeSet set;
  REQUIRE(http::parse_range("bytes=0-1,5-6", 10, set) == RangeResult::kSatisfiable);
  CHECK(set.ranges().size() == 2);
  CHECK(http::parse_range("bytes=0-1,oops", 10, set) == RangeResult::kIgnored);
  CHECK(set.ranges().empty());
  CHECK(http::parse_range("items=0-1", 10, set) == RangeResult::kIgnored);
  CHECK(set.ranges().empty());
}

TEST_CASE("content-range: is written") {
  std::array<char, http::kContentRangeCapacity> buffer;
  CHECK(http::format_content_range({0, 499}, 1234, buffer) == "bytes 0-499/1234");
  CHECK(http::format_content_range({42, 1233}, 1234, buffer) == "bytes 42-1233/1234");
  CHECK(http::format_unsatisfied_range(47022, buffer) == "bytes */47022");
  CHECK(http::format_unsatisfied_range(0, buffer) == "bytes */0");
  CHECK(http::format_content_range({kHuge - 1, kHuge - 1}, kHuge, buffer) ==
        "bytes 18446744073709551614-18446744073709551614/18446744073709551615");
}

TEST_CASE("multipart: the boundary spells 128 bits") {
  std::array<char, http::kBoundarySize> boundary;
  http::format_boundary(0x0123456789ABCDEF, 0xFEDCBA9876543210, boundary);
  CHECK(std::string_view(boundary.data(), boundary.size()) == "0123456789abcdeffedcba9876543210");
}

TEST_CASE("multipart: a whole body, and its length told before") {
  const std::string content = "0123456789abcdefghij";
  const http::Multipart multipart{"SEP", "text/plain", content.size()};
  const Ranges ranges = {{0, 1}, {10, 12}, {19, 19}};
  std::string body;
  std::array<char, 256> buffer;
  bool is_first = true;
  for (const ByteRange& range : ranges) {
    const auto head = multipart.write_part_head(range, is_first, buffer);
    CHECK(head.size() == multipart.part_head_size(range, is_first));
    CHECK(head.size() <= multipart.part_head_capacity());
    body += head;
    body += content.substr(range.first, range.size());
    is_first = false;
  }
  body += multipart.write_tail(buffer);
  CHECK(body ==
        "--SEP\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/20\r\n\r\n01"
        "\r\n--SEP\r\nContent-Type: text/plain\r\nContent-Range: bytes 10-12/20\r\n\r\nabc"
        "\r\n--SEP\r\nContent-Type: text/plain\r\nContent-Range: bytes 19-19/20\r\n\r\nj"
        "\r\n--SEP--\r\n");
  CHECK(multipart.body_size(ranges) == body.size());
}

TEST_CASE("multipart: without a type") {
  const http::Multipart multipart{"SEP", "", 20};
  std::array<char, 128> buffer;
  CHECK(multipart.write_part_head({3, 4}, true, buffer) == "--SEP\r\nContent-Range: bytes 3-4/20\r\n\r\n");
  CHECK(multipart.part_head_size({3, 4}, true) == 38);
}

TEST_CASE("multipart: buffers at n and n-1") {
  const http::Multipart multipart{"SEP", "text/plain", 20};
  const std::size_t size = multipart.part_head_size({3, 4}, false);
  std::vector<char> buffer(size);
  CHECK(multipart.write_part_head({3, 4}, false, buffer).size() == size);
  CHECK(multipart.write_part_head({3, 4}, false, std::span(buffer).first(size - 1)).empty());
  CHECK(multipart.write_tail(std::span(buffer).first(multipart.tail_size())) == "\r\n--SEP--\r\n");
  CHECK(multipart.write_tail(std::span(buffer).first(multipart.tail_size() - 1)).empty());
}

TEST_CASE("multipart: the capacity covers the largest numbers") {
  const http::Multipart multipart{"0123456789abcdef0123456789abcdef", "application/octet-stream", kHuge};
  std::vector<char> buffer(multipart.part_head_capacity());
  CHECK_FALSE(multipart.write_part_head({kHuge - 1, kHuge - 1}, false, buffer).empty());
}
