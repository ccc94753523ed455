// The request line: methods, the four target forms, versions, and everything that is refused in it.
#include <string>

#include "http/h1/request_line.h"
#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

namespace {
std::string request(std::string_view line) { return std::string(line) + "\r\nHost: a\r\n\r\n"; }
}  // namespace

TEST_CASE("request line: origin form") {
  const ParsedHead head(request("GET /a/b.html?x=1&y=2 HTTP/1.1"));
  CHECK(head->method == Method::kGet);
  CHECK(head.text(head->method_token) == "GET");
  CHECK(head->version == Version::kHttp11);
  CHECK(head->target_form == TargetForm::kOrigin);
  CHECK(head.text(head->target) == "/a/b.html?x=1&y=2");
  CHECK(head.text(head->path) == "/a/b.html");
  CHECK(head->has_query);
  CHECK(head.text(head->query) == "x=1&y=2");
  CHECK(head->request_path() == "/a/b.html");
  CHECK(head.text(head->host) == "a");
}

TEST_CASE("request line: query") {
  SUBCASE("none") { CHECK_FALSE(ParsedHead(request("GET / HTTP/1.1"))->has_query); }
  SUBCASE("empty") {
    const ParsedHead head(request("GET /? HTTP/1.1"));
    CHECK(head->has_query);
    CHECK(head->query.empty());
    CHECK(head.text(head->path) == "/");
  }
  SUBCASE("a second question mark and a backslash belong to it") {
    CHECK(ParsedHead(request("GET /a?b?c\\d HTTP/1.1"))->query.size == 5);
  }
}

TEST_CASE("request line: every method") {
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
    const ParsedHead head(request(std::string(method) + " / HTTP/1.1"));
    CHECK(name_of(head->method) == method);
  }
}

TEST_CASE("request line: other methods pass as tokens") {
  for (const char* method : {"get", "Get", "PROPFIND", "M-SEARCH", "!#$%&'*+-.^_`|~09az", "G"}) {
    const ParsedHead head(request(std::string(method) + " / HTTP/1.1"));
    CHECK(head->method == Method::kOther);
    CHECK(head.text(head->method_token) == method);
  }
}

TEST_CASE("request line: bad methods") {
  for (const char* line :
       {" GET / HTTP/1.1", "\tGET / HTTP/1.1", "G(T / HTTP/1.1", "GET: / HTTP/1.1", "GET\t/ HTTP/1.1",
        "G\xC3\x84T / HTTP/1.1", "GET", "/ HTTP/1.1", "\"GET\" / HTTP/1.1", "GET,POST / HTTP/1.1"}) {
    check_refused(request(line), Rule::kBadMethod, 400);
  }
}

TEST_CASE("request line: characters of a target") {
  SUBCASE("all that browsers leave as they are") {
    check_accepted(request("GET /-._~!$&'()*+,;=:@%20|^`{}[]?-._~!$&'()*+,;=:@%20/?|^`{}[]\\ HTTP/1.1"));
  }
  SUBCASE("raw bytes from 0x80, as curl sends UTF-8") {
    const ParsedHead head(request("GET /gr\xC3\xBC\xC3\x9F.txt?\xFF\x80 HTTP/1.1"));
    CHECK(head.text(head->path) == "/gr\xC3\xBC\xC3\x9F.txt");
  }
  SUBCASE("dot segments and percent signs are left to the normal form") {
    check_accepted(request("GET /../%2e%00%zz HTTP/1.1"));
  }
}

TEST_CASE("request line: characters that no target has") {
  for (const char* line :
       {"GET /a\tb HTTP/1.1", "GET /a\"b HTTP/1.1", "GET /<script> HTTP/1.1", "GET /a#b HTTP/1.1",
        "GET /a?b#c HTTP/1.1", "GET /a?\"b HTTP/1.1", "GET /a\\b HTTP/1.1", "GET /a?b\tc HTTP/1.1"}) {
    check_refused(request(line), Rule::kBadTarget, 400);
  }
}

TEST_CASE("request line: controls") {
  SUBCASE("NUL in the target") { check_refused(request({"GET /a\0b HTTP/1.1", 17}), Rule::kControlCharacter, 400); }
  SUBCASE("NUL in the method") { check_refused(request({"GE\0 / HTTP/1.1", 14}), Rule::kControlCharacter, 400); }
  SUBCASE("DEL") { check_refused(request("GET /\x7F HTTP/1.1"), Rule::kControlCharacter, 400); }
  SUBCASE("vertical tab") { check_refused(request("GET /\vx HTTP/1.1"), Rule::kControlCharacter, 400); }
  SUBCASE("escape") { check_refused(request("GET /\x1B[2J HTTP/1.1"), Rule::kControlCharacter, 400); }
  SUBCASE("a TLS client hello") { check_refused({"\x16\x03\x01\x02\x00\x01", 6}, Rule::kControlCharacter, 400); }
}

TEST_CASE("request line: spaces") {
  SUBCASE("two after the method") { check_refused(request("GET  / HTTP/1.1"), Rule::kBadTargetForm, 400); }
  SUBCASE("two before the version") { check_refused(request("GET /  HTTP/1.1"), Rule::kBadVersion, 400); }
  SUBCASE("one in the target") { check_refused(request("GET /a b HTTP/1.1"), Rule::kBadVersion, 400); }
  SUBCASE("one at the end") { check_refused(request("GET / HTTP/1.1 "), Rule::kBadVersion, 400); }
  SUBCASE("no target") { check_refused(request("GET HTTP/1.1"), Rule::kBadTargetForm, 400); }
  SUBCASE("nothing behind the method's space") { check_refused(request("GET "), Rule::kBadTargetForm, 400); }
}

TEST_CASE("request line: versions") {
  SUBCASE("1.0") { CHECK(ParsedHead("GET / HTTP/1.0\r\n\r\n")->version == Version::kHttp10); }
  SUBCASE("1.2 counts as 1.1") { CHECK(ParsedHead(request("GET / HTTP/1.2"))->version == Version::kHttp11); }
  SUBCASE("1.9 counts as 1.1") { CHECK(ParsedHead(request("GET / HTTP/1.9"))->version == Version::kHttp11); }
  SUBCASE("none") { check_refused("GET /\r\n", Rule::kMissingVersion, 400); }
  SUBCASE("none, with a query") { check_refused("GET /?a\r\n", Rule::kMissingVersion, 400); }
  SUBCASE("0.9") { check_refused(request("GET / HTTP/0.9"), Rule::kMissingVersion, 400); }
  SUBCASE("2.0") { check_refused(request("GET / HTTP/2.0"), Rule::kUnsupportedVersion, 505); }
  SUBCASE("3.1") { check_refused(request("GET / HTTP/3.1"), Rule::kUnsupportedVersion, 505); }
  SUBCASE("9.9") { check_refused(request("GET / HTTP/9.9"), Rule::kUnsupportedVersion, 505); }
}

TEST_CASE("request line: malformed versions") {
  for (const char* version :
       {"HTTP/1", "HTTP/1.", "HTTP/1.10", "HTTP/11.1", "HTTP/1,1", "http/1.1", "Http/1.1", "HTTP1.1", "HTTP/ 1.1",
        "HTTP/1.x", "HTTP/x.1", "HTTPS/1.1", "ICAP/1.0", "", "HTTP/1.1\t"}) {
    check_refused(request("GET / " + std::string(version)), Rule::kBadVersion, 400);
  }
}

TEST_CASE("request line: the HTTP/2 preface") {
  check_refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Rule::kHttp2Preface, 505);
  SUBCASE("only as it is written") { check_refused("PRI / HTTP/2.0\r\n\r\n", Rule::kUnsupportedVersion, 505); }
  SUBCASE("PRI with 1.1 is a method like others") {
    check_refused("PRI * HTTP/1.1\r\n\r\n", Rule::kAsteriskTarget, 400);
  }
}

TEST_CASE("request line: asterisk form") {
  const ParsedHead head(request("OPTIONS * HTTP/1.1"));
  CHECK(head->target_form == TargetForm::kAsterisk);
  CHECK(head.text(head->target) == "*");
  CHECK(head->request_path() == "");
  CHECK(head.text(head->host) == "a");
  SUBCASE("for another method") { check_refused(request("GET * HTTP/1.1"), Rule::kAsteriskTarget, 400); }
  SUBCASE("with more behind it") { check_refused(request("OPTIONS *a HTTP/1.1"), Rule::kBadTargetForm, 400); }
  SUBCASE("with a bad byte behind it") { check_refused(request("OPTIONS *\t HTTP/1.1"), Rule::kBadTarget, 400); }
  SUBCASE("without version") { check_refused("OPTIONS *\r\n", Rule::kMissingVersion, 400); }
}

TEST_CASE("request line: absolute form") {
  SUBCASE("its host overrides Host") {
    const ParsedHead head(request("GET http://Shop.example:8080/x?y HTTP/1.1"));
    CHECK(head->target_form == TargetForm::kAbsolute);
    CHECK(head->scheme == Scheme::kHttp);
    CHECK(head.text(head->host) == "Shop.example");
    CHECK(head->port == 8080);
    CHECK(head.text(head->path) == "/x");
    CHECK(head.text(head->query) == "y");
    CHECK(head.text(head->target) == "http://Shop.example:8080/x?y");
  }
  SUBCASE("https, any case") { CHECK(ParsedHead(request("GET HTTPS://b/ HTTP/1.1"))->scheme == Scheme::kHttps); }
  SUBCASE("no path") { CHECK(ParsedHead(request("GET http://b HTTP/1.1"))->request_path() == "/"); }
  SUBCASE("no path but a query") {
    const ParsedHead head(request("GET http://b?q HTTP/1.1"));
    CHECK(head->request_path() == "/");
    CHECK(head.text(head->query) == "q");
  }
  SUBCASE("IPv6") {
    const ParsedHead head(request("GET http://[2001:db8::1]:81/ HTTP/1.1"));
    CHECK(head.text(head->host) == "[2001:db8::1]");
    CHECK(head->port == 81);
  }
  SUBCASE("port of Host does not count") {
    CHECK(ParsedHead("GET http://b/ HTTP/1.1\r\nHost: c:99\r\n\r\n")->port == 0);
  }
  SUBCASE("OPTIONS without path means the server") {
    const ParsedHead head(request("OPTIONS http://b:8001 HTTP/1.1"));
    CHECK(head->target_form == TargetForm::kAsterisk);
    CHECK(head.text(head->host) == "b");
  }
  SUBCASE("HTTP/1.0 without Host") { CHECK(ParsedHead("GET http://b/ HTTP/1.0\r\n\r\n")->host.size == 1); }
  SUBCASE("Host is still needed in 1.1") { check_refused("GET http://b/ HTTP/1.1\r\n\r\n", Rule::kMissingHost, 400); }
  SUBCASE("Host is still checked") {
    check_refused("GET http://b/ HTTP/1.1\r\nHost: a@b\r\n\r\n", Rule::kBadHost, 400);
  }
}

TEST_CASE("request line: bad absolute forms") {
  for (const char* target :
       {"http:///x", "http://", "http://?x", "http://:80/", "http://u@b/", "http://u:p@b/", "http://b:99999/",
        "http://b:x/", "http://b,c/", "http://b%41/", "http://[::1/", "http://\xC3\xA4/", "http://b..c/"}) {
    check_refused(request("GET " + std::string(target) + " HTTP/1.1"), Rule::kBadTargetAuthority, 400);
  }
  for (const char* target : {"ftp://b/", "ws://b/", "gopher://b", "httpx://b/"}) {
    check_refused(request("GET " + std::string(target) + " HTTP/1.1"), Rule::kBadTargetScheme, 400);
  }
  for (const char* target : {"a", "a/b", "www.example.com/", "http:/b", "http:b", "b:80", "://b/", "?a", ".", "%2F"}) {
    check_refused(request("GET " + std::string(target) + " HTTP/1.1"), Rule::kBadTargetForm, 400);
  }
  check_refused(request("GET a\tb HTTP/1.1"), Rule::kBadTarget, 400);
  check_refused(request("GET #a HTTP/1.1"), Rule::kBadTarget, 400);
  check_refused(request("GET http://b/a\\b HTTP/1.1"), Rule::kBadTarget, 400);
}

TEST_CASE("request line: authority form") {
  const ParsedHead head(request("CONNECT b.example:443 HTTP/1.1"));
  CHECK(head->method == Method::kConnect);
  CHECK(head->target_form == TargetForm::kAuthority);
  CHECK(head.text(head->host) == "b.example");
  CHECK(head->port == 443);
  CHECK(head->request_path() == "");
  for (const char* target : {"/", "*", "http://b/", "b", "b:", "b:0", "u@b:443", ":443", "[::1]", "b:443/"}) {
    check_refused(request("CONNECT " + std::string(target) + " HTTP/1.1"), Rule::kConnectTarget, 400);
  }
}

TEST_CASE("request line: an empty line before it") {
  SUBCASE("one") { check_accepted("\r\n" + request("GET / HTTP/1.1")); }
  SUBCASE("its bytes are consumed") {
    const Outcome outcome = parse_all_ways("\r\nGET / HTTP/1.0\r\n\r\nGET");
    CHECK(outcome.consumed == 20);
  }
  SUBCASE("two") { check_refused("\r\n\r\nGET / HTTP/1.1\r\n\r\n", Rule::kEmptyRequestLine, 400); }
  SUBCASE("a bare LF") { check_refused("\nGET / HTTP/1.1\r\n\r\n", Rule::kBareLf, 400); }
  SUBCASE("a bare CR") { check_refused("\rGET / HTTP/1.1\r\n\r\n", Rule::kBareCr, 400); }
  SUBCASE("white space") { check_refused(" \r\nGET / HTTP/1.1\r\n\r\n", Rule::kBadMethod, 400); }
  SUBCASE("only the beginning of one") { CHECK(parse_all_ways("\r").status == HeadStatus::kNeedMore); }
  SUBCASE("only one") { CHECK(parse_all_ways("\r\n").status == HeadStatus::kNeedMore); }
}
