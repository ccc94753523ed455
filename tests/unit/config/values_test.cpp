// The small value types: units, listeners, host names, path patterns, edit distance, UTF-8.
#include <doctest/doctest.h>

#include "config/nearest.h"
#include "config/path_pattern.h"
#include "config/text_rules.h"
#include "config/utf8.h"
#include "unit/config/support.h"

using namespace tidegate;
using namespace tidegate::config;

TEST_CASE("config: durations, sizes and rates are written back in their largest whole unit") {
  for (const char* text : {"0ms", "1ms", "999ms", "1s", "90s", "5m", "2h", "7d"})
    CHECK(text_of(*parse_duration(text)) == text);
  CHECK(text_of(*parse_duration("60s")) == "1m");
  CHECK(text_of(*parse_duration("24h")) == "1d");
  for (const char* text : {"0b", "1b", "1023b", "1k", "64k", "3m", "2g", "1t"})
    CHECK(text_of(*parse_size(text)) == text);
  CHECK(text_of(*parse_size("1024k")) == "1m");
  for (const char* text : {"240/s", "1k/s", "3m/s", "off"}) CHECK(text_of(*parse_byte_rate(text)) == text);
  CHECK(parse_byte_rate("2048b/s")->bytes_per_second == 2048);
  CHECK(parse_size("4611686018427387904b").has_value());
  CHECK_FALSE(parse_size("4611686018427387905b").has_value());
  CHECK_FALSE(parse_size("4194305t").has_value());
  for (const char* text : {"", "s", "1", "1 s", " 1s", "1s ", "+1s", "1.5s", "1S", "0x1s", "1ss"}) {
    CHECK_FALSE(parse_duration(text).has_value());
  }
}

TEST_CASE("config: listeners and their canonical form") {
  const auto text = [](std::string_view written) { return parse_listen(written)->text; };
  CHECK(text("http://:80") == "http://:80");
  CHECK(text("http://127.0.0.1") == "http://127.0.0.1:80");
  CHECK(text("http://[::1]:8080") == "http://[::1]:8080");
  CHECK(text("http://[0:0:0:0:0:0:0:1]:8080") == "http://[::1]:8080");
  CHECK(text("http://[::1]") == "http://[::1]:80");
  CHECK(text("http://localhost:8080") == "http://localhost:8080");
  CHECK(text("http://unix:/run/x.sock") == "http://unix:/run/x.sock");
  CHECK(text("http://fd:3") == "fd:3");
  CHECK(text("fd:3") == "fd:3");
  CHECK(text("http://systemd:web") == "systemd:web");
  CHECK(parse_listen("http://:0")->address.port == 0);
  CHECK(parse_listen("http://:65535")->address.port == 65535);
  CHECK(parse_listen("http://127.1.2.3:1")->loopback());
  CHECK_FALSE(parse_listen("http://128.0.0.1:1")->loopback());
  CHECK_FALSE(parse_listen("http://[::2]:1")->loopback());
  CHECK_FALSE(parse_listen("http://:1")->loopback());
  CHECK(parse_admin_listen("unix:/run/x.sock")->kind == Listen::Kind::kUnix);
}

TEST_CASE("config: kinds of path patterns") {
  const auto kind = [](std::string_view text) { return parse_path_pattern(text)->kind; };
  CHECK(kind("/") == PathPattern::Kind::kExact);
  CHECK(kind("/ping") == PathPattern::Kind::kExact);
  CHECK(kind("/*") == PathPattern::Kind::kPrefix);
  CHECK(kind("/**") == PathPattern::Kind::kPrefix);
  CHECK(kind("/a/*") == PathPattern::Kind::kPrefix);
  CHECK(kind("/a*") == PathPattern::Kind::kGlob);
  CHECK(kind("/a/*.png") == PathPattern::Kind::kGlob);
  CHECK(kind("/a/*/*") == PathPattern::Kind::kGlob);
  CHECK(parse_path_pattern("/a/*.png")->literal == "/a/");
  CHECK(parse_path_pattern("/a/*")->has_rest());
  CHECK(parse_path_pattern("/a/*/b/*")->has_rest());
  CHECK_FALSE(parse_path_pattern("/a/*.png")->has_rest());
  CHECK(parse_path_pattern(std::string(1024, '/').replace(1, 1023, 1023, 'a')).has_value());
  CHECK_FALSE(parse_path_pattern(std::string(1025, '/').replace(1, 1024, 1024, 'a')).has_value());
}

TEST_CASE("config: what path patterns match") {
  const auto hits = [](std::string_view pattern, std::string_view path) {
    return matches(*parse_path_pattern(pattern), path);
  };
  CHECK(hits("/ping", "/ping"));
  CHECK_FALSE(hits("/ping", "/ping/"));
  CHECK(hits("/old/*", "/old/"));
  CHECK(hits("/old/*", "/old/a/b"));
  CHECK_FALSE(hits("/old/*", "/old"));
  CHECK_FALSE(hits("/old/*", "/older"));
  CHECK(hits("/img/*.png", "/img/a.png"));
  CHECK(hits("/img/*.png", "/img/.png"));
  CHECK_FALSE(hits("/img/*.png", "/img/a/b.png"));
  CHECK(hits("/docs/**/index.html", "/docs/a/b/index.html"));
  CHECK_FALSE(hits("/docs/**/index.html", "/docs/index.html"));
  CHECK(hits("/a*", "/abc"));
  CHECK_FALSE(hits("/a*", "/abc/d"));
  CHECK(hits("/u/*/posts/*", "/u/7/posts/1/2"));
  CHECK_FALSE(hits("/u/*/posts/*", "/u/7/8/posts/1"));
  CHECK_FALSE(hits("/x", "/*"));
}

TEST_CASE("config: one path pattern covers another only when that is certain") {
  const auto covered = [](std::string_view a, std::string_view b) {
    return covers(*parse_path_pattern(a), *parse_path_pattern(b));
  };
  CHECK(covered("/*", "/"));
  CHECK(covered("/*", "/a*"));
  CHECK(covered("/a/*", "/a/b/*"));
  CHECK(covered("/a/*", "/a/*.png"));
  CHECK_FALSE(covered("/a/*", "/a"));
  CHECK_FALSE(covered("/a/*", "/a*"));
  CHECK(covered("/a/**", "/a/*/c"));
  CHECK(covered("/a/*.png", "/a/x.png"));
  CHECK(covered("/a/*.png", "/a/b*.png"));
  CHECK(covered("/a/**.png", "/a/b/*.png"));
  CHECK_FALSE(covered("/a/*.png", "/a/**.png"));
  CHECK_FALSE(covered("/a/*.png", "/a/*"));
  CHECK_FALSE(covered("/a/*.png", "/a/*.jpg"));
  CHECK_FALSE(covered("/a", "/a*"));
  CHECK(covered("/u/*/p/*", "/u/1/p/2/3"));
}

TEST_CASE("config: patterns that may meet") {
  const auto meet = [](std::string_view a, std::string_view b) {
    return may_overlap(*parse_path_pattern(a), *parse_path_pattern(b));
  };
  CHECK(meet("/a/*", "/a/b"));
  CHECK_FALSE(meet("/a/*", "/b/*"));
  CHECK_FALSE(meet("/a", "/b"));
  CHECK(meet("/*.png", "/a*"));
}

TEST_CASE("config: the nearest word") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  constexpr std::array<std::string_view, 3> kWords{"listen", "limits", "log"};
  CHECK(nearest("lisen", kWords) == "listen");
  CHECK(nearest("limit", kWords) == "limits");
  CHECK(nearest("lgo", kWords) == "log");
  CHECK(nearest("zzzz", kWords).empty());
  CHECK(nearest(std::string(1000, 'l'), kWords).empty());
}

TEST_CASE("config: UTF-8") {
  CHECK(utf8_length("a") == 1);
  CHECK(utf8_length("\xC3\xA4") == 2);
  CHECK(utf8_length("\xF0\x9F\x8C\x8A") == 4);
  for (const char* bad :
       {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x80\x80\x80"}) {
    CHECK(utf8_length(bad) == 0);
  }
  CHECK(utf8_count("a\xC3\xA4\xFFz") == 4);
  CHECK(utf8_offset("a\xC3\xA4z", 2) == 3);
  CHECK(utf8_offset("az", 9) == 2);
  for (const std::uint32_t code : {0x24U, 0xE4U, 0x20ACU, 0x1F30AU}) {
    std::string text;
    utf8_append(text, code);
    CHECK(utf8_length(text) == text.size());
  }
}

TEST_CASE("config: names and values of messages") {
  CHECK(is_token("X-Frame-Options"));
  CHECK_FALSE(is_token(""));
  CHECK_FALSE(is_token("a:b"));
  CHECK(is_field_value(""));
  CHECK(is_field_value("a \t b\xC3\xA4"));
  CHECK_FALSE(is_field_value(" a"));
  CHECK_FALSE(is_field_value("a\x7F"));
  CHECK(is_media_type("text/html; charset=utf-8"));
  CHECK_FALSE(is_media_type("text/"));
  CHECK_FALSE(is_media_type("te xt/html"));
}
