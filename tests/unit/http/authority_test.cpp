// Host and port.
#include "http/authority.h"

#include <doctest/doctest.h>

#include <string>

using namespace tidegate::http;

namespace {

void check_host(std::string_view text, std::string_view host, unsigned port = 0) {
  CAPTURE(text);
  const auto authority = parse_authority(text);
  REQUIRE(authority);
  CHECK(authority->host == host);
  CHECK(authority->port == port);
  CHECK(authority->is_ipv6 == host.starts_with('['));
}

void check_bad(std::string_view text) {
  CAPTURE(text);
  CHECK_FALSE(parse_authority(text));
}

}  // namespace

TEST_CASE("authority: names") {
  check_host("a", "a");
  check_host("Shop.Example", "Shop.Example");
  check_host("a-b_c~d.example.", "a-b_c~d.example.");
  check_host("xn--bcher-kva.example:8080", "xn--bcher-kva.example", 8080);
  check_host("127.0.0.1:1", "127.0.0.1", 1);
  check_host("localhost:65535", "localhost", 65535);
  check_host("localhost:", "localhost");
  check_host("localhost:00080", "localhost", 80);
  check_host(std::string(255, 'a'), std::string(255, 'a'));
}

TEST_CASE("authority: bad names") {
  check_bad("");
  check_bad(":80");
  check_bad(".");
  check_bad("..");
  check_bad(".a");
  check_bad("a..b");
  check_bad("a..");
  check_bad(std::string(256, 'a'));
  for (const char* text : {"a b", "a/b", "a\\b", "u@a", "u:p@a",    "a,b",   "a;b",   "a%41", "a!",   "a'b",  "(a)",
                           "a*",  "*",   "a+b",  "a=b", "a&b",      "a$",    "a?",    "a#",   "a\tb", "a\"b", "a<b",
                           "a|b", "a^b", "a`b",  "{a}", "\xC3\xA4", "a\x80", "a\x7F", " a",   "a "}) {
    check_bad(text);
  }
  check_bad({"a\0b", 3});
}

TEST_CASE("authority: bad ports") {
  for (const char* text :
       {"a:0", "a:00000", "a:65536", "a:99999", "a:100000", "a:000080", "a:-1", "a:+80", "a:8 0", "a:80 ", "a:0x50",
        "a:http", "a::", "a:80:", "a:80:80", "[::1]:0", "[::1]:x", "[::1]80", "[::1] :80"}) {
    check_bad(text);
  }
}

TEST_CASE("authority: IPv6") {
  for (const char* text : {"[::]", "[::1]", "[1::]", "[2001:db8::1]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]",
                           "[::2:3:4:5:6:7:8]", "[fe80::ABCD:ef01]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]",
                           "[64:ff9b::255.255.255.255]", "[0000:0000::0]", "[1::3:4:5:6:7:8]", "[::1.2.3.4]"}) {
    check_host(text, text);
  }
  check_host("[::1]:8080", "[::1]", 8080);
  check_host("[::1]:", "[::1]");
}

TEST_CASE("authority: bad IPv6") {
  for (const char* text : {"[",
                           "[]",
                           "[:]",
                           "[:::]",
                           "[1]",
                           "[1:2:3:4:5:6:7]",
                           "[1:2:3:4:5:6:7:8:9]",
                           "[1:2:3:4:5:6:7:8::]",
                           "[::1::2]",
                           "[1:2:3:4:5:6:7:]",
                           "[:1:2:3:4:5:6:7]",
                           "[12345::]",
                           "[g::]",
                           "[::1%eth0]",
                           "[::1%25eth0]",
                           "[v1.a]",
                           "[1.2.3.4]",
                           "[::1.2.3]",
                           "[::1.2.3.4.5]",
                           "[::256.1.1.1]",
                           "[::01.2.3.4]",
                           "[1:2:3:4:5:6:7:1.2.3.4]",
                           "[1:2:3:4:5:1.2.3.4]",
                           "[::1",
                           "::1",
                           "[[::1]]",
                           "[::1]x",
                           "[::1.2.3.4:5]",
                           "[1:2:3:4::5:6:7:8]",
                           "[::1:]",
                           "[1::2:]",
                           "[ ::1]"}) {
    check_bad(text);
  }
}
