// Field names that could pass for others.
#include <string>

#include "http/h1/aliases.h"
#include "tests/unit/http/h1_parse.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

TEST_CASE("aliases: of known fields are dropped") {
  for (const char* name :
       {"Content_Length", "content.length", "CONTENT_LENGTH", "Transfer_Encoding", "X_Forwarded_For", "x.forwarded.for",
        "X-Forwarded_For", "Content~Length", "X_Real_IP", "Remote_User", "If!Match", "Proxy_Authorization"}) {
    const ParsedHead head(get_with(std::string(name) + ": 1\r\nX: y\r\n"));
    CAPTURE(name);
    CHECK(head->dropped_aliases == 1);
    CHECK(head->fields.size() == 2);
    CHECK_FALSE(head->fields.find(name));
    CHECK(head->fields.find("x") == "y");
    CHECK(head->body == BodyKind::kNone);
  }
}

TEST_CASE("aliases: of other fields in the message are dropped") {
  SUBCASE("behind it") {
    const ParsedHead head(get_with("X-User: a\r\nX_User: b\r\n"));
    CHECK(head->dropped_aliases == 1);
    CHECK(head->fields.find("X-User") == "a");
    CHECK_FALSE(head->fields.find("X_User"));
  }
  SUBCASE("before it") {
    const ParsedHead head(get_with("X.User: b\r\nx-user: a\r\n"));
    CHECK(head->dropped_aliases == 1);
    CHECK(head->fields.find("X-User") == "a");
  }
  SUBCASE("two aliases of each other: none is right") {
    const ParsedHead head(get_with("X_User: b\r\nX.User: a\r\n"));
    CHECK(head->dropped_aliases == 2);
    CHECK(head->fields.size() == 1);
  }
}

TEST_CASE("aliases: a name with a mark alone passes") {
  for (const char* lines :
       {"api_key: 1\r\n", "api_key: 1\r\nAPI_KEY: 2\r\n", "a.b.c: 1\r\n", "X_User: 1\r\nX-Users: 2\r\n", "_: 1\r\n",
        "Content_Lengths: 1\r\n", "a_very_long_name_that_no_known_field_has_at_all: 1\r\n"}) {
    const ParsedHead head(get_with(lines));
    CAPTURE(lines);
    CHECK(head->dropped_aliases == 0);
  }
}

TEST_CASE("aliases: a dropped line cannot frame the message") {
  SUBCASE("Content_Length beside Content-Length") {
    const ParsedHead head(get_with("Content_Length: 9\r\nContent-Length: 5\r\n"));
    CHECK(head->content_length == 5);
    CHECK(head->fields.count(KnownField::kContentLength) == 1);
  }
  SUBCASE("Transfer_Encoding beside Content-Length") {
    CHECK(ParsedHead(get_with("Transfer_Encoding: chunked\r\nContent-Length: 5\r\n"))->body == BodyKind::kLength);
  }
  SUBCASE("Host is found behind a dropped line") {
    const ParsedHead head("GET / HTTP/1.1\r\nX_Real_IP: 1\r\nHost: b\r\nCookie: c\r\n\r\n");
    CHECK(head.text(head->host) == "b");
    CHECK(head->fields.find(KnownField::kCookie) == "c");
    CHECK(head->fields.first_index(KnownField::kHost) == 0);
  }
}

TEST_CASE("aliases: allowed on request") {
  HeadLimits limits;
  limits.keeps_aliases = true;
  const ParsedHead head(get_with("X_Forwarded_For: 1\r\n"), limits);
  CHECK(head->dropped_aliases == 0);
  CHECK(head->fields.find("x_forwarded_for") == "1");
}

TEST_CASE("aliases: the comparison") {
  CHECK(are_aliases("X-User", "x_user"));
  CHECK(are_aliases("X.User", "x~user"));
  CHECK(are_aliases("a", "A"));
  CHECK_FALSE(are_aliases("X-User", "XUser"));
  CHECK_FALSE(are_aliases("X-User", "X-Use1"));
  CHECK_FALSE(is_alias_of_known_field("Host"));
  CHECK_FALSE(is_alias_of_known_field("H_st"));
  CHECK(is_alias_of_known_field("user_agent"));
}

TEST_CASE("aliases: many of them are found in reasonable time") {
  HeadLimits limits;
  limits.header_count = 1024;
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 511; ++i) {
    text += "N-" + std::to_string(1000 + i) + ": a\r\nN_" + std::to_string(1000 + i) + ": b\r\n";
  }
  text += "\r\n";
  const ParsedHead head(text, limits);
  CHECK(head->dropped_aliases == 511);
  CHECK(head->fields.size() == 512);
}
