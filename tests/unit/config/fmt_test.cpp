// The formatter and the diff.
#include "config/fmt.h"

#include <doctest/doctest.h>

#include "config/text_diff.h"
#include "config/toml_parse.h"
#include "config/toml_scan.h"
#include "unit/config/support.h"

using namespace tidegate::config;
using namespace tidegate::config::test;

namespace {

// Formats twice: the second time must change nothing.
std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const auto once = format_toml(text, 0, diagnostics);
  if (!once) return "refused: " + summary(diagnostics);
  const auto twice = format_toml(*once, 0, diagnostics);
  CHECK(twice == once);
  return *once;
}

}  // namespace

TEST_CASE("config fmt: blanks around marks") {
  CHECK(formatted("a=1") == "a = 1\n");
  CHECK(formatted("a   =   1   ") == "a = 1\n");
  CHECK(formatted("a . b . \"c d\" = 1") == "a.b.\"c d\" = 1\n");
  CHECK(formatted("a = [1,2 ,  3]") == "a = [1, 2, 3]\n");
  CHECK(formatted("a = [ ]") == "a = []\n");
  CHECK(formatted("a = [ 1, ]") == "a = [1]\n");
  CHECK(formatted("a={}") == "a = {}\n");
  CHECK(formatted("a={b=1,c={d=[{e=2}]}}") == "a = { b = 1, c = { d = [{ e = 2 }] } }\n");
  CHECK(formatted("a = { b . c = 1.5 }") == "a = { b.c = 1.5 }\n");
  CHECK(formatted("a = 1979-05-27 07:32:00.5") == "a = 1979-05-27 07:32:00.5\n");
  CHECK(formatted("a = -1.5e3") == "a = -1.5e3\n");
}

TEST_CASE("config fmt: strings stay as they are") {
  CHECK(formatted("a=\"x = [ 1,2 ]  # no\"") == "a = \"x = [ 1,2 ]  # no\"\n");
  CHECK(formatted("a='\\'") == "a = '\\'\n");
  CHECK(formatted("a=\"\\\"\" # c") == "a = \"\\\"\"  # c\n");
  CHECK(formatted("a=\"\"\"\n x  \n\n\n  y\"\"\"\nb=1") == "a = \"\"\"\n x  \n\n\n  y\"\"\"\nb = 1\n");
  CHECK(formatted("a='''x''''\n") == "a = '''x''''\n");
}

TEST_CASE("config fmt: tables and indentation") {
  CHECK(formatted("[ a ]\nx=1\n[a . b]\ny=1\n[[a.c]]\nz=1") ==
        "[a]\nx = 1\n\n  [a.b]\n  y = 1\n\n  [[a.c]]\n  z = 1\n");
  CHECK(formatted("[[site]]\nname='x'\n[[site.route]]\npath='/'\n  [site.route.match]\nm=1") ==
        "[[site]]\nname = 'x'\n\n  [[site.route]]\n  path = '/'\n\n    [site.route.match]\n    m = 1\n");
  CHECK(formatted("x=1\n[a] # c\n\n\ny=1") == "x = 1\n\n[a]  # c\ny = 1\n");
  CHECK(formatted("[\"a.b\"]\nx=1") == "[\"a.b\"]\nx = 1\n");
}

TEST_CASE("config fmt: empty lines") {
  CHECK(formatted("") == "");
  CHECK(formatted("\n\n\n") == "");
  CHECK(formatted("\n\na=1\n\n\n\nb=2\n\n\n") == "a = 1\n\nb = 2\n");
  CHECK(formatted("a=1\r\nb=2\r\n") == "a = 1\nb = 2\n");
  CHECK(formatted("\xEF\xBB\xBF"
                  "a=1") == "a = 1\n");
}

TEST_CASE("config fmt: comments") {
  CHECK(formatted("a=1 # x  ") == "a = 1  # x\n");
  CHECK(formatted("   # x") == "# x\n");
  CHECK(formatted("[a]\nx=1\n# of b\n[b]\n") == "[a]\nx = 1\n\n# of b\n[b]\n");
  CHECK(formatted("[[a]]\nx=1\n# of route\n[[a.b]]\ny=1") == "[[a]]\nx = 1\n\n  # of route\n  [[a.b]]\n  y = 1\n");
  // A comment with an empty line below it belongs to neither: it stays near where it was.
  CHECK(formatted("[[a.b]]\ny=1\n\n# end\n\n[[c]]\n") == "  [[a.b]]\n  y = 1\n\n# end\n\n[[c]]\n");
  CHECK(formatted("[[a.b]]\ny=1\n   # off\n") == "  [[a.b]]\n  y = 1\n  # off\n");
  CHECK(formatted("[a]\n# first\nx=1\n") == "[a]\n# first\nx = 1\n");
}

TEST_CASE("config fmt: lists over several lines keep their lines") {
  CHECK(formatted("a=[\n1,\n      2, # two\n\n\n# alone\n3\n]") == "a = [\n  1,\n  2,  # two\n\n  # alone\n  3\n]\n");
  CHECK(formatted("[x.y]\na=[ # open\n\n1,\n\n]") == "  [x.y]\n  a = [  # open\n    1,\n  ]\n");
  CHECK(formatted("a=[[1,\n2],[3]]") == "a = [[1,\n    2], [3]]\n");
  CHECK(formatted("a = [\n{ b=1 },\n{ b=[\n1\n] },\n]") == "a = [\n  { b = 1 },\n  { b = [\n      1\n    ] },\n]\n");
}

TEST_CASE("config fmt: what is not TOML is refused") {
  CHECK(formatted("a = ") == "refused: 1:5 error: TOML syntax: encountered end-of-file (in key-value pair)");
  CHECK(formatted("a = 1\na = 2\n").starts_with("refused: 2:5 error: TOML syntax: cannot redefine"));
}

TEST_CASE("config: unified differences") {
  CHECK(unified_diff("a\n", "a\n", "x", "y") == "");
  CHECK(unified_diff("a\nb\nc\n", "a\nB\nc\n", "x", "y") == "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  CHECK(unified_diff("", "a\n", "x", "y") == "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  CHECK(unified_diff("a\n", "", "x", "y") == "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n");
  CHECK(unified_diff("a", "a\n", "x", "y") == "--- x\n+++ y\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\nX\n", "x", "y") ==
        "--- x\n+++ y\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+X\n");
}

TEST_CASE("config: changes far apart are hunks of their own") {
  std::string before;
  for (int i = 0; i < 30; ++i) before += std::to_string(i) + '\n';
  std::string after = "new\n" + before;
  after.replace(after.find("20\n"), 3, "");
  CHECK(unified_diff(before, after, "x", "y") ==
        "--- x\n+++ y\n@@ -1,3 +1,4 @@\n+new\n 0\n 1\n 2\n@@ -18,7 +19,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n");
}

TEST_CASE("config: very different texts still give a correct difference") {
  std::string before;
  std::string after;
  for (int i = 0; i < 3000; ++i) {
    before += "old" + std::to_string(i) + '\n';
    after += "new" + std::to_string(i) + '\n';
  }
  const std::string diff = unified_diff(before, after, "x", "y");
  CHECK(diff.starts_with("--- x\n+++ y\n@@ -1,3000 +1,3000 @@\n-old0\n"));
  CHECK(diff.ends_with("+new2999\n"));
}

TEST_CASE("config: fences around the TOML parser") {
  Diagnostics diagnostics;
  std::string deep = "a";
  for (int i = 0; i < 40; ++i) deep += ".a";
  CHECK_FALSE(parse_toml(deep + " = 1", 0, diagnostics).readable);
  CHECK(summary(diagnostics) == "0:0 error: a dotted key has more than 32 parts");
  diagnostics.clear();
  const TomlDocument nested = parse_toml("a = " + std::string(100, '[') + std::string(100, ']'), 0, diagnostics);
  CHECK(nested.root.find("a")->kind == Value::Kind::kInvalid);
  CHECK(has_errors(diagnostics));
  CHECK(survey_toml("a = \"1.2.3.4\" # a.b.c\n[a.b]\n").longest_key == 2);
  CHECK(survey_toml("\xEF\xBB\xBF# ä\na = \"ä\"\n").first_foreign == std::string_view::npos);
  CHECK(survey_toml("a = 1ä").first_foreign == 5);
}

TEST_CASE("config: statements of a text") {
  const std::string_view text = "# c\na = [ 1, # x\n 2 ]\n\n[t] # y\n b.c = \"\"\"\n=\n\"\"\"\nbroken = [\n";
  const std::vector<TomlStatement> found = toml_statements(text);
  REQUIRE(found.size() == 4);
  CHECK(text.substr(found[0].begin, found[0].end - found[0].begin) == "a = [ 1, # x\n 2 ]");
  CHECK(found[1].header);
  CHECK(text[found[2].equals] == '=');
  CHECK(found[2].closed);
  CHECK_FALSE(found[3].closed);
}
