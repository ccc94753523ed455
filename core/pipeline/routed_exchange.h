// An exchange with the state of its way through a route plan. Allocated from the runner's pool; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/exchange.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::pipeline {

class Runner;

class RoutedExchange : public http::Exchange {
 public:
  Runner* runner = nullptr;
  const Snapshot* snapshot = nullptr;  // pinned while the exchange lasts
  const RoutePlan* plan = nullptr;
  std::size_t next_policy = 0;
  // Jobs on other threads that use the exchange's memory: it is released when it is finished and this is 0.
  std::uint32_t holds = 0;
  std::uint16_t error_status = 0;  // the response is the page of this error; 0: it is the resource itself
  bool abandoned = false;          // nobody waits for the response any more
  bool finished = false;
  std::string_view failure_hint;   // why an error was answered, for the log; static or arena
  std::string_view user;           // who was authenticated; arena

  void reset_all() {
    reset();
    snapshot = nullptr;
    plan = nullptr;
    next_policy = 0;
    holds = 0;
    error_status = 0;
    abandoned = finished = false;
    failure_hint = user = {};
  }
};

}  // namespace tidegate::pipeline
