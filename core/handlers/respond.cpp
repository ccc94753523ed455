#include "handlers/respond.h"

#include "pipeline/routed_exchange.h"

namespace tidegate::handlers {

RespondHandler::RespondHandler(const RespondSettings& settings) : status_(settings.status), body_(settings.body) {
  if (!settings.content_type.empty()) fields_.add("Content-Type", settings.content_type);
  for (const RespondField& field : settings.headers) fields_.add(field.name, field.value);
}

pipeline::Step RespondHandler::step() const { return {&RespondHandler::run, this}; }

// The body lives in the snapshot, which the exchange pins; what outlives the exchange is copied by the codec.
pipeline::Verdict RespondHandler::run(pipeline::RoutedExchange& exchange, const void* self) {
  const auto& handler = *static_cast<const RespondHandler*>(self);
  exchange.response.status = handler.status_;
  exchange.response.add_block(handler.fields_);
  exchange.response.body.bytes = handler.body_;
  return pipeline::Verdict::kResponded;
}

}  // namespace tidegate::handlers
