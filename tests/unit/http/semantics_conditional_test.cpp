// Entity-tags and preconditions (RFC 9110 sections 8.8.3 and 13).
#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "http/semantics/conditional.h"
#include "http/semantics/entity_tag.h"

namespace http = tidegate::http;
using http::Precondition;
using http::TagComparison;
using http::TagListResult;
using Lines = std::vector<std::string_view>;

namespace {

constexpr std::int64_t kNow_s = 1767225600;
constexpr std::int64_t kModified_s = 784111777;
constexpr std::string_view kModified = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kSecondBefore = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view kSecondAfter = "Sun, 06 Nov 1994 08:49:38 GMT";

// Keeps the lines alive; the span of each field points into it.
struct Request {
  Lines if_match = {};
  Lines if_none_match = {};
  Lines if_modified_since = {};
  Lines if_unmodified_since = {};
  Lines if_range = {};

  http::ConditionalFields fields() const {
    return {if_match, if_none_match, if_modified_since, if_unmodified_since, if_range};
  }
};

http::Validators file() {
  return {.etag = "\"abc\"", .last_modified_s = kModified_s, .is_last_modified_strong = true, .exists = true};
}

Precondition get(const Request& request, const http::Validators& validators = file()) {
  return http::evaluate_preconditions(request.fields(), validators, true, kNow_s);
}

Precondition put(const Request& request, const http::Validators& validators = file()) {
  return http::evaluate_preconditions(request.fields(), validators, false, kNow_s);
}

bool range_ok(std::initializer_list<std::string_view> if_range, const http::Validators& validators = file()) {
  const Request request{.if_range = if_range};
  return http::may_use_range(request.fields(), validators, kNow_s);
}

TagListResult search(const Lines& lines, std::string_view current, TagComparison comparison = TagComparison::kWeak) {
  return http::search_tag_list(lines, http::parse_entity_tag(current), comparison);
}

}  // namespace

TEST_CASE("etag: reading one") {
  auto tag = http::parse_entity_tag("\"xyzzy\"");
  REQUIRE(tag);
  CHECK(tag->opaque == "\"xyzzy\"");
  CHECK_FALSE(tag->is_weak);
  tag = http::parse_entity_tag("W/\"xyzzy\"");
  REQUIRE(tag);
  CHECK(tag->opaque == "\"xyzzy\"");
  CHECK(tag->is_weak);
  CHECK(http::parse_entity_tag("\"\""));
  CHECK(http::parse_entity_tag("\"a,b\""));
  CHECK(http::parse_entity_tag("\"a\\\""));  // a backslash is an ordinary character of a tag
  CHECK(http::parse_entity_tag("\"\xC3\xA4!#~\""));
}

TEST_CASE("etag: what is none") {
  for (const char* text : {"", "\"", "abc", "\"abc", "abc\"", "w/\"abc\"", "W/abc", "W/", "W\"abc\"", " \"abc\"",
                           "\"abc\" ", "\"a b\"", "\"a\"b\"", "\"a\tb\"", "\"a\x7F\"", "*", "W/ \"abc\""}) {
    CAPTURE(text);
    CHECK_FALSE(http::parse_entity_tag(text));
  }
}

TEST_CASE("etag: the comparison table of RFC 9110 section 8.8.3.2") {
  const auto matches = [](std::string_view a, std::string_view b, TagComparison comparison) {
    return http::tags_match(*http::parse_entity_tag(a), *http::parse_entity_tag(b), comparison);
  };
  CHECK_FALSE(matches("W/\"1\"", "W/\"1\"", TagComparison::kStrong));
  CHECK(matches("W/\"1\"", "W/\"1\"", TagComparison::kWeak));
  CHECK_FALSE(matches("W/\"1\"", "W/\"2\"", TagComparison::kStrong));
  CHECK_FALSE(matches("W/\"1\"", "W/\"2\"", TagComparison::kWeak));
  CHECK_FALSE(matches("W/\"1\"", "\"1\"", TagComparison::kStrong));
  CHECK(matches("W/\"1\"", "\"1\"", TagComparison::kWeak));
  CHECK(matches("\"1\"", "\"1\"", TagComparison::kStrong));
  CHECK(matches("\"1\"", "\"1\"", TagComparison::kWeak));
}

TEST_CASE("etag: lists") {
  CHECK(search({"\"a\", \"b\", \"c\""}, "\"b\"") == TagListResult::kMatch);
  CHECK(search({"\"a\",\"b\",\"c\""}, "\"c\"") == TagListResult::kMatch);
  CHECK(search({"\"a\", \"b\""}, "\"d\"") == TagListResult::kNoMatch);
  CHECK(search({"\"a\"", "W/\"b\""}, "\"b\"") == TagListResult::kMatch);
  CHECK(search({"\"a\"", "W/\"b\""}, "\"b\"", TagComparison::kStrong) == TagListResult::kNoMatch);
  CHECK(search({" , ,\"a\" ,"}, "\"a\"") == TagListResult::kMatch);
  CHECK(search({""}, "\"a\"") == TagListResult::kNoMatch);
  CHECK(search({" * "}, "\"a\"") == TagListResult::kAny);
  CHECK(search({"*"}, "") == TagListResult::kAny);
  CHECK(search({"\"a\""}, "") == TagListResult::kNoMatch);
}

TEST_CASE("etag: commas and backslashes in lists") {
  CHECK(search({"\"a,b\", \"c\""}, "\"a,b\"") == TagListResult::kMatch);
  CHECK(search({"\"a,b\", \"c\""}, "\"c\"") == TagListResult::kMatch);
  CHECK(search({"\"a\\\", \"b\""}, "\"b\"") == TagListResult::kMatch);
  CHECK(search({"\"a\\\", \"b\""}, "\"a\\\"") == TagListResult::kMatch);
  CHECK(search({"\"a\\\", \"b\""}, "\", \"") == TagListResult::kNoMatch);
}

TEST_CASE("etag: malformed members match nothing and hide nothing") {
  CHECK(search({"abc"}, "\"abc\"") == TagListResult::kNoMatch);
  CHECK(search({"abc, \"abc\""}, "\"abc\"") == TagListResult::kMatch);
  CHECK(search({"\"abc\" x, \"d\""}, "\"abc\"") == TagListResult::kNoMatch);
  CHECK(search({"\"abc\" x, \"d\""}, "\"d\"") == TagListResult::kMatch);
  CHECK(search({"\"a b\", \"d\""}, "\"d\"") == TagListResult::kMatch);
  CHECK(search({"\"open, \"d\""}, "\"d\"") == TagListResult::kMatch);
  CHECK(search({"*, \"d\""}, "\"x\"") == TagListResult::kNoMatch);
  CHECK(search({"*", "*"}, "\"x\"") == TagListResult::kNoMatch);
  CHECK(search({"w/\"d\""}, "\"d\"") == TagListResult::kNoMatch);
}

TEST_CASE("preconditions: none") { CHECK(get({}) == Precondition::kProceed); }

TEST_CASE("preconditions: If-Match") {
  CHECK(get({.if_match = {"\"abc\""}}) == Precondition::kProceed);
  CHECK(get({.if_match = {"\"x\", \"abc\""}}) == Precondition::kProceed);
  CHECK(get({.if_match = {"\"x\"", "\"abc\""}}) == Precondition::kProceed);
  CHECK(get({.if_match = {"\"x\""}}) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {"W/\"abc\""}}) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {"abc"}}) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {""}}) == Precondition::kPreconditionFailed);
  CHECK(put({.if_match = {"\"x\""}}) == Precondition::kPreconditionFailed);
}

TEST_CASE("preconditions: If-Match with a weak current tag never matches") {
  auto weak = file();
  weak.etag = "W/\"abc\"";
  CHECK(get({.if_match = {"W/\"abc\""}}, weak) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {"\"abc\""}}, weak) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {"*"}}, weak) == Precondition::kProceed);
}

TEST_CASE("preconditions: * asks for existence") {
  http::Validators missing;
  missing.exists = false;
  CHECK(put({.if_match = {"*"}}) == Precondition::kProceed);
  CHECK(put({.if_match = {"*"}}, missing) == Precondition::kPreconditionFailed);
  CHECK(put({.if_none_match = {"*"}}) == Precondition::kPreconditionFailed);
  CHECK(put({.if_none_match = {"*"}}, missing) == Precondition::kProceed);
  CHECK(get({.if_none_match = {"*"}}) == Precondition::kNotModified);
  http::Validators untagged = file();
  untagged.etag = "";
  CHECK(get({.if_match = {"*"}}, untagged) == Precondition::kProceed);
  CHECK(get({.if_none_match = {"*"}}, untagged) == Precondition::kNotModified);
}

TEST_CASE("preconditions: If-None-Match compares weakly") {
  CHECK(get({.if_none_match = {"\"abc\""}}) == Precondition::kNotModified);
  CHECK(get({.if_none_match = {"W/\"abc\""}}) == Precondition::kNotModified);
  CHECK(get({.if_none_match = {"\"x\", W/\"abc\""}}) == Precondition::kNotModified);
  CHECK(get({.if_none_match = {"\"x\""}}) == Precondition::kProceed);
  CHECK(get({.if_none_match = {""}}) == Precondition::kProceed);
  CHECK(get({.if_none_match = {"abc"}}) == Precondition::kProceed);
  CHECK(put({.if_none_match = {"\"abc\""}}) == Precondition::kPreconditionFailed);
  CHECK(put({.if_none_match = {"\"x\""}}) == Precondition::kProceed);
}

TEST_CASE("preconditions: If-Modified-Since at the second, before and after") {
  CHECK(get({.if_modified_since = {kSecondBefore}}) == Precondition::kProceed);
  CHECK(get({.if_modified_since = {kModified}}) == Precondition::kNotModified);
  CHECK(get({.if_modified_since = {kSecondAfter}}) == Precondition::kNotModified);
  CHECK(get({.if_modified_since = {"Sunday, 06-Nov-94 08:49:37 GMT"}}) == Precondition::kNotModified);
  CHECK(get({.if_modified_since = {"Sun Nov  6 08:49:37 1994"}}) == Precondition::kNotModified);
}

TEST_CASE("preconditions: If-Modified-Since that does not count") {
  CHECK(get({.if_modified_since = {"yesterday"}}) == Precondition::kProceed);
  CHECK(get({.if_modified_since = {""}}) == Precondition::kProceed);
  CHECK(get({.if_modified_since = {kModified, kModified}}) == Precondition::kProceed);
  CHECK(put({.if_modified_since = {kModified}}) == Precondition::kProceed);
  auto undated = file();
  undated.last_modified_s.reset();
  CHECK(get({.if_modified_since = {kModified}}, undated) == Precondition::kProceed);
}

TEST_CASE("preconditions: If-Unmodified-Since at the second, before and after") {
  CHECK(get({.if_unmodified_since = {kSecondBefore}}) == Precondition::kPreconditionFailed);
  CHECK(get({.if_unmodified_since = {kModified}}) == Precondition::kProceed);
  CHECK(get({.if_unmodified_since = {kSecondAfter}}) == Precondition::kProceed);
  CHECK(put({.if_unmodified_since = {kSecondBefore}}) == Precondition::kPreconditionFailed);
  CHECK(put({.if_unmodified_since = {"never"}}) == Precondition::kProceed);
  CHECK(put({.if_unmodified_since = {kSecondBefore, kSecondBefore}}) == Precondition::kProceed);
  auto undated = file();
  undated.last_modified_s.reset();
  CHECK(put({.if_unmodified_since = {kSecondBefore}}, undated) == Precondition::kProceed);
}

TEST_CASE("preconditions: the order of RFC 9110 section 13.2.2") {
  // If-Match hides If-Unmodified-Since.
  CHECK(get({.if_match = {"\"abc\""}, .if_unmodified_since = {kSecondBefore}}) == Precondition::kProceed);
  CHECK(get({.if_match = {"\"x\""}, .if_unmodified_since = {kModified}}) == Precondition::kPreconditionFailed);
  // If-None-Match hides If-Modified-Since.
  CHECK(get({.if_none_match = {"\"x\""}, .if_modified_since = {kModified}}) == Precondition::kProceed);
  CHECK(get({.if_none_match = {"\"abc\""}, .if_modified_since = {kSecondBefore}}) == Precondition::kNotModified);
  // A failed step 1 or 2 ends it; a passed one goes on to step 3 or 4.
  CHECK(get({.if_match = {"\"x\""}, .if_none_match = {"\"abc\""}}) == Precondition::kPreconditionFailed);
  CHECK(get({.if_match = {"\"abc\""}, .if_none_match = {"\"abc\""}}) == Precondition::kNotModified);
  CHECK(get({.if_match = {"\"abc\""}, .if_modified_since = {kModified}}) == Precondition::kNotModified);
  CHECK(get({.if_modified_since = {kModified}, .if_unmodified_since = {kModified}}) == Precondition::kNotModified);
  CHECK(get({.if_modified_since = {kModified}, .if_unmodified_since = {kSecondBefore}}) ==
        Precondition::kPreconditionFailed);
}

TEST_CASE("If-Range: absent lets the range through") { CHECK(http::may_use_range({}, file(), kNow_s)); }

TEST_CASE("If-Range: entity-tags compare strongly") {
  CHECK(range_ok({"\"abc\""}));
  CHECK(range_ok({" \"abc\" "}));
  CHECK_FALSE(range_ok({"W/\"abc\""}));
  CHECK_FALSE(range_ok({"\"x\""}));
  CHECK_FALSE(range_ok({"\"abc"}));
  CHECK_FALSE(range_ok({"\"x\", \"abc\""}));  // a list is not allowed here
  CHECK_FALSE(range_ok({"*"}));
  CHECK_FALSE(range_ok({""}));
  auto weak = file();
  weak.etag = "W/\"abc\"";
  CHECK_FALSE(range_ok({"W/\"abc\""}, weak));
  CHECK_FALSE(range_ok({"\"abc\""}, weak));
  auto untagged = file();
  untagged.etag = "";
  CHECK_FALSE(range_ok({"\"abc\""}, untagged));
}

TEST_CASE("If-Range: dates match exactly and only if strong") {
  CHECK(range_ok({kModified}));
  CHECK(range_ok({"Sunday, 06-Nov-94 08:49:37 GMT"}));
  CHECK_FALSE(range_ok({kSecondBefore}));
  CHECK_FALSE(range_ok({kSecondAfter}));
  CHECK_FALSE(range_ok({"Sun, 06 Nov 1994 08:49:37 CET"}));
  auto fresh = file();
  fresh.is_last_modified_strong = false;
  CHECK_FALSE(range_ok({kModified}, fresh));
  auto undated = file();
  undated.last_modified_s.reset();
  CHECK_FALSE(range_ok({kModified}, undated));
  CHECK_FALSE(range_ok({"nonsense"}, undated));
}

TEST_CASE("If-Range: twice, or for what does not exist") {
  CHECK_FALSE(range_ok({"\"abc\"", "\"abc\""}));
  auto missing = file();
  missing.exists = false;
  CHECK_FALSE(range_ok({"\"abc\""}, missing));
}

TEST_CASE("a modification time is strong from two seconds on") {
  CHECK_FALSE(http::is_modification_time_strong(100, 99));
  CHECK_FALSE(http::is_modification_time_strong(100, 100));
  CHECK_FALSE(http::is_modification_time_strong(100, 101));
  CHECK(http::is_modification_time_strong(100, 102));
}
