#include "pipeline/error_response.h"

#include <array>

#include "pipeline/pages/error_page.h"

namespace tidegate::pipeline {

namespace {

pages::ErrorFormat format_for(const http::Exchange& exchange) {
  std::array<std::string_view, 8> lines;
  std::size_t count = 0;
  exchange.fields->for_each(http::KnownField::kAccept, [&](std::string_view value) {
    if (count < lines.size()) lines[count++] = value;
  });
  return pages::choose_error_format({lines.data(), count});
}

}  // namespace

void set_error_response(RoutedExchange& exchange, std::uint16_t status, std::string_view hint) {
  const pages::ErrorFormat format = format_for(exchange);
  const std::string page = pages::render_error({.status = status, .reason = {}, .hint = hint, .request_id = {}}, format);
  exchange.response.status = status;
  exchange.add_field("Content-Type", pages::error_content_type(format));
  exchange.add_field("Vary", "Accept");
  exchange.add_field("Cache-Control", "no-store");
  if (format == pages::ErrorFormat::kHtml) exchange.add_field("Content-Security-Policy", pages::error_policy());
  exchange.response.body.bytes = exchange.arena.copy(page);
}

}  // namespace tidegate::pipeline
