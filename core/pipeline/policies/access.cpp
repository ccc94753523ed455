#include "pipeline/policies/access.h"

#include <algorithm>
#include <utility>

#include "pipeline/routed_exchange.h"
#include "pipeline/runner.h"

namespace tidegate::pipeline {

AccessPolicy::AccessPolicy(std::vector<base::Cidr> allow, std::vector<base::Cidr> deny)
    : allow_(std::move(allow)), deny_(std::move(deny)) {}

Step AccessPolicy::step() const { return {&AccessPolicy::run, this}; }

bool AccessPolicy::allows(const base::Address& client) const {
  const auto holds = [&client](const base::Cidr& block) { return block.contains(client); };
  if (std::any_of(deny_.begin(), deny_.end(), holds)) return false;
  return allow_.empty() || std::any_of(allow_.begin(), allow_.end(), holds);
}

Verdict AccessPolicy::run(RoutedExchange& exchange, const void* self) {
  if (static_cast<const AccessPolicy*>(self)->allows(exchange.request.client)) return Verdict::kNext;
  return exchange.runner->fail(exchange, 403, "the client's address is not allowed here");
}

}  // namespace tidegate::pipeline
