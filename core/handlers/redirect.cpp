#include "handlers/redirect.h"

#include <algorithm>

#include "http/semantics/target.h"
#include "pipeline/routed_exchange.h"

namespace tidegate::handlers {

namespace {

bool has_own_query(const RedirectSettings& settings) {
  return settings.to.find('?') != std::string::npos ||
         std::any_of(settings.parts.begin(), settings.parts.end(),
                     [](const RedirectPart& part) { return part.kind == RedirectPart::Kind::kQuery; });
}

}  // namespace

RedirectHandler::RedirectHandler(const RedirectSettings& settings, const pipeline::PathPattern& pattern)
    : settings_(settings), pattern_(pattern), appends_query_(settings.keep_query && !has_own_query(settings)) {}

pipeline::Step RedirectHandler::step() const { return {&RedirectHandler::run, this}; }

// Everything that comes from the client is either percent-encoded again or was checked by the parser, so that no control
// character can reach the field.
std::string RedirectHandler::location(const http::Request& request) const {
  std::string text;
  for (const RedirectPart& part : settings_.parts) {
    switch (part.kind) {
      case RedirectPart::Kind::kLiteral: text += part.literal; break;
      case RedirectPart::Kind::kPath: http::append_encoded_path(text, request.path); break;
      case RedirectPart::Kind::kPathRest: http::append_encoded_path(text, pattern_.rest(request.path)); break;
      case RedirectPart::Kind::kQuery: text += request.query; break;
      case RedirectPart::Kind::kHost: text += request.host; break;
      case RedirectPart::Kind::kScheme: text += "http"; break;
    }
  }
  if (appends_query_ && !request.query.empty()) text.append("?").append(request.query);
  return text;
}

pipeline::Verdict RedirectHandler::run(pipeline::RoutedExchange& exchange, const void* self) {
  const auto& handler = *static_cast<const RedirectHandler*>(self);
  exchange.response.status = handler.settings_.status;
  exchange.add_field("Location", exchange.arena.copy(handler.location(exchange.request)));
  return pipeline::Verdict::kResponded;
}

}  // namespace tidegate::handlers
