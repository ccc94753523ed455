// Drives one or more loops over a simulated network from a test: turns them in an order that the seed decides, and lets
// time pass only when none has anything left to do. All loops must have a SimDriver of the same network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "io/loop.h"
#include "io/sim/sim_driver.h"
#include "io/sim/sim_network.h"

namespace tidegate::io {

class SimRunner {
 public:
  explicit SimRunner(SimNetwork& network) : network_(network) {}
  // The loop must outlive the use of the runner.
  void add(Loop& loop);

  // Until nothing is on its way any more: neither completions nor bytes nor messages. Timers fire only as far as time
  // passes on the way.
  void run_until_idle();
  // Lets so much time pass, with everything that happens in it, timers too.
  void run_for(std::int64_t ms);
  // Until the condition holds; false when it does not within so much time.
  template <class Condition>
  bool run_until(Condition&& condition, std::int64_t ms_max) {
    const std::int64_t deadline_ms = network_.now_ms() + ms_max;
    while (!condition()) {
      if (network_.now_ms() >= deadline_ms) return false;
      if (!round()) network_.advance_to(std::min(next_event_ms(true), deadline_ms));
    }
    return true;
  }

 private:
  // Turns every loop once, without waiting; false when nothing happened and nothing is left to do now.
  bool round();
  [[nodiscard]] std::int64_t next_event_ms(bool with_timers);

  SimNetwork& network_;
  std::vector<Loop*> loops_;
};

}  // namespace tidegate::io
