// Limits of the head, each at n and at n+1, and heads in pieces, behind each other and in moving memory.
#include <string>

#include "http/h1/head_parser.h"
#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

namespace {

// A request line of exactly `size` bytes.
std::string line_of(std::size_t size) {
  const std::string_view begin = "GET /";
  const std::string_view end = " HTTP/1.1";
  return std::string(begin) + std::string(size - begin.size() - end.size(), 'a') + std::string(end);
}

// Field lines of exactly `size` bytes, with Host.
std::string fields_of(std::size_t size) {
  const std::string_view begin = "Host: a\r\nX: ";
  return std::string(begin) + std::string(size - begin.size() - 2, 'b') + "\r\n";
}

std::string head_with_count(std::size_t count) {
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (std::size_t i = 1; i < count; ++i) text += "F" + std::to_string(i) + ": v\r\n";
  return text + "\r\n";
}

std::size_t bytes_classified = 0;

void count_and_classify(const char* data, std::size_t size, LineMasks& masks) noexcept {
  bytes_classified += size;
  scan_ops().classify(data, size, masks);
}

constexpr std::string_view kBrowserRequest =
    "GET /assets/app.9f2c1d.js?v=3 HTTP/1.1\r\n"
    "Host: shop.example:8443\r\n"
    "Connection: keep-alive\r\n"
    "sec-ch-ua-platform: \"Linux\"\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n"
    "Accept: */*\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\n"
    "api_key: 1\r\n"
    "Cookie: session=0123456789abcdef; theme=dark\r\n"
    "Content-Length: 12\r\n"
    "Expect: 100-continue\r\n"
    "\r\n";

}  // namespace

TEST_CASE("limits: request line") {
  HeadLimits limits;
  limits.request_line_size = 100;
  check_accepted(line_of(100) + "\r\nHost: a\r\n\r\n", limits);
  check_refused(line_of(101) + "\r\nHost: a\r\n\r\n", Rule::kRequestLineTooLong, 414, limits);
  SUBCASE("an empty line before it does not count") {
    check_accepted("\r\n" + line_of(100) + "\r\nHost: a\r\n\r\n", limits);
  }
  SUBCASE("without its end: n wait, n+1 do not") {
    CHECK(parse_all_ways(line_of(200).substr(0, 100), limits).status == HeadStatus::kNeedMore);
    check_refused(line_of(200).substr(0, 101), Rule::kRequestLineTooLong, 414, limits);
  }
  SUBCASE("a method without end") { check_refused(std::string(101, 'A'), Rule::kRequestLineTooLong, 414, limits); }
  SUBCASE("the limit comes before a bad byte behind it") {
    check_refused(line_of(200) + "\n", Rule::kRequestLineTooLong, 414, limits);
  }
  SUBCASE("the default") {
    check_accepted(line_of(16384) + "\r\nHost: a\r\n\r\n");
    CHECK(parse_at_once(scan_ops(), line_of(16385) + "\r\n", {}).rule == Rule::kRequestLineTooLong);
  }
}

TEST_CASE("limits: size of the fields") {
  HeadLimits limits;
  limits.header_size = 300;
  check_accepted("GET / HTTP/1.1\r\n" + fields_of(300) + "\r\n", limits);
  check_refused("GET / HTTP/1.1\r\n" + fields_of(301) + "\r\n", Rule::kFieldsTooLarge, 431, limits);
  check_refused("GET / HTTP/1.1\r\n" + fields_of(302) + "\r\n", Rule::kFieldsTooLarge, 431, limits);
  check_refused("GET / HTTP/1.1\r\n" + fields_of(3000) + "\r\n", Rule::kFieldsTooLarge, 431, limits);
  SUBCASE("a field without end") {
    CHECK(parse_all_ways("GET / HTTP/1.1\r\n" + fields_of(900).substr(0, 300), limits).status == HeadStatus::kNeedMore);
    check_refused("GET / HTTP/1.1\r\n" + fields_of(900).substr(0, 301), Rule::kFieldsTooLarge, 431, limits);
  }
  SUBCASE("a name without end") {
    check_refused("GET / HTTP/1.1\r\n" + std::string(301, 'n'), Rule::kFieldsTooLarge, 431, limits);
  }
  SUBCASE("a line that ends where the limit is, and another") {
    check_refused("GET / HTTP/1.1\r\n" + fields_of(300) + "Y: z\r\n\r\n", Rule::kFieldsTooLarge, 431, limits);
  }
  SUBCASE("the request line does not count") {
    check_accepted(line_of(5000) + "\r\n" + fields_of(300) + "\r\n", limits);
  }
  SUBCASE("the default") {
    const ScanOps& ops = scan_ops();
    CHECK(parse_at_once(ops, "GET / HTTP/1.1\r\n" + fields_of(65536) + "\r\n", {}).status == HeadStatus::kDone);
    CHECK(parse_at_once(ops, "GET / HTTP/1.1\r\n" + fields_of(65537) + "\r\n", {}).rule == Rule::kFieldsTooLarge);
  }
}

TEST_CASE("limits: number of fields") {
  HeadLimits limits;
  SUBCASE("5") {
    limits.header_count = 5;
    check_accepted(head_with_count(5), limits);
    check_refused(head_with_count(6), Rule::kTooManyFields, 431, limits);
  }
  SUBCASE("the default") {
    check_accepted(head_with_count(128), limits);
    check_refused(head_with_count(129), Rule::kTooManyFields, 431, limits);
  }
  SUBCASE("the most there can be") {
    limits.header_count = 1024;
    check_accepted(head_with_count(1024), limits);
    CHECK(parse_at_once(scan_ops(), head_with_count(1025), limits).rule == Rule::kTooManyFields);
    limits.header_count = 5000;
    CHECK(parse_at_once(scan_ops(), head_with_count(1025), limits).rule == Rule::kTooManyFields);
  }
  SUBCASE("dropped aliases count") {
    limits.header_count = 2;
    check_refused("GET / HTTP/1.1\r\nHost: a\r\nContent_Length: 1\r\nX: y\r\n\r\n", Rule::kTooManyFields, 431, limits);
  }
}

TEST_CASE("limits: size of a name") {
  HeadLimits limits;
  limits.header_size = 100'000;
  const ScanOps& ops = scan_ops();
  CHECK(parse_at_once(ops, get_with(std::string(65535, 'n') + ": v\r\n"), limits).status == HeadStatus::kDone);
  CHECK(parse_at_once(ops, get_with(std::string(65536, 'n') + ": v\r\n"), limits).rule == Rule::kFieldNameTooLong);
}

TEST_CASE("limits: a head at all its limits fits max_head_size") {
  HeadLimits limits;
  limits.request_line_size = 50;
  limits.header_size = 60;
  const std::string text = "\r\n" + line_of(50) + "\r\n" + fields_of(60) + "\r\n";
  CHECK(text.size() == limits.max_head_size());
  check_accepted(text, limits);
}

TEST_CASE("pieces: two, cut at every byte") {
  for (const ScanLevel level : available_levels()) {
    const ScanOps& ops = *scan_ops_at(level);
    const Outcome whole = parse_at_once(ops, kBrowserRequest, {});
    REQUIRE(whole.status == HeadStatus::kDone);
    for (std::size_t cut = 0; cut <= kBrowserRequest.size(); ++cut) {
      CAPTURE(cut);
      CHECK(parse_in_pieces(ops, kBrowserRequest, {cut, kBrowserRequest.size()}, {}) == whole);
    }
  }
}

TEST_CASE("pieces: three, of many sizes") {
  const Outcome whole = parse_at_once(scan_ops(), kBrowserRequest, {});
  for (std::size_t first = 0; first < kBrowserRequest.size(); first += 7) {
    for (std::size_t second = first; second < kBrowserRequest.size(); second += 11) {
      CHECK(parse_in_pieces(scan_ops(), kBrowserRequest, {first, second, kBrowserRequest.size()}, {}) == whole);
    }
  }
}

TEST_CASE("pieces: the same bytes again change nothing") {
  ScanState state;
  RequestHead head;
  const std::string_view part = kBrowserRequest.substr(0, 100);
  for (int i = 0; i < 3; ++i) {
    CHECK(parse_request_head(part.data(), part.size(), {}, state, head).status == HeadStatus::kNeedMore);
  }
  CHECK(parse_request_head(kBrowserRequest.data(), kBrowserRequest.size(), {}, state, head).status ==
        HeadStatus::kDone);
}

TEST_CASE("pieces: single bytes cost a constant each") {
  // 60 KB of one value, byte by byte. With a scan from the start for each byte this would be 1.8 GB to look at; it is
  // each byte once as they come, and once more when the head is complete.
  const std::string text = get_with("X: " + std::string(60'000, 'v') + "\r\n");
  const ScanOps ops = {count_and_classify, scan_ops().find_not};
  ScanState state;
  RequestHead head;
  bytes_classified = 0;
  ParseResult result;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    result = parse_request_head(ops, text.data(), size, {}, state, head);
    if (size < text.size()) REQUIRE(result.status == HeadStatus::kNeedMore);
  }
  CHECK(result.status == HeadStatus::kDone);
  CHECK(bytes_classified <= 2 * text.size() + 100);
}

TEST_CASE("pipelined heads are taken one after the other") {
  const std::string one = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string two = "HEAD /22 HTTP/1.1\r\nHost: b\r\nX: y\r\n\r\n";
  const std::string three = "\r\nGET /333 HTTP/1.0\r\n\r\n";
  const std::string all = one + two + three + "GET /4";
  ScanState state;
  RequestHead head;
  std::string_view rest = all;
  for (const std::string* expected : {&one, &two, &three}) {
    const ParseResult result = parse_request_head(rest.data(), rest.size(), {}, state, head);
    REQUIRE(result.status == HeadStatus::kDone);
    CHECK(result.consumed == expected->size());
    CHECK(describe(head) == parse_at_once(scan_ops(), *expected, {}).head);
    rest.remove_prefix(result.consumed);
  }
  CHECK(parse_request_head(rest.data(), rest.size(), {}, state, head).status == HeadStatus::kNeedMore);
}

TEST_CASE("pipelined: a head in pieces behind a complete one") {
  const std::string text = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n";
  ScanState state;
  RequestHead head;
  const ParseResult first = parse_request_head(text.data(), 40, {}, state, head);
  REQUIRE(first.status == HeadStatus::kDone);
  const std::string_view rest = std::string_view(text).substr(first.consumed);
  CHECK(parse_request_head(rest.data(), 40 - first.consumed, {}, state, head).status == HeadStatus::kNeedMore);
  CHECK(parse_request_head(rest.data(), rest.size(), {}, state, head).status == HeadStatus::kDone);
  CHECK(head.request_path() == "/2");
}

TEST_CASE("the bytes behind a head are not looked at") {
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::size_t size = text.size();
  text += std::string("\0\n\r\x16 body", 9);
  CHECK(parse_all_ways(text).consumed == size);
}

TEST_CASE("rebase: the head follows its bytes") {
  const std::string text(kBrowserRequest);
  ScanState state;
  RequestHead head;
  REQUIRE(parse_request_head(text.data(), text.size(), {}, state, head).status == HeadStatus::kDone);
  const std::string before = describe(head);
  const std::string moved = text;
  head.rebase(moved.data());
  CHECK(describe(head) == before);
  CHECK(head.fields.name(0).data() == moved.data() + 40);
}

TEST_CASE("a head object serves one head after the other") {
  ScanState state;
  RequestHead head;
  REQUIRE(parse_request_head(kBrowserRequest.data(), kBrowserRequest.size(), {}, state, head).status ==
          HeadStatus::kDone);
  const std::string_view plain = "GET / HTTP/1.0\r\n\r\n";
  REQUIRE(parse_request_head(plain.data(), plain.size(), {}, state, head).status == HeadStatus::kDone);
  CHECK(describe(head) == parse_at_once(scan_ops(), plain, {}).head);
}
