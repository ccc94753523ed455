// Routes that are never reached: reported when certain, with both places, and never otherwise.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate::config;
using namespace tidegate::config::test;

namespace {

// Two routes: the lines of the first begin at line 4, those of the second two lines after its last one.
std::string two(const std::string& first, const std::string& second) {
  return problems("[[site]]\nlisten = [\"http://:80\"]\n[[site.route]]\n" + first + "\nrespond = {}\n[[site.route]]\n" +
                  second + "\nrespond = {}\n");
}

constexpr std::string_view kHidden =
    "7:8 warning: this route is never reached: an earlier one matches all of its requests | put the narrower route first | "
    "4:8 this one matches first";

}  // namespace

TEST_CASE("config: paths that hide others") {
  CHECK(two(R"(path = "/*")", R"(path = "/a")") == kHidden);
  CHECK(two(R"(path = "/a")", R"(path = "/a")") == kHidden);
  CHECK(two(R"(path = "/a/*")", R"(path = "/a/b/*")") == kHidden);
  CHECK(two(R"(path = "/a/*")", R"(path = "/a/*")") == kHidden);
  CHECK(two(R"(path = "/a/*.png")", R"(path = "/a/b.png")") == kHidden);
  CHECK(two(R"(path = "/a/**")", R"(path = "/a/*.png")") == kHidden);
  CHECK(two(R"(path = "/a*")", R"(path = "/ab*")") == kHidden);
  CHECK(two(R"(path = "/*/x")", R"(path = "/y/x")") == kHidden);
}

TEST_CASE("config: paths that do not hide others") {
  CHECK(two(R"(path = "/a")", R"(path = "/*")") == "");
  CHECK(two(R"(path = "/a/*")", R"(path = "/a")") == "");
  CHECK(two(R"(path = "/a")", R"(path = "/b")") == "");
  CHECK(two(R"(path = "/a/b/*")", R"(path = "/a/*")") == "");
  CHECK(two(R"(path = "/a/*.png")", R"(path = "/a/*")") == "");
  CHECK(two(R"(path = "/a/*.png")", R"(path = "/a/**.png")") == "");
}

TEST_CASE("config: a route without a path stands for all paths") {
  CHECK(
      two("", R"(path = "/a")") ==
      "7:8 warning: this route is never reached: an earlier one matches all of its requests | put the narrower route first | "
      "3:1 this one matches first");
}

TEST_CASE("config: conditions of the earlier route must be implied") {
  const auto match = [](const std::string& condition) { return "match = { path = \"/a\", " + condition + " }"; };
  const auto hidden = [&](const std::string& first, const std::string& second) {
    const std::string said = two(first, second);
    return said.find("never reached") != std::string::npos;
  };
  const std::string plain = R"(path = "/a")";
  SUBCASE("methods") {
    CHECK(hidden(plain, match(R"(method = ["GET"])")));
    CHECK(hidden(match(R"(method = ["GET", "POST"])"), match(R"(method = ["POST"])")));
    CHECK_FALSE(hidden(match(R"(method = ["GET"])"), plain));
    CHECK_FALSE(hidden(match(R"(method = ["GET"])"), match(R"(method = ["GET", "POST"])")));
  }
  SUBCASE("header fields") {
    CHECK(hidden(match(R"(header = { X = "1" })"), match(R"(header = { x = "1", Y = "2" })")));
    CHECK(hidden(match(R"(header = { X = true })"), match(R"(header = { X = "1" })")));
    CHECK(hidden(match(R"(header = { X = false })"), match(R"(header = { X = false })")));
    CHECK_FALSE(hidden(match(R"(header = { X = "1" })"), match(R"(header = { X = true })")));
    CHECK_FALSE(hidden(match(R"(header = { X = "1" })"), match(R"(header = { X = "2" })")));
    CHECK_FALSE(hidden(match(R"(header = { X = "1" })"), plain));
    CHECK_FALSE(hidden(match(R"(header = { X = false })"), plain));
  }
  SUBCASE("query parameters: names with case") {
    CHECK(hidden(match(R"(query = { a = "1" })"), match(R"(query = { a = "1" })")));
    CHECK_FALSE(hidden(match(R"(query = { a = "1" })"), match(R"(query = { A = "1" })")));
  }
  SUBCASE("clients") {
    CHECK(hidden(match(R"(client = ["10.0.0.0/8"])"), match(R"(client = ["10.1.0.0/16", "10.2.3.4"])")));
    CHECK_FALSE(hidden(match(R"(client = ["10.0.0.0/8"])"), match(R"(client = ["10.1.0.0/16", "11.0.0.0/8"])")));
    CHECK_FALSE(hidden(match(R"(client = ["10.1.0.0/16"])"), match(R"(client = ["10.0.0.0/8"])")));
    CHECK_FALSE(hidden(match(R"(client = ["0.0.0.0/0"])"), match(R"(client = ["::1"])")));
    CHECK_FALSE(hidden(match(R"(client = ["10.0.0.0/8"])"), plain));
  }
}

TEST_CASE("config: the first of several hiding routes is named, and sites do not hide one another") {
  const std::string text =
      "[[site]]\nname = \"a\"\nlisten = [\"http://:80\"]\n[[site.route]]\npath = \"/a/*\"\nrespond = {}\n"
      "[[site.route]]\npath = \"/*\"\nrespond = {}\n[[site.route]]\npath = \"/a/b\"\nrespond = {}\n"
      "[[site]]\nname = \"b\"\nlisten = [\"http://:81\"]\n[[site.route]]\npath = \"/a/b\"\nrespond = {}\n";
  CHECK(
      problems(text) ==
      "11:8 warning: this route is never reached: an earlier one matches all of its requests | put the narrower route first | "
      "5:8 this one matches first");
}

TEST_CASE("config: thousands of routes in one site stay cheap") {
  std::string text = "[[site]]\nlisten = [\"http://:80\"]\n";
  for (int i = 0; i < 5000; ++i) {
    text += "[[site.route]]\npath = \"/a" + std::to_string(i) + "-*x\"\nrespond = {}\n";
    text += "[[site.route]]\nmatch = { header = { X = \"" + std::to_string(i) + "\" } }\nrespond = {}\n";
  }
  // Ten thousand globs and conditions that share one prefix: the search gives up early instead of comparing all pairs.
  CHECK(problems(text) == "");
}
