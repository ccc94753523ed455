// Error bodies. See error_page.h.
#include "pipeline/pages/error_page.h"

#include <array>

#include "pipeline/pages/page_policy.h"
#include "pipeline/pages/page_style.h"
#include "pipeline/pages/page_text.h"
#include "http/semantics/negotiation.h"
#include "http/semantics/status.h"

namespace tidegate::pages {
namespace {

constexpr std::string_view kErrorRules =
    "body{display:grid;place-items:center;padding:1.5rem}"
    "main{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:16px;overflow:hidden;"
    "box-shadow:0 1px 2px #0a141a14,0 12px 40px #0a141a14}"
    "div{padding:2.2rem 2.2rem 1.4rem}"
    ".code{margin:0;color:var(--accent);font-size:3.6rem;font-weight:700;line-height:1;letter-spacing:-.03em;"
    "font-variant-numeric:tabular-nums}"
    "h1{margin:.7rem 0 0;font-size:1.35rem;font-weight:600;line-height:1.3;overflow-wrap:anywhere}"
    ".hint{margin:.6rem 0 0;overflow-wrap:anywhere}.hint::first-letter{text-transform:uppercase}"
    ".id{margin:1.4rem 0 0;color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}"
    "svg{display:block;width:100%;height:64px}.s{fill:var(--sea);opacity:.55}.t{fill:var(--deep)}";

constexpr std::string_view kErrorStyle = Joined<kBaseStyle, kErrorRules>::kText;

// Two waves, the foot of the card.
constexpr std::string_view kWaves =
    "<svg viewBox=\"0 0 480 64\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    "<path class=\"s\" d=\"M0 30q40-22 80 0t80 0 80 0 80 0 80 0 80 0v34H0z\"/>"
    "<path class=\"t\" d=\"M-30 44q40-18 80 0t80 0 80 0 80 0 80 0 80 0 80 0v20H-30z\"/></svg>";

std::string_view title_of(const ErrorPage& page) noexcept {
  if (!page.reason.empty()) return page.reason;
  const std::string_view registered = http::reason_phrase(page.status);
  return registered.empty() ? std::string_view("Error") : registered;
}

void append_element(std::string& out, std::string_view open, std::string_view text, std::string_view close) {
  out += open;
  append_html(out, text);
  out += close;
}

std::string render_html(const ErrorPage& page) {
  const std::string code = std::to_string(page.status);
  const std::string_view title = title_of(page);
  std::string out;
  out.reserve(4096);
  out += kHeadStart;
  out += "<title>";
  out += code;
  append_element(out, " ", title, "</title><style>");
  out += kErrorStyle;
  out += "</style></head>\n<body><main><div><p class=\"code\">";
  out += code;
  append_element(out, "</p><h1>", title, "</h1>");
  if (!page.hint.empty()) append_element(out, "<p class=\"hint\">", page.hint, "</p>");
  if (!page.request_id.empty()) append_element(out, "<p class=\"id mono\">Request ", page.request_id, "</p>");
  out += "</div>";
  out += kWaves;
  out += "</main></body></html>\n";
  return out;
}

// One line of text. Line breaks and other control bytes of the parts become spaces, so that a terminal is safe and each part
// keeps to its line.
void append_line(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const char32_t code_point = take_code_point(text);
    const bool is_control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
    append_utf8(out, is_control ? U' ' : code_point);
  }
  out += '\n';
}

std::string render_text(const ErrorPage& page) {
  std::string out = std::to_string(page.status);
  out += ' ';
  append_line(out, title_of(page));
  if (!page.hint.empty()) append_line(out, page.hint);
  if (!page.request_id.empty()) {
    out += "Request ";
    append_line(out, page.request_id);
  }
  return out;
}

std::string render_json(const ErrorPage& page) {
  std::string out = "{\"type\":\"about:blank\",\"title\":";
  append_json(out, title_of(page));
  out += ",\"status\":";
  out += std::to_string(page.status);
  if (!page.hint.empty()) {
    out += ",\"detail\":";
    append_json(out, page.hint);
  }
  if (!page.request_id.empty()) {
    out += ",\"request_id\":";
    append_json(out, page.request_id);
  }
  out += "}\n";
  return out;
}

}  // namespace

ErrorFormat choose_error_format(std::span<const std::string_view> accept_lines) noexcept {
  constexpr std::array<std::string_view, 4> kOffers = {"text/plain", "text/html", "application/problem+json",
                                                       "application/json"};
  constexpr std::array kFormats = {ErrorFormat::kText, ErrorFormat::kHtml, ErrorFormat::kJson, ErrorFormat::kJson};
  return kFormats[http::choose_media_type(accept_lines, kOffers).value_or(0)];
}

std::string render_error(const ErrorPage& page, ErrorFormat format) {
  switch (format) {
    case ErrorFormat::kHtml: return render_html(page);
    case ErrorFormat::kJson: return render_json(page);
    case ErrorFormat::kText: break;
  }
  return render_text(page);
}

std::string_view error_content_type(ErrorFormat format) noexcept {
  switch (format) {
    case ErrorFormat::kHtml: return "text/html; charset=utf-8";
    case ErrorFormat::kJson: return "application/problem+json";
    case ErrorFormat::kText: break;
  }
  return "text/plain; charset=utf-8";
}

std::string_view error_policy() noexcept { return PagePolicy<kErrorStyle>::kText; }

}  // namespace tidegate::pages
