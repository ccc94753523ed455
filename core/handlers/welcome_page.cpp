// The welcome page. See welcome_page.h.
#include "handlers/welcome_page.h"

#include "pipeline/pages/page_text.h"
#include "handlers/welcome_style.h"

namespace tidegate::handlers {

using namespace pages;
namespace {

constexpr std::string_view kCards =
    "<section><h2>Share a folder</h2>"
    "<p>A site from any directory, with listings, ranges and the right types.</p>"
    "<pre><b>$ </b>tidegate serve ./public</pre></section>\n"
    "<section><h2>Run a configuration</h2>"
    "<p>Check first: all mistakes are told at once, with line and column.</p>"
    "<pre><b>$ </b>tidegate check --config site.toml\n"
    "<b>$ </b>tidegate run --config site.toml</pre></section>\n"
    "<section><h2>Look after it</h2>"
    "<p>See what it does, and change it without losing a request.</p>"
    "<pre><b>$ </b>tidegate status\n"
    "<b>$ </b>tidegate reload</pre></section>\n"
    "<section class=\"wide\"><h2>A first <code>site.toml</code></h2>"
    "<p>One site, one folder. Routes are tried in written order, and the first that matches answers.</p>"
    "<pre><u>[[site]]</u>\n"
    "name   = <em>\"hello\"</em>\n"
    "hosts  = [<em>\"localhost\"</em>]\n"
    "listen = [<em>\"http://127.0.0.1:8080\"</em>]\n"
    "\n"
    "  <u>[[site.route]]</u>\n"
    "  path    = <em>\"/ping\"</em>\n"
    "  respond = { status = 200, body = <em>\"pong\\n\"</em>, content_type = <em>\"text/plain\"</em> }\n"
    "\n"
    "  <u>[[site.route]]</u>\n"
    "  path  = <em>\"/*\"</em>\n"
    "  files = { root = <em>\"./public\"</em>, listing = true }</pre></section>\n";

constexpr std::string_view kReading =
    "<section class=\"wide\"><h2>Where to read on</h2>"
    "<dl><dt>Using it</dt><dd><code>docs/guide/</code></dd>"
    "<dt>How it is built</dt><dd><code>docs/architecture.md</code></dd>"
    "<dt>Every command</dt><dd><code>tidegate --help</code></dd></dl></section>\n";

void append_header(std::string& out, const WelcomePage& page) {
  out += "<header><div><p class=\"pill\"><i></i>Answering requests";
  if (!page.version.empty()) {
    out += " \u00b7 version ";
    append_html(out, page.version);
  }
  out +=
      "</p><h1>Tidegate is running</h1><p class=\"lead\">This page comes from the server itself, because no site is set up "
      "for this address yet. ";
  if (page.config_path.empty()) {
    out += "Give it a folder or a configuration, and it is yours.";
  } else {
    out += "Its configuration is <code>";
    append_html(out, page.config_path);
    out += "</code>.";
  }
  out += "</p></div>";
  out += kWelcomeDrawing;
  out += "</header>\n";
}

}  // namespace

std::string render_welcome(const WelcomePage& page) {
  std::string out;
  out.reserve(12288);
  out += kHeadStart;
  out += "<title>Tidegate is running</title><style>";
  out += kWelcomeStyle;
  out += "</style></head>\n<body>";
  append_header(out, page);
  out += "<main>";
  out += kCards;
  out += kReading;
  out += "</main>\n<footer>Tidegate</footer></body></html>\n";
  return out;
}

std::string_view welcome_policy() noexcept { return PagePolicy<kWelcomeStyle>::kText; }

}  // namespace tidegate::handlers
