// Request-target paths: normal form, its refusals, and percent-encoding.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "http/semantics/target.h"

namespace http = tidegate::http;
using http::PathEncoding;
using http::TargetError;

namespace {

std::string normal(std::string_view raw) {
  std::vector<char> buffer(raw.size());
  const auto result = http::normalize_path(raw, buffer);
  return result ? std::string(result->text) : "error: " + std::string(http::describe(result.error()));
}

TargetError refusal(std::string_view raw) {
  std::vector<char> buffer(raw.size());
  const auto result = http::normalize_path(raw, buffer);
  REQUIRE_FALSE(result.has_value());
  return result.error();
}

std::string encoded(std::string_view text, PathEncoding encoding = PathEncoding::kPath) {
  std::string out;
  http::append_encoded_path(out, text, encoding);
  return out;
}

}  // namespace

TEST_CASE("target: split at the first question mark") {
  auto parts = http::split_target("/a/b?x=1?y");
  CHECK(parts.path == "/a/b");
  CHECK(parts.query == "x=1?y");
  CHECK(parts.has_query);
  parts = http::split_target("/a?");
  CHECK(parts.path == "/a");
  CHECK(parts.query == "");
  CHECK(parts.has_query);
  parts = http::split_target("/a");
  CHECK(parts.path == "/a");
  CHECK_FALSE(parts.has_query);
  parts = http::split_target("");
  CHECK(parts.path == "");
  CHECK_FALSE(parts.has_query);
  parts = http::split_target("?x");
  CHECK(parts.path == "");
  CHECK(parts.query == "x");
}

TEST_CASE("target: a path in normal form is returned as it is, without a buffer") {
  for (const std::string_view raw :
       {"/", "/a", "/a/", "/a/b.html", "/a/b..c/d.", "/a;v=1/b,c", "/~user/x-y_z", "/a:b@c"}) {
    CAPTURE(raw);
    const auto result = http::normalize_path(raw, {});
    REQUIRE(result.has_value());
    CHECK(result->text.data() == raw.data());
    CHECK(result->text.size() == raw.size());
    CHECK_FALSE(result->is_rewritten);
    CHECK_FALSE(result->has_encoded_slash);
    CHECK_FALSE(result->has_control_byte);
  }
}

TEST_CASE("target: what takes the long way and stays the same still views the input") {
  std::array<char, 64> buffer;
  const std::string_view raw = "/.well-known/acme-challenge/x";
  const auto result = http::normalize_path(raw, buffer);
  REQUIRE(result.has_value());
  CHECK(result->text.data() == raw.data());
  CHECK_FALSE(result->is_rewritten);
}

TEST_CASE("target: an empty path is the root") {
  const auto result = http::normalize_path("", {});
  REQUIRE(result.has_value());
  CHECK(result->text == "/");
  CHECK(result->is_rewritten);
}

TEST_CASE("target: only absolute paths") {
  CHECK(refusal("a") == TargetError::kNotAbsolute);
  CHECK(refusal("*") == TargetError::kNotAbsolute);
  CHECK(refusal("http://h/") == TargetError::kNotAbsolute);
  CHECK(refusal("%2Fa") == TargetError::kNotAbsolute);
}

TEST_CASE("target: escapes are decoded once") {
  CHECK(normal("/a%20b") == "/a b");
  CHECK(normal("/%61%62%63") == "/abc");
  CHECK(normal("/%C3%A4%e2%82%ac") == "/\xC3\xA4\xE2\x82\xAC");
  CHECK(normal("/%FF%80") == "/\xFF\x80");
  CHECK(normal("/100%25") == "/100%");
  CHECK(normal("/%2541") == "/%41");
  CHECK(normal("/%252e%252e/") == "/%2e%2e/");
  CHECK(normal("/a%3Fb%23c") == "/a?b#c");
  CHECK(normal("/a+b") == "/a+b");
}

TEST_CASE("target: bad escapes are refused") {
  for (const char* raw : {"/%", "/%4", "/a%", "/a%2", "/%zz", "/%4g", "/%g4", "/%%20", "/% 20", "/%-1", "/%0x"}) {
    CAPTURE(raw);
    CHECK(refusal(raw) == TargetError::kBadEscape);
  }
}

TEST_CASE("target: NUL and raw control bytes are refused") {
  CHECK(refusal("/a%00b") == TargetError::kNul);
  CHECK(refusal("/%00") == TargetError::kNul);
  CHECK(refusal("/index.html%00.png") == TargetError::kNul);
  CHECK(refusal(std::string_view("/a\0b", 4)) == TargetError::kControlByte);
  for (int byte = 0; byte < 0x21; ++byte) {
    const std::string raw = std::string("/a") + static_cast<char>(byte) + "b";
    CAPTURE(byte);
    CHECK(refusal(raw) == TargetError::kControlByte);
  }
  CHECK(refusal("/a\x7F") == TargetError::kControlByte);
  CHECK(refusal("/a#b") == TargetError::kFragment);
}

TEST_CASE("target: an escaped control byte is decoded and flagged") {
  std::array<char, 64> buffer;
  for (const std::string_view raw : {"/a%0Ab", "/a%0db", "/a%09b", "/a%1Bb", "/a%7fb"}) {
    CAPTURE(raw);
    const auto result = http::normalize_path(raw, buffer);
    REQUIRE(result.has_value());
    CHECK(result->has_control_byte);
    CHECK(result->text.size() == 4);
  }
  CHECK(normal("/line%0Abreak") == "/line\nbreak");
  const auto high = http::normalize_path("/%80%9f", buffer);
  REQUIRE(high.has_value());
  CHECK_FALSE(high->has_control_byte);
}

TEST_CASE("target: an escaped slash never becomes a separator") {
  std::array<char, 64> buffer;
  for (const std::string_view raw : {"/a%2Fb", "/a%2fb", "/%2Fetc", "/a/%2f"}) {
    CAPTURE(raw);
    const auto result = http::normalize_path(raw, buffer);
    REQUIRE(result.has_value());
    CHECK(result->has_encoded_slash);
  }
  CHECK(normal("/a%2Fb") == "/a%2Fb");
  CHECK(normal("/a%2fb") == "/a%2Fb");
  CHECK(normal("/..%2F..%2Fetc/passwd") == "/..%2F..%2Fetc/passwd");
  CHECK(normal("/a%2F../b") == "/a%2F../b");  // one segment, which is not ".."
  const auto twice = http::normalize_path("/a%252Fb", buffer);
  REQUIRE(twice.has_value());
  CHECK(twice->text == "/a%2Fb");
  CHECK_FALSE(twice->has_encoded_slash);
}

TEST_CASE("target: a backslash is an ordinary byte") {
  CHECK(normal("/a\\..\\b") == "/a\\..\\b");
  CHECK(normal("/..%5C..%5Cetc") == "/..\\..\\etc");
}

TEST_CASE("target: dot segments") {
  CHECK(normal("/.") == "/");
  CHECK(normal("/./") == "/");
  CHECK(normal("/a/.") == "/a/");
  CHECK(normal("/a/./b") == "/a/b");
  CHECK(normal("/a/..") == "/");
  CHECK(normal("/a/../") == "/");
  CHECK(normal("/a/b/..") == "/a/");
  CHECK(normal("/a/b/../") == "/a/");
  CHECK(normal("/a/b/../c") == "/a/c");
  CHECK(normal("/a/b/../../c") == "/c");
  CHECK(normal("/a/b/./../c/./.") == "/a/c/");
  CHECK(normal("/a/b/c/./../../g") == "/a/g");  // RFC 3986 section 5.2.4
  CHECK(normal("/mid/content=5/../6") == "/mid/6");
}

TEST_CASE("target: escaped dots are dots") {
  CHECK(normal("/a/%2e/b") == "/a/b");
  CHECK(normal("/a/%2E%2e/b") == "/b");
  CHECK(normal("/a/.%2e/b") == "/b");
  CHECK(normal("/a/%2e.") == "/");
  CHECK(refusal("/%2e%2e/etc/passwd") == TargetError::kAboveRoot);
  CHECK(refusal("/.%2e") == TargetError::kAboveRoot);
}

TEST_CASE("target: names with dots are not dot segments") {
  CHECK(normal("/...") == "/...");
  CHECK(normal("/.../a") == "/.../a");
  CHECK(normal("/..a/b") == "/..a/b");
  CHECK(normal("/a../b") == "/a../b");
  CHECK(normal("/.a/..b/.c.") == "/.a/..b/.c.");
  CHECK(normal("/a/.../..") == "/a/");
  CHECK(normal("/..;/a") == "/..;/a");
}

TEST_CASE("target: climbing above the root is refused") {
  CHECK(refusal("/..") == TargetError::kAboveRoot);
  CHECK(refusal("/../") == TargetError::kAboveRoot);
  CHECK(refusal("/../a") == TargetError::kAboveRoot);
  CHECK(refusal("/a/../..") == TargetError::kAboveRoot);
  CHECK(refusal("/a/../../b") == TargetError::kAboveRoot);
  CHECK(refusal("/./..") == TargetError::kAboveRoot);
  CHECK(refusal("//..") == TargetError::kAboveRoot);
  CHECK(refusal("/a/b/../../../c") == TargetError::kAboveRoot);
}

TEST_CASE("target: runs of slashes become one") {
  CHECK(normal("//") == "/");
  CHECK(normal("///") == "/");
  CHECK(normal("//a") == "/a");
  CHECK(normal("//evil.example/x") == "/evil.example/x");
  CHECK(normal("/a//b///c") == "/a/b/c");
  CHECK(normal("/a//") == "/a/");
  CHECK(normal("/a//../b") == "/b");
  CHECK(normal("/a/.//b") == "/a/b");
  CHECK(normal("/a/..//b") == "/b");
  CHECK(normal("//./..a//") == "/..a/");
}

TEST_CASE("target: works inside the memory of its input") {
  std::string memory = "/a/%2e%2e//b%20c/./d%2Fe/..";
  const auto result = http::normalize_path(memory, memory);
  REQUIRE(result.has_value());
  CHECK(result->text == "/b c/");
  CHECK(result->is_rewritten);
  CHECK(result->has_encoded_slash);
  CHECK(result->text.data() == memory.data());
}

TEST_CASE("target: the buffer needs the length of the input and no byte more") {
  const std::string_view raw = "/a%20b";
  std::array<char, 6> exact;
  REQUIRE(http::normalize_path(raw, exact).has_value());
  const auto small = http::normalize_path(raw, std::span(exact).first(5));
  REQUIRE_FALSE(small.has_value());
  CHECK(small.error() == TargetError::kBufferTooSmall);
}

TEST_CASE("target: a normal path is its own normal form") {
  for (const char* raw : {"/a/b/../c//d", "/x/./y/", "/%41/..%2e/", "//a//../b/"}) {
    CAPTURE(raw);
    const std::string once = normal(raw);
    CHECK(normal(encoded(once)) == once);
  }
}

TEST_CASE("target: every refusal has its own sentence") {
  std::vector<std::string> seen;
  for (int i = 0; i <= static_cast<int>(TargetError::kBufferTooSmall); ++i) {
    const std::string text(http::describe(static_cast<TargetError>(i)));
    CHECK(text.size() > 10);
    for (const std::string& other : seen) CHECK(text != other);
    seen.push_back(text);
  }
}

TEST_CASE("encode: kept and escaped bytes") {
  CHECK(encoded("/a/b.html") == "/a/b.html");
  CHECK(encoded("AZaz09-._~!$()*,;=@") == "AZaz09-._~!$()*,;=@");
  CHECK(encoded("a b") == "a%20b");
  CHECK(encoded("100%") == "100%25");
  CHECK(encoded("a?b#c") == "a%3Fb%23c");
  CHECK(encoded("a\nb\r\t") == "a%0Ab%0D%09");
  CHECK(encoded("\"<>'&`\\") == "%22%3C%3E%27%26%60%5C");
  CHECK(encoded("a:b+c") == "a%3Ab%2Bc");
  CHECK(encoded("\xC3\xA4\xFF") == "%C3%A4%FF");
  CHECK(encoded("[x]{y}|^") == "%5Bx%5D%7By%7D%7C%5E");
  CHECK(encoded("") == "");
  CHECK(encoded(std::string_view("\0", 1)) == "%00");
}

TEST_CASE("encode: a segment hides its slashes") {
  CHECK(encoded("a/b", PathEncoding::kSegment) == "a%2Fb");
  CHECK(encoded("a/b", PathEncoding::kPath) == "a/b");
}

TEST_CASE("encode: size and buffer at n and n-1") {
  const std::string_view text = "a b/\xC3\xA4";
  const std::size_t size = http::encoded_path_size(text);
  CHECK(size == 1 + 3 + 1 + 1 + 6);
  std::array<char, 12> exact;
  CHECK(http::encode_path(text, exact) == "a%20b/%C3%A4");
  CHECK(http::encode_path(text, std::span(exact).first(11)).empty());
  CHECK(http::encode_path(text, std::span(exact).first(2)).empty());
  CHECK(http::encode_path("", {}).empty());
}

TEST_CASE("encode: every byte comes back, save NUL and slash which no name holds") {
  std::string name;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '/') name.push_back(static_cast<char>(byte));
  }
  const std::string url = "/" + encoded(name, PathEncoding::kSegment);
  CHECK(normal(url) == "/" + name);
}

TEST_CASE("encode: appends behind what is there") {
  std::string out = "Location: ";
  http::append_encoded_path(out, "/a b");
  CHECK(out == "Location: /a%20b");
}
