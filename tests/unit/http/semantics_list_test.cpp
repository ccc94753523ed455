// Character classes, list and parameter readers (RFC 9110 section 5.6).
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "http/semantics/chars.h"
#include "http/semantics/list.h"

namespace http = tidegate::http;
using Texts = std::vector<std::string>;

namespace {

Texts elements(http::ListReader reader) {
  Texts out;
  while (const auto element = reader.next()) out.emplace_back(*element);
  return out;
}

Texts elements_of(std::string_view line) { return elements(http::ListReader(line)); }

}  // namespace

TEST_CASE("chars: token characters are exactly those of the grammar") {
  const std::string_view specials = "!#$%&'*+-.^_`|~";
  int count = 0;
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const bool expected = (i < 128) && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                        specials.find(c) != std::string_view::npos);
    if (http::is_tchar(c) != expected) FAIL("byte ", i);
    count += expected ? 1 : 0;
  }
  CHECK(count == 77);
  CHECK_FALSE(http::is_tchar('\0'));
}

TEST_CASE("chars: small helpers") {
  CHECK(http::is_token("a"));
  CHECK_FALSE(http::is_token(""));
  CHECK_FALSE(http::is_token("a b"));
  CHECK(http::trim_ows(" \t a b\t ") == "a b");
  CHECK(http::trim_ows(" \t ") == "");
  CHECK(http::equals_ignore_case("GZip", "gzIP"));
  CHECK_FALSE(http::equals_ignore_case("gzip", "gzi"));
  CHECK_FALSE(http::equals_ignore_case("@", "`"));  // 0x40 and 0x60 differ in the case bit but are no letters
  CHECK(http::hex_value('f') == 15);
  CHECK(http::hex_value('A') == 10);
  CHECK(http::hex_value('g') == -1);
  CHECK(http::is_control('\x7F'));
  CHECK(http::is_control('\x1F'));
  CHECK_FALSE(http::is_control(' '));
  CHECK_FALSE(http::is_control('\x80'));
}

TEST_CASE("list: the examples of RFC 9110 section 5.6.1.2") {
  CHECK(elements_of("foo,bar") == Texts{"foo", "bar"});
  CHECK(elements_of("foo ,bar,") == Texts{"foo", "bar"});
  CHECK(elements_of("foo , ,bar,charlie") == Texts{"foo", "bar", "charlie"});
  CHECK(elements_of("").empty());
  CHECK(elements_of(",").empty());
  CHECK(elements_of(",   ,").empty());
}

TEST_CASE("list: commas in quoted-strings do not split") {
  CHECK(elements_of(R"(a="x,y", b)") == Texts{R"(a="x,y")", "b"});
  CHECK(elements_of(R"("a\"b,c",d)") == Texts{R"("a\"b,c")", "d"});
  CHECK(elements_of(R"("a\\",d)") == Texts{R"("a\\")", "d"});
  CHECK(elements_of(R"("",x)") == Texts{R"("")", "x"});
}

TEST_CASE("list: an open quoted-string is reported and ends with its line") {
  const std::array<std::string_view, 2> lines = {R"(a, "b, c)", "d"};
  http::ListReader reader{std::span<const std::string_view>(lines)};
  CHECK(reader.next() == "a");
  CHECK_FALSE(reader.is_malformed());
  CHECK(reader.next() == "\"b, c");
  CHECK(reader.is_malformed());
  CHECK(reader.next() == "d");
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.next());
  CHECK(elements_of("\"a\\") == Texts{"\"a\\"});
}

TEST_CASE("list: several lines read as one list") {
  const std::array<std::string_view, 4> lines = {"a, b", "", " , ", "c"};
  CHECK(elements(http::ListReader(std::span<const std::string_view>(lines))) == Texts{"a", "b", "c"});
  CHECK(elements(http::ListReader(std::span<const std::string_view>())).empty());
}

TEST_CASE("list: contains compares without case") {
  const std::array<std::string_view, 2> lines = {"keep-alive, Upgrade", "close"};
  CHECK(http::list_contains(lines, "CLOSE"));
  CHECK(http::list_contains(lines, "upgrade"));
  CHECK_FALSE(http::list_contains(lines, "clos"));
  CHECK_FALSE(http::list_contains({}, "close"));
}

TEST_CASE("parameters: head and values") {
  http::ParameterReader reader(R"( text/html ; level=1;; charset="utf;8" ;flag; q=0.5 )");
  CHECK(reader.head() == "text/html");
  auto parameter = reader.next();
  REQUIRE(parameter);
  CHECK(parameter->name == "level");
  CHECK(parameter->value == "1");
  CHECK_FALSE(parameter->is_quoted);
  parameter = reader.next();
  REQUIRE(parameter);
  CHECK(parameter->name == "charset");
  CHECK(parameter->value == "utf;8");
  CHECK(parameter->is_quoted);
  parameter = reader.next();
  REQUIRE(parameter);
  CHECK(parameter->name == "flag");
  CHECK(parameter->value == "");
  parameter = reader.next();
  REQUIRE(parameter);
  CHECK(parameter->name == "q");
  CHECK(parameter->value == "0.5");
  CHECK_FALSE(reader.next());
}

TEST_CASE("parameters: none, and a lone quote") {
  http::ParameterReader plain("gzip");
  CHECK(plain.head() == "gzip");
  CHECK_FALSE(plain.next());
  http::ParameterReader empty("");
  CHECK(empty.head() == "");
  CHECK_FALSE(empty.next());
  http::ParameterReader lone("a;b=\"");
  const auto parameter = lone.next();
  REQUIRE(parameter);
  CHECK(parameter->value == "\"");
  CHECK_FALSE(parameter->is_quoted);
}
