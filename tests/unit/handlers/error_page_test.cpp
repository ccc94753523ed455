// Error bodies in their three forms, and the welcome page.
#include "pipeline/pages/error_page.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pages/page_policy.h"
#include "handlers/welcome_page.h"

namespace handlers = tidegate::handlers;
namespace pages = tidegate::pages;
using pages::ErrorFormat;
using pages::ErrorPage;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

ErrorFormat format_for(const std::vector<std::string_view>& lines) { return pages::choose_error_format(lines); }

// The policy must name the digest of what stands between <style> and </style>.
bool policy_fits(const std::string& page, std::string_view policy) {
  const std::size_t start = page.find("<style>") + 7;
  const auto digest = pages::base64(pages::sha256(page.substr(start, page.find("</style>") - start)));
  return contains(policy, "style-src 'sha256-" + std::string(digest.data(), digest.size()) + "'");
}

void check_is_closed(const std::string& page) {
  CHECK(page.starts_with("<!doctype html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "src="));
  CHECK_FALSE(contains(page, "style=\""));
  CHECK_FALSE(contains(page, "url("));
}

}  // namespace

TEST_CASE("error: the form follows Accept") {
  CHECK(format_for({}) == ErrorFormat::kText);
  CHECK(format_for({"*/*"}) == ErrorFormat::kText);
  CHECK(format_for({"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}) ==
        ErrorFormat::kHtml);
  CHECK(format_for({"application/json"}) == ErrorFormat::kJson);
  CHECK(format_for({"application/problem+json"}) == ErrorFormat::kJson);
  CHECK(format_for({"application/*"}) == ErrorFormat::kJson);
  CHECK(format_for({"application/json, */*;q=0.5"}) == ErrorFormat::kJson);
  CHECK(format_for({"text/plain"}) == ErrorFormat::kText);
  CHECK(format_for({"image/png"}) == ErrorFormat::kText);
  CHECK(format_for({"image/avif,image/webp,*/*;q=0.8"}) == ErrorFormat::kText);
  CHECK(format_for({"garbage"}) == ErrorFormat::kText);
  CHECK(format_for({"text/html;q=0.1", "application/json;q=0.2"}) == ErrorFormat::kJson);
}

TEST_CASE("error: content types") {
  CHECK(pages::error_content_type(ErrorFormat::kText) == "text/plain; charset=utf-8");
  CHECK(pages::error_content_type(ErrorFormat::kHtml) == "text/html; charset=utf-8");
  CHECK(pages::error_content_type(ErrorFormat::kJson) == "application/problem+json");
}

TEST_CASE("error: text") {
  CHECK(pages::render_error({404, "", "", ""}, ErrorFormat::kText) == "404 Not Found\n");
  CHECK(pages::render_error({404, "Nope", "Look elsewhere.", "abc123"}, ErrorFormat::kText) ==
        "404 Nope\nLook elsewhere.\nRequest abc123\n");
  CHECK(pages::render_error({499, "", "", ""}, ErrorFormat::kText) == "499 Error\n");
}

TEST_CASE("error: text cannot steer a terminal") {
  CHECK(pages::render_error({400, "a\nb\r\x1B[31m", "x\u009By\xFF\x7F", ""}, ErrorFormat::kText) ==
        "400 a b  [31m\nx y\uFFFD \n");
}

TEST_CASE("error: JSON is problem details") {
  CHECK(pages::render_error({413, "", "The limit is 10m.", "id\"1"}, ErrorFormat::kJson) ==
        "{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,\"detail\":\"The limit is 10m.\","
        "\"request_id\":\"id\\\"1\"}\n");
  CHECK(pages::render_error({503, "", "", ""}, ErrorFormat::kJson) ==
        "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}\n");
}

TEST_CASE("error: HTML shows status, reason, hint and id") {
  const std::string page = pages::render_error({404, "", "Check the spelling.", "abc123"}, ErrorFormat::kHtml);
  CHECK(contains(page, "<title>404 Not Found</title>"));
  CHECK(contains(page, "<p class=\"code\">404</p><h1>Not Found</h1>"));
  CHECK(contains(page, "<p class=\"hint\">Check the spelling.</p>"));
  CHECK(contains(page, "Request abc123</p>"));
  CHECK(page.size() < 4096);
  check_is_closed(page);
}

TEST_CASE("error: HTML leaves out what is not given") {
  const std::string page = pages::render_error({500, "", "", ""}, ErrorFormat::kHtml);
  CHECK_FALSE(contains(page, "class=\"hint\""));
  CHECK_FALSE(contains(page, "class=\"id"));
}

TEST_CASE("error: HTML escapes every part") {
  const std::string evil = "<script>\"'&</script>";
  const std::string page = pages::render_error({400, evil, evil, evil}, ErrorFormat::kHtml);
  CHECK_FALSE(contains(page, "<script"));
  const std::string_view safe = "&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;";
  std::size_t found = 0;
  for (std::size_t at = page.find(safe); at != std::string::npos; at = page.find(safe, at + 1)) ++found;
  CHECK(found == 4);  // title, heading, hint, id
}

TEST_CASE("error: the policy fits the page") {
  CHECK(policy_fits(pages::render_error({500, "", "", ""}, ErrorFormat::kHtml), pages::error_policy()));
}

TEST_CASE("welcome: says what to do next") {
  const std::string page = handlers::render_welcome({"0.1.0", ""});
  CHECK(contains(page, "<h1>Tidegate is running</h1>"));
  CHECK(contains(page, "version 0.1.0"));
  CHECK(contains(page, "tidegate serve ./public"));
  CHECK(contains(page, "tidegate run --config site.toml"));
  CHECK(contains(page, "docs/guide/"));
  check_is_closed(page);
  CHECK(policy_fits(page, handlers::welcome_policy()));
}

TEST_CASE("welcome: names the configuration, escaped") {
  const std::string page = handlers::render_welcome({"", "/etc/<x>&.toml"});
  CHECK(contains(page, "<code>/etc/&lt;x&gt;&amp;.toml</code>"));
  CHECK_FALSE(contains(page, "version "));
  CHECK(policy_fits(page, handlers::welcome_policy()));
}
