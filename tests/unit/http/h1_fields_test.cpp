// Field lines: what is taken, what is refused, and line ends.
#include <string>

#include "http/h1/field_line.h"
#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

TEST_CASE("fields: names and values as received, in order") {
  const ParsedHead head("GET / HTTP/1.1\r\nHoSt:a\r\nX-One: 1\r\nx-one:  two words \t\r\nEmpty:\r\nBlank: \t \r\n\r\n");
  REQUIRE(head->fields.size() == 5);
  CHECK(head->fields.name(0) == "HoSt");
  CHECK(head->fields.value(0) == "a");
  CHECK(head->fields.id(0) == KnownField::kHost);
  CHECK(head->fields.value(1) == "1");
  CHECK(head->fields.value(2) == "two words");
  CHECK(head->fields.value(3) == "");
  CHECK(head->fields.value(4) == "");
  CHECK(head->fields.find("X-ONE") == "1");
  CHECK_FALSE(head->fields.find("X-Two"));
}

TEST_CASE("fields: none in HTTP/1.0") {
  const ParsedHead head("GET / HTTP/1.0\r\n\r\n");
  CHECK(head->fields.empty());
  CHECK(head->host.empty());
}

TEST_CASE("fields: every byte in a value") {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text = get_with("X: a" + std::string(1, static_cast<char>(byte)) + "b\r\n");
    CAPTURE(byte);
    if (byte == '\n') {
      check_refused(text, Rule::kBareLf, 400);
    } else if (byte == '\r') {
      check_refused(text, Rule::kBareCr, 400);
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      check_refused(text, Rule::kControlCharacter, 400);
    } else {
      check_accepted(text);
    }
  }
}

TEST_CASE("fields: every byte in a name") {
  const std::string_view marks = "!#$%&'*+-.^_`|~";
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const std::string text = get_with("X" + std::string(1, c) + "y: b\r\n");
    CAPTURE(byte);
    if (byte == '\n') {
      check_refused(text, Rule::kBareLf, 400);
    } else if (byte == '\r') {
      check_refused(text, Rule::kBareCr, 400);
    } else if (byte == ' ' || byte == '\t') {
      check_refused(text, Rule::kSpaceBeforeColon, 400);
    } else if (byte < 0x20 || byte == 0x7F) {
      check_refused(text, Rule::kControlCharacter, 400);
    } else if (c == ':' || is_alpha(c) || is_digit(c) || marks.contains(c)) {
      check_accepted(text);
    } else {
      check_refused(text, Rule::kBadFieldName, 400);
    }
  }
}

TEST_CASE("fields: shapes that are refused") {
  SUBCASE("space before the colon") { check_refused(get_with("X : b\r\n"), Rule::kSpaceBeforeColon, 400); }
  SUBCASE("tab before the colon") { check_refused(get_with("X\t: b\r\n"), Rule::kSpaceBeforeColon, 400); }
  SUBCASE("space in the name of Host") {
    check_refused("GET / HTTP/1.1\r\nHost : a\r\n\r\n", Rule::kSpaceBeforeColon, 400);
  }
  SUBCASE("no name") { check_refused(get_with(": b\r\n"), Rule::kEmptyFieldName, 400); }
  SUBCASE("no colon") { check_refused(get_with("Xyz\r\n"), Rule::kMissingColon, 400); }
  SUBCASE("a quoted name") { check_refused(get_with("\"X\": b\r\n"), Rule::kBadFieldName, 400); }
  SUBCASE("a name outside ASCII") { check_refused(get_with("X\xC3\xA4: b\r\n"), Rule::kBadFieldName, 400); }
  SUBCASE("folded with a space") { check_refused(get_with("X: b\r\n c\r\n"), Rule::kFoldedField, 400); }
  SUBCASE("folded with a tab") { check_refused(get_with("X: b\r\n\tc\r\n"), Rule::kFoldedField, 400); }
  SUBCASE("folded, blank") { check_refused(get_with("X: b\r\n \r\n"), Rule::kFoldedField, 400); }
  SUBCASE("space before the first field") {
    check_refused("GET / HTTP/1.1\r\n Host: a\r\n\r\n", Rule::kLeadingWhitespace, 400);
  }
  SUBCASE("tab before the first field") {
    check_refused("GET / HTTP/1.1\r\n\tHost: a\r\n\r\n", Rule::kLeadingWhitespace, 400);
  }
  SUBCASE("NUL in a value") { check_refused(get_with({"X: a\0b\r\n", 8}), Rule::kControlCharacter, 400); }
  SUBCASE("NUL at the end of a value") { check_refused(get_with({"X: a\0\r\n", 7}), Rule::kControlCharacter, 400); }
}

TEST_CASE("fields: line ends") {
  SUBCASE("LF ends the request line") { check_refused("GET / HTTP/1.1\nHost: a\r\n\r\n", Rule::kBareLf, 400); }
  SUBCASE("LF ends a field") { check_refused("GET / HTTP/1.1\r\nHost: a\n\r\n", Rule::kBareLf, 400); }
  SUBCASE("LF as the empty line") { check_refused("GET / HTTP/1.1\r\nHost: a\r\n\n", Rule::kBareLf, 400); }
  SUBCASE("LF everywhere") { check_refused("GET / HTTP/1.1\nHost: a\n\n", Rule::kBareLf, 400); }
  SUBCASE("CR ends a field") { check_refused("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", Rule::kBareCr, 400); }
  SUBCASE("CR CR LF") { check_refused("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", Rule::kBareCr, 400); }
  SUBCASE("CR as the empty line") { check_refused("GET / HTTP/1.1\r\nHost: a\r\n\rX", Rule::kBareCr, 400); }
  SUBCASE("LF CR") { check_refused("GET / HTTP/1.1\n\rHost: a\n\r\n\r", Rule::kBareLf, 400); }
  SUBCASE("CR in a name") { check_refused("GET / HTTP/1.1\r\nHo\rst: a\r\n\r\n", Rule::kBareCr, 400); }
  SUBCASE("CR in the target") { check_refused("GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", Rule::kBareCr, 400); }
}

TEST_CASE("fields: errors are reported before the head is complete") {
  const auto first_error_at = [](std::string_view text) {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (parse_at_once(scan_ops(), text.substr(0, i), {}).status == HeadStatus::kError) return i;
    }
    return text.size() + 1;
  };
  CHECK(first_error_at("GET\t") == 4);
  CHECK(first_error_at("GET /\n") == 6);
  CHECK(first_error_at("GET /\r\n") == 7);
  CHECK(first_error_at("GET / HTTP/1.1\r\nX :") == 18);
  CHECK(first_error_at("GET / HTTP/1.1\r\nX: a\r\n b") == 23);
  CHECK(first_error_at({"GET / HTTP/1.1\r\nX: \0", 20}) == 20);
}

TEST_CASE("fields: a head that is not complete") {
  const std::string text = "POST /path?query HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    CHECK(parse_all_ways(text.substr(0, size)).status == HeadStatus::kNeedMore);
  }
}
