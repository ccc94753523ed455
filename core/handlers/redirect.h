// The handler of `redirect`: builds Location from the request (RFC 9110 section 15.4). Immutable, shared by all workers.
#pragma once

#include "handlers/redirect_settings.h"
#include "pipeline/path_pattern.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::handlers {

class RedirectHandler final : public pipeline::HandlerSettings {
 public:
  // `pattern` is the route's, for {path.rest}.
  RedirectHandler(const RedirectSettings& settings, const pipeline::PathPattern& pattern);
  [[nodiscard]] pipeline::Step step() const;

 private:
  static pipeline::Verdict run(pipeline::RoutedExchange& exchange, const void* self);
  [[nodiscard]] std::string location(const http::Request& request) const;

  RedirectSettings settings_;
  pipeline::PathPattern pattern_;
  bool appends_query_;
};

}  // namespace tidegate::handlers
