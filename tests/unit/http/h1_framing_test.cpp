// What the fields mean: host, body framing, persistence, expectation, upgrade.
#include <string>
#include <vector>

#include "http/h1/framing.h"
#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

namespace {

std::string with_host(std::string_view value) { return "GET / HTTP/1.1\r\nHost:" + std::string(value) + "\r\n\r\n"; }

std::string http10_with(std::string_view lines) { return "POST / HTTP/1.0\r\n" + std::string(lines) + "\r\n"; }

}  // namespace

TEST_CASE("host: one in 1.1, at most one in 1.0") {
  check_refused("GET / HTTP/1.1\r\n\r\n", Rule::kMissingHost, 400);
  check_refused("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", Rule::kRepeatedHost, 400);
  check_refused("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\nhost: a\r\n\r\n", Rule::kRepeatedHost, 400);
  check_refused("GET / HTTP/1.1\r\nHost:\r\nHost:\r\n\r\n", Rule::kRepeatedHost, 400);
  check_refused(http10_with("Host: a\r\nHost: a\r\n"), Rule::kRepeatedHost, 400);
  check_accepted(http10_with(""));
  check_accepted(http10_with("Host: a\r\n"));
}

TEST_CASE("host: values") {
  SUBCASE("name and port") {
    const ParsedHead head(with_host("\t shop.example:8080 "));
    CHECK(head.text(head->host) == "shop.example");
    CHECK(head->port == 8080);
  }
  SUBCASE("IPv6") {
    const ParsedHead head(with_host(" [::1]:8080"));
    CHECK(head.text(head->host) == "[::1]");
    CHECK(head->port == 8080);
  }
  SUBCASE("empty, for a target without authority") {
    const ParsedHead head(with_host(""));
    CHECK(head->host.empty());
    CHECK(head->port == 0);
  }
  for (const char* value : {" u@a", " a b", " a,b", " http://a", " a/b", " a:b", " a:0", " a:65536", " [::1", " :80",
                            " ..", " a?b", " a#b", " a\xFF", " [1.2.3.4]", " a\\b", " [::1]x", " a:80:80"}) {
    check_refused(with_host(value), Rule::kBadHost, 400);
  }
}

TEST_CASE("body: none by default") {
  const ParsedHead head("POST / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(head->body == BodyKind::kNone);
  CHECK(head->content_length == 0);
}

TEST_CASE("body: Content-Length") {
  const auto length = [](std::string_view value) {
    return ParsedHead(get_with("Content-Length:" + std::string(value) + "\r\n"))->content_length;
  };
  CHECK(length(" 0") == 0);
  CHECK(length("5") == 5);
  CHECK(length(" \t42 ") == 42);
  CHECK(length(" 00000000000000000000000000007") == 7);
  CHECK(length(" 9223372036854775807") == 9223372036854775807U);
  CHECK(ParsedHead(get_with("Content-Length: 0\r\n"))->body == BodyKind::kLength);
}

TEST_CASE("body: Content-Length that is refused") {
  for (const char* value :
       {"", "+5", "-5", "5,", "5, 5", "5,5", "0x5", "5.0", "5 5", "five", "5;", "\xD9\xA5", "1e3", "\"5\""}) {
    check_refused(get_with("Content-Length: " + std::string(value) + "\r\n"), Rule::kBadContentLength, 400);
  }
  for (const char* value : {"9223372036854775808", "18446744073709551615", "18446744073709551616",
                            "18446744073709551621", "99999999999999999999999999999999"}) {
    check_refused(get_with("Content-Length: " + std::string(value) + "\r\n"), Rule::kContentLengthTooLarge, 400);
  }
  SUBCASE("two that differ") {
    check_refused(get_with("Content-Length: 5\r\nContent-Length: 6\r\n"), Rule::kRepeatedContentLength, 400);
  }
  SUBCASE("two that are equal") {
    check_refused(get_with("Content-Length: 5\r\nX: y\r\ncontent-length: 5\r\n"), Rule::kRepeatedContentLength, 400);
  }
}

TEST_CASE("body: Transfer-Encoding") {
  for (const char* value : {"chunked", "Chunked", "CHUNKED", " \tchunked\t "}) {
    const ParsedHead head(get_with("Transfer-Encoding:" + std::string(value) + "\r\n"));
    CHECK(head->body == BodyKind::kChunked);
  }
}

TEST_CASE("body: Transfer-Encoding that is refused") {
  const auto coding = [](std::string_view value) {
    return get_with("Transfer-Encoding: " + std::string(value) + "\r\n");
  };
  for (const char* value :
       {"gzip", "gzip, chunked", "identity", "xchunked", "chunked1", "deflate,chunked", "x-gzip", "compress;q=1"}) {
    check_refused(coding(value), Rule::kUnknownCoding, 501);
  }
  for (const char* value : {"chunked, gzip", "chunked, chunked", "chunked,", ",chunked", "", ",", "chunked;a=b",
                            "chun ked", "\"chunked\"", "chunked, identity", "chunked\xA0", "=chunked"}) {
    check_refused(coding(value), Rule::kBadTransferEncoding, 400);
  }
  SUBCASE("twice, in two lines") {
    check_refused(get_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), Rule::kBadTransferEncoding,
                  400);
  }
  SUBCASE("another behind chunked, in two lines") {
    check_refused(get_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n"), Rule::kBadTransferEncoding,
                  400);
  }
  SUBCASE("another before chunked, in two lines") {
    check_refused(get_with("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"), Rule::kUnknownCoding, 501);
  }
  SUBCASE("a control in the value") {
    check_refused(get_with("Transfer-Encoding: \vchunked\r\n"), Rule::kControlCharacter, 400);
  }
  SUBCASE("HTTP/1.0") { check_refused(http10_with("Transfer-Encoding: chunked\r\n"), Rule::kCodingInHttp10, 400); }
}

TEST_CASE("body: Content-Length with Transfer-Encoding") {
  check_refused(get_with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), Rule::kLengthAndCoding, 400);
  check_refused(get_with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), Rule::kLengthAndCoding, 400);
  check_refused(get_with("Transfer-Encoding: gzip\r\nContent-Length: x\r\n"), Rule::kLengthAndCoding, 400);
  check_refused(http10_with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), Rule::kLengthAndCoding, 400);
}

TEST_CASE("connection: persistence") {
  const auto keeps = [](std::string_view text) { return ParsedHead(text)->keep_alive; };
  CHECK(keeps(get_with("")));
  CHECK(keeps(get_with("Connection: keep-alive\r\n")));
  CHECK(keeps(get_with("Connection: \r\n")));
  CHECK(keeps(get_with("Connection: closed, x-close\r\n")));
  CHECK_FALSE(keeps(get_with("Connection: close\r\n")));
  CHECK_FALSE(keeps(get_with("Connection: Close\r\n")));
  CHECK_FALSE(keeps(get_with("Connection: keep-alive, close\r\n")));
  CHECK_FALSE(keeps(get_with("Connection: ,, close ,\r\n")));
  CHECK_FALSE(keeps(get_with("Connection: keep-alive\r\nConnection: close\r\n")));
  CHECK_FALSE(keeps(http10_with("")));
  CHECK(keeps(http10_with("Connection: Keep-Alive\r\n")));
  CHECK_FALSE(keeps(http10_with("Connection: keep-alive, close\r\n")));
  CHECK_FALSE(keeps(http10_with("Proxy-Connection: keep-alive\r\n")));
}

TEST_CASE("connection: options are listed as received") {
  const ParsedHead head(get_with("Connection: Upgrade, X-Hop\r\nConnection: keep-alive\r\n"));
  std::vector<std::string> options;
  head->for_each_connection_option([&](std::string_view option) { options.emplace_back(option); });
  CHECK(options == std::vector<std::string>{"Upgrade", "X-Hop", "keep-alive"});
  CHECK(head->connection == (kConnectionUpgrade | kConnectionOther | kConnectionKeepAlive));
}

TEST_CASE("connection: upgrade") {
  const auto upgrades = [](std::string_view text) { return ParsedHead(text)->upgrade; };
  CHECK(upgrades(get_with("Connection: Upgrade\r\nUpgrade: websocket\r\n")));
  CHECK(upgrades(get_with("Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n")));
  CHECK_FALSE(upgrades(get_with("Upgrade: websocket\r\n")));
  CHECK_FALSE(upgrades(get_with("Connection: upgrade\r\n")));
  CHECK_FALSE(upgrades(http10_with("Connection: upgrade\r\nUpgrade: websocket\r\n")));
}

TEST_CASE("expect") {
  const auto expects = [](std::string_view text) { return ParsedHead(text)->expect_continue; };
  CHECK(expects(get_with("Content-Length: 1\r\nExpect: 100-continue\r\n")));
  CHECK(expects(get_with("Transfer-Encoding: chunked\r\nExpect: 100-Continue\r\n")));
  CHECK_FALSE(expects(get_with("Expect: 100-continue\r\n")));
  CHECK_FALSE(expects(get_with("Content-Length: 0\r\nExpect: 100-continue\r\n")));
  CHECK_FALSE(expects(get_with("Content-Length: 1\r\n")));
  CHECK_FALSE(expects(http10_with("Content-Length: 1\r\nExpect: 100-continue\r\n")));
  for (const char* value : {"", "200-ok", "100-continue, x", "100-continue;a", "100", "continue"}) {
    check_refused(get_with("Expect: " + std::string(value) + "\r\n"), Rule::kUnknownExpectation, 417);
  }
  check_refused(get_with("Expect: 100-continue\r\nExpect: x\r\n"), Rule::kUnknownExpectation, 417);
}
