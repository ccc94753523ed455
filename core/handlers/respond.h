// The handler of `respond`: a fixed response from memory. Immutable, shared by all workers.
#pragma once

#include <string>

#include "handlers/respond_settings.h"
#include "http/field_block.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::handlers {

class RespondHandler final : public pipeline::HandlerSettings {
 public:
  explicit RespondHandler(const RespondSettings& settings);
  [[nodiscard]] pipeline::Step step() const;

 private:
  static pipeline::Verdict run(pipeline::RoutedExchange& exchange, const void* self);

  std::uint16_t status_;
  std::string body_;
  http::FieldBlock fields_;
};

}  // namespace tidegate::handlers
