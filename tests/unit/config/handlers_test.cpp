// What respond and files refuse. Each check names the exact place and text of everything that is said.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config::test;

TEST_CASE("config: respond") {
  SUBCASE("a status below 200") {
    CHECK(route_problems("respond = { status = 100 }") ==
          "4:22 error: `status` must be between 200 and 599, found 100");
  }
  SUBCASE("a status above 599") {
    CHECK(route_problems("respond = { status = 600 }") ==
          "4:22 error: `status` must be between 200 and 599, found 600");
  }
  SUBCASE("a status as a string") {
    CHECK(route_problems(R"(respond = { status = "200" })") ==
          R"(4:22 error: `status` must be a whole number, found the string "200" | write 200 without quotes)");
  }
  SUBCASE("a body where there is none") {
    CHECK(route_problems(R"(respond = { status = 204, body = "x" })") ==
          "4:34 error: a response with status 204 has no body");
  }
  SUBCASE("a body that is a number") {
    CHECK(route_problems("respond = { body = 1 }") == "4:20 error: `body` must be a string, found the number 1");
  }
  SUBCASE("a bad media type") {
    CHECK(route_problems(R"(respond = { content_type = "text" })") ==
          R"(4:28 error: `content_type`: not a media type (type/subtype), found "text")");
  }
  SUBCASE("a bad field name") {
    CHECK(route_problems(R"(respond = { headers = { "a b" = "1" } })") == "4:25 error: `a b`: not a valid field name");
  }
  SUBCASE("a line break in a field value") {
    CHECK(route_problems(R"(respond = { headers = { A = "1\n2" } })") ==
          R"(4:29 error: `A`: a field value has no control characters and no blanks at its ends, found "1\n2")");
  }
  SUBCASE("a field that frames the message") {
    CHECK(route_problems(R"(respond = { headers = { Content-Length = "1" } })") ==
          "4:25 error: `Content-Length`: the server alone decides about this field");
  }
  SUBCASE("a field given twice") {
    CHECK(route_problems(R"(respond = { headers = { A = "1", a = "2" } })") ==
          "4:34 error: the field `a` is given twice (names are compared without case)");
  }
}

TEST_CASE("config: files") {
  SUBCASE("no root") { CHECK(route_problems("files = { listing = true }") == "4:9 error: `files` needs `root`"); }
  SUBCASE("an empty root") {
    CHECK(route_problems(R"(files = { root = "" })") ==
          R"(4:18 error: `root`: a path is not empty; write "." for the directory of this file, found "")");
  }
  SUBCASE("a fallback without a slash") {
    CHECK(route_problems(R"(files = { root = ".", fallback = "index.html" })") ==
          R"(4:34 error: `fallback`: a path of the site begins with a slash, found "index.html")");
  }
  SUBCASE("a fallback that goes up") {
    CHECK(route_problems(R"(files = { root = ".", fallback = "/../x" })") ==
          R"(4:34 error: `fallback`: a path of the site has no "..", found "/../x")");
  }
  SUBCASE("an index with a slash") {
    CHECK(route_problems(R"(files = { root = ".", index = ["a/b"] })") ==
          R"(4:32 error: `index`: a file name has no slash, found "a/b")");
  }
  SUBCASE("an index that is no list") {
    CHECK(
        route_problems(R"(files = { root = ".", index = "index.html" })") ==
        R"(4:31 error: `index` must be a list of file names, found the string "index.html" | write index = ["index.html"])");
  }
  SUBCASE("an unknown coding") {
    CHECK(route_problems(R"(files = { root = ".", precompressed = ["brotli"] })") ==
          R"(4:40 error: `precompressed` must be "br", "zstd" or "gzip", found "brotli")");
  }
  SUBCASE("an unknown symlink policy") {
    CHECK(route_problems(R"(files = { root = ".", follow_symlinks = "always" })") ==
          R"(4:41 error: `follow_symlinks` must be "inside_root", "never" or "anywhere", found "always")");
  }
  SUBCASE("symlinks by a boolean") {
    CHECK(route_problems(R"(files = { root = ".", follow_symlinks = true })") ==
          R"(4:41 error: `follow_symlinks` must be "inside_root", "never" or "anywhere", found the boolean true)");
  }
  SUBCASE("an extension with its dot") {
    CHECK(route_problems(R"(files = { root = ".", mime = { ".js" = "text/javascript" } })") ==
          "4:32 error: `.js`: an extension is written without its dot");
  }
  SUBCASE("an extension twice") {
    CHECK(route_problems(R"(files = { root = ".", mime = { js = "text/javascript", JS = "text/plain" } })") ==
          "4:56 error: `JS`: this extension is given twice (they are compared without case)");
  }
  SUBCASE("a bad media type") {
    CHECK(route_problems(R"(files = { root = ".", mime = { js = "javascript" } })") ==
          R"(4:37 error: `js`: not a media type (type/subtype), found "javascript")");
  }
  SUBCASE("a line break in cache_control") {
    CHECK(
        route_problems(R"(files = { root = ".", cache_control = "a\nb" })") ==
        R"(4:39 error: `cache_control`: a field value has no control characters and no blanks at its ends, found "a\nb")");
  }
  SUBCASE("a strip_prefix without a slash") {
    CHECK(route_problems(R"(files = { root = ".", strip_prefix = "static" })") ==
          R"(4:38 error: `strip_prefix`: a path of the site begins with a slash, found "static")");
  }
  SUBCASE("memory_max_file as a number") {
    CHECK(
        route_problems(R"(files = { root = ".", memory_max_file = 1024 })") ==
        R"(4:41 error: `memory_max_file` must be a size such as "64k", found the number 1024 | write "1024b", "1024k" or "1024m")");
  }
  SUBCASE("a charset with a blank") {
    CHECK(route_problems(R"(files = { root = ".", charset = "utf 8" })") ==
          R"(4:33 error: `charset`: not a charset name, found "utf 8")");
  }
}
