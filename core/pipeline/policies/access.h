// The access policy: which clients may use a route, by address. Immutable, shared by all workers.
#pragma once

#include <vector>

#include "base/address.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::pipeline {

class AccessPolicy final : public HandlerSettings {
 public:
  // A client in `deny` is refused; when `allow` is not empty, so is every client that is not in it. Answers 403.
  AccessPolicy(std::vector<base::Cidr> allow, std::vector<base::Cidr> deny);
  [[nodiscard]] Step step() const;
  [[nodiscard]] bool allows(const base::Address& client) const;

 private:
  static Verdict run(RoutedExchange& exchange, const void* self);

  std::vector<base::Cidr> allow_;
  std::vector<base::Cidr> deny_;
};

}  // namespace tidegate::pipeline
