// Directory listings: order, sizes, escaping, links, JSON.
#include "handlers/files/listing_page.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "http/semantics/target.h"

namespace handlers = tidegate::handlers;
using handlers::ListingEntry;
using handlers::ListingKey;
using handlers::ListingOrder;

namespace {

std::vector<std::string> sorted(std::vector<ListingEntry> entries, ListingOrder order) {
  handlers::sort_listing(entries, order);
  std::vector<std::string> names;
  for (const ListingEntry& entry : entries) names.push_back(entry.name);
  return names;
}

using Names = std::vector<std::string>;

ListingEntry file(std::string name, std::uint64_t size = 0, std::int64_t modified_s = 0) {
  return {.name = std::move(name), .is_dir = false, .size = size, .modified_s = modified_s};
}

ListingEntry folder(std::string name, std::int64_t modified_s = 0) {
  return {.name = std::move(name), .is_dir = true, .size = 4096, .modified_s = modified_s};
}

std::string html_of(const std::vector<ListingEntry>& entries, std::string_view path = "/", std::string_view base = "/",
                    ListingOrder order = {}) {
  return handlers::render_listing_html({.path = path, .base = base, .entries = entries, .order = order});
}

std::string json_of(const std::vector<ListingEntry>& entries) {
  return handlers::render_listing_json({.path = "/", .entries = entries, .order = {}});
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("listing: the order is read from the query") {
  using handlers::parse_listing_order;
  CHECK(parse_listing_order("") == ListingOrder{ListingKey::kName, false});
  CHECK(parse_listing_order("sort=name") == ListingOrder{ListingKey::kName, false});
  CHECK(parse_listing_order("sort=size") == ListingOrder{ListingKey::kSize, true});
  CHECK(parse_listing_order("sort=time") == ListingOrder{ListingKey::kTime, true});
  CHECK(parse_listing_order("sort=size&order=asc") == ListingOrder{ListingKey::kSize, false});
  CHECK(parse_listing_order("order=desc&sort=name") == ListingOrder{ListingKey::kName, true});
  CHECK(parse_listing_order("order=desc") == ListingOrder{ListingKey::kName, true});
  CHECK(parse_listing_order("a=1&&sort=time&order=asc&b") == ListingOrder{ListingKey::kTime, false});
  CHECK(parse_listing_order("sort=bogus&order=bogus") == ListingOrder{});
  CHECK(parse_listing_order("sort=bogus&sort=size&order=x&order=asc") == ListingOrder{ListingKey::kSize, false});
  CHECK(parse_listing_order("sort=&order=&=&&") == ListingOrder{});
  CHECK(parse_listing_order("xsort=size") == ListingOrder{});
}

TEST_CASE("listing: names compare as people do") {
  using handlers::compare_names;
  CHECK(compare_names("file9", "file10") < 0);
  CHECK(compare_names("file10", "file9") > 0);
  CHECK(compare_names("a", "B") < 0);
  CHECK(compare_names("B", "a") > 0);
  CHECK(compare_names("1.10.0", "1.9.9") > 0);
  CHECK(compare_names("v2", "v2a") < 0);
  CHECK(compare_names("", "a") < 0);
  CHECK(compare_names("", "") == 0);
  CHECK(compare_names("same", "same") == 0);
  CHECK(compare_names("99999999999999999999998", "99999999999999999999999") < 0);
  CHECK(compare_names("x\xFF", "xy") > 0);
}

TEST_CASE("listing: different names never compare equal") {
  using handlers::compare_names;
  CHECK(compare_names("A", "a") < 0);
  CHECK(compare_names("a", "A") > 0);
  CHECK(compare_names("007", "7") < 0);
  CHECK(compare_names("7", "007") > 0);
  CHECK(compare_names("00", "0") != 0);
  CHECK(compare_names("a01b", "a1B") != 0);
}

TEST_CASE("listing: folders first in every order") {
  const std::vector<ListingEntry> entries = {file("b", 10, 300), folder("z", 100), file("a", 30, 100), folder("y", 200),
                                             file("c", 20, 200)};
  CHECK(sorted(entries, {ListingKey::kName, false}) == Names{"y", "z", "a", "b", "c"});
  CHECK(sorted(entries, {ListingKey::kName, true}) == Names{"z", "y", "c", "b", "a"});
  CHECK(sorted(entries, {ListingKey::kSize, false}) == Names{"y", "z", "b", "c", "a"});
  CHECK(sorted(entries, {ListingKey::kSize, true}) == Names{"y", "z", "a", "c", "b"});
  CHECK(sorted(entries, {ListingKey::kTime, false}) == Names{"z", "y", "a", "c", "b"});
  CHECK(sorted(entries, {ListingKey::kTime, true}) == Names{"y", "z", "b", "c", "a"});
}

TEST_CASE("listing: ties are ordered by ascending name") {
  const std::vector<ListingEntry> entries = {file("b", 1, 1), file("a", 1, 1), file("c", 1, 1)};
  CHECK(sorted(entries, {ListingKey::kSize, true}) == Names{"a", "b", "c"});
  CHECK(sorted(entries, {ListingKey::kTime, true}) == Names{"a", "b", "c"});
}

TEST_CASE("listing: sizes are rounded half up") {
  using handlers::format_size;
  CHECK(format_size(0) == "0 B");
  CHECK(format_size(999) == "999 B");
  CHECK(format_size(1023) == "1023 B");
  CHECK(format_size(1024) == "1.0 KiB");
  CHECK(format_size(1536) == "1.5 KiB");
  CHECK(format_size(10188) == "9.9 KiB");
  CHECK(format_size(10189) == "10 KiB");
  CHECK(format_size(10240) == "10 KiB");
  CHECK(format_size(124882) == "122 KiB");
  CHECK(format_size(1048063) == "1023 KiB");
  CHECK(format_size(1048064) == "1.0 MiB");
  CHECK(format_size(1048575) == "1.0 MiB");
  CHECK(format_size(1048576) == "1.0 MiB");
  CHECK(format_size(3221225472) == "3.0 GiB");
  CHECK(format_size(std::uint64_t{1} << 40) == "1.0 TiB");
  CHECK(format_size(std::uint64_t{1} << 50) == "1.0 PiB");
  CHECK(format_size(std::numeric_limits<std::uint64_t>::max()) == "16 EiB");
}

TEST_CASE("listing: a row for a file and for a folder") {
  const std::string html = html_of({folder("docs", 0), file("read me.txt", 1536, 784111777)});
  CHECK(contains(html, "<a href=\"./docs/\">"));
  CHECK(contains(html, "<bdi>docs/</bdi>"));
  CHECK(contains(html, "<a href=\"./read%20me.txt\">"));
  CHECK(contains(html, "<bdi>read me.txt</bdi>"));
  CHECK(contains(html, "<data value=\"1536\" title=\"1536 bytes\">1.5 KiB</data>"));
  CHECK(contains(html,
                 "<time datetime=\"1994-11-06T08:49:37Z\" title=\"1994-11-06 08:49:37 UTC\">1994-11-06<span> "
                 "08:49</span></time>"));
  CHECK(contains(html, "1 folder, 1 file, 1.5 KiB"));
  CHECK_FALSE(contains(html, "4096"));
  CHECK(contains(html_of({file("one", 1)}), "title=\"1 byte\""));
}

TEST_CASE("listing: hostile names stay text") {
  const std::string html =
      html_of({file("<script>alert(1)</script>"), file("\"onclick='x'&amp;"), file("javascript:alert(1)"), file("a\nb"),
               file("bad\xFF\xC3"), file("gpj.\u202Eexe")});
  CHECK_FALSE(contains(html, "<script"));
  CHECK(contains(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(contains(html, "href=\"./%3Cscript%3Ealert(1)%3C%2Fscript%3E\""));
  CHECK(contains(html, "&quot;onclick=&#39;x&#39;&amp;amp;"));
  CHECK(contains(html, "href=\"./%22onclick=%27x%27%26amp;\""));
  CHECK(contains(html, "href=\"./javascript%3Aalert(1)\""));
  CHECK(contains(html, "href=\"./a%0Ab\""));
  CHECK(contains(html, "<bdi>a\u240Ab</bdi>"));
  CHECK(contains(html, "href=\"./bad%FF%C3\""));
  CHECK(contains(html, "<bdi>bad\uFFFD\uFFFD</bdi>"));
  CHECK(contains(html, "<bdi>gpj.\uFFFDexe</bdi>"));
}

TEST_CASE("listing: a hostile path stays text") {
  const std::string html = html_of({}, "/<b>\"&/");
  CHECK(contains(html, "<title>/&lt;b&gt;&quot;&amp;/</title>"));
  CHECK(contains(html, "<bdi aria-current=\"page\">&lt;b&gt;&quot;&amp;</bdi>"));
  CHECK_FALSE(contains(html, "<b>"));
}

TEST_CASE("listing: every byte that a name may have leads back to it") {
  std::string name;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '/') name.push_back(static_cast<char>(byte));
  }
  const std::string html = html_of({file(name)});
  const std::size_t start = html.find("href=\"./") + 8;
  const std::string url = "/" + html.substr(start, html.find('"', start) - start);
  std::string buffer(url.size(), '\0');
  const auto path = tidegate::http::normalize_path(url, buffer);
  REQUIRE(path.has_value());
  CHECK(path->text == "/" + name);
}

TEST_CASE("listing: breadcrumbs are relative") {
  const std::string html = html_of({}, "/a/b c/d/");
  CHECK(contains(html,
                 "<h1><a href=\"../../../\"><bdi>Home</bdi></a><i>/</i><a href=\"../../\"><bdi>a</bdi></a><i>/</i>"
                 "<a href=\"../\"><bdi>b c</bdi></a><i>/</i><bdi aria-current=\"page\">d</bdi></h1>"));
  CHECK(contains(html_of({}, "/"), "<h1><bdi aria-current=\"page\">Home</bdi></h1>"));
}

TEST_CASE("listing: nothing leads above the base") {
  const std::string html = html_of({}, "/files/x/", "/files/");
  CHECK(contains(html, "<h1><a href=\"../\"><bdi>/files</bdi></a><i>/</i><bdi aria-current=\"page\">x</bdi></h1>"));
  const std::string root = html_of({}, "/files/", "/files/");
  CHECK(contains(root, "<h1><bdi aria-current=\"page\">/files</bdi></h1>"));
  CHECK_FALSE(contains(root, "../"));
  CHECK_FALSE(contains(html_of({}, "/"), "Parent folder"));
  CHECK(contains(html, "Parent folder"));
  // A path that is not below the base is a mistake of the caller; it shows no links.
  CHECK_FALSE(contains(html_of({}, "/other/", "/files/"), "<a href=\"../\"><bdi>/files"));
}

TEST_CASE("listing: column heads sort, and the present one turns round") {
  const std::string by_name = html_of({}, "/");
  CHECK(contains(by_name, "<th scope=\"col\" aria-sort=\"ascending\"><a href=\"?sort=name&amp;order=desc\">Name"));
  CHECK(contains(by_name, "<th scope=\"col\"><a href=\"?sort=size&amp;order=desc\">Size</a>"));
  CHECK(contains(by_name, "<th scope=\"col\"><a href=\"?sort=time&amp;order=desc\">Modified</a>"));
  CHECK(count(by_name, "aria-sort") == 1 + 1);  // once in the style
  const std::string by_size = html_of({}, "/", "/", {ListingKey::kSize, true});
  CHECK(contains(by_size, "aria-sort=\"descending\"><a href=\"?sort=size&amp;order=asc\">Size"));
  CHECK(contains(by_size, "<th scope=\"col\"><a href=\"./\">Name</a>"));
}

TEST_CASE("listing: the order goes along into folders, not into files") {
  const std::string html = html_of({folder("d"), file("f")}, "/x/", "/", {ListingKey::kTime, false});
  CHECK(contains(html, "href=\"./d/?sort=time&amp;order=asc\""));
  CHECK(contains(html, "href=\"../?sort=time&amp;order=asc\""));
  CHECK(contains(html, "href=\"./f\""));
  const std::string plain = html_of({folder("d")}, "/x/");
  CHECK(contains(plain, "href=\"./d/\""));
}

TEST_CASE("listing: empty and shortened folders say so") {
  CHECK(contains(html_of({}), "This folder is empty."));
  CHECK(contains(html_of({}), "0 folders, 0 files</p>"));
  CHECK_FALSE(contains(html_of({file("a")}), "This folder is empty."));
  const std::vector<ListingEntry> entries = {file("a")};
  CHECK(contains(handlers::render_listing_html({.path = "/", .entries = entries, .order = {}, .omitted = 1}),
                 "Not shown: 1 more item."));
  CHECK(contains(handlers::render_listing_html({.path = "/", .entries = entries, .order = {}, .omitted = 7}),
                 "Not shown: 7 more items."));
}

TEST_CASE("listing: the page takes nothing from elsewhere and has no script") {
  const std::string html = html_of({folder("d"), file("a.png"), file("b.mp4"), file("c.zip"), file("e.cpp")}, "/x/");
  CHECK_FALSE(contains(html, "<script"));
  CHECK_FALSE(contains(html, "src="));
  CHECK_FALSE(contains(html, "style=\""));
  CHECK_FALSE(contains(html, "url("));
  CHECK_FALSE(contains(html, "https://"));
  CHECK(count(html, "http://") == 1);  // the XML namespace of the icon
  CHECK(html.starts_with("<!doctype html>\n<html lang=\"en\">"));
  CHECK(html.ends_with("</html>\n"));
  for (const char icon : {'d', 'p', 'v', 'z', 'c', 'u'}) {
    CHECK(contains(html, std::string("<use href=\"#") + icon + "\"/>"));
    CHECK(contains(html, std::string("<symbol id=\"") + icon + "\""));
  }
}

TEST_CASE("listing: JSON") {
  CHECK(json_of({}) == "[\n]\n");
  CHECK(json_of({folder("docs", 0), file("read me.txt", 1536, 784111777)}) ==
        "[\n{\"name\":\"docs\",\"type\":\"directory\",\"mtime\":\"1970-01-01T00:00:00Z\",\"href\":\"./docs/\"},\n"
        "{\"name\":\"read me.txt\",\"type\":\"file\",\"size\":1536,\"mtime\":\"1994-11-06T08:49:37Z\","
        "\"href\":\"./read%20me.txt\"}\n]\n");
}

TEST_CASE("listing: JSON of any name is valid") {
  const std::string json = json_of({file("q\"b\\n\nt\t\x01\x7F<\xFF\xC3\xA4")});
  CHECK(contains(json, "\"name\":\"q\\\"b\\\\n\\nt\\t\\u0001\x7F<\uFFFD\u00E4\""));
  CHECK(contains(json, "\"href\":\"./q%22b%5Cn%0At%09%01%7F%3C%FF%C3%A4\""));
}
