// Finds the plan of a request: listener, host, then the first route that matches in written order.
#pragma once

#include "http/exchange.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::pipeline {

// Whether all conditions hold for the request.
[[nodiscard]] bool matches(const RouteMatch& match, const http::Exchange& exchange);

// Never null for a listener of the snapshot: a plan without a handler stands for "no site" and "no route".
[[nodiscard]] const RoutePlan& find_route(const ListenerPlan& listener, const http::Exchange& exchange);

// The value of a query parameter ("a=1&b=2"), compared as it was sent; whether it is there at all.
struct QueryValue {
  bool present = false;
  std::string_view value;
};
[[nodiscard]] QueryValue query_value(std::string_view query, std::string_view name);

}  // namespace tidegate::pipeline
