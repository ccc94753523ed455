#include "io/sim/sim_runner.h"

#include <algorithm>

namespace tidegate::io {

void SimRunner::add(Loop& loop) { loops_.push_back(&loop); }

bool SimRunner::round() {
  const std::uint64_t before = network_.activity();
  std::vector<Loop*> order = loops_;
  network_.random().shuffle(order);
  for (Loop* loop : order) loop->turn(0);
  const bool mail = std::ranges::any_of(loops_, [](const Loop* loop) { return loop->has_mail(); });
  return mail || network_.activity() != before;
}

std::int64_t SimRunner::next_event_ms(bool with_timers) {
  std::int64_t next_ms = network_.next_arrival_ms();
  for (Loop* loop : loops_) {
    next_ms = std::min(next_ms, static_cast<SimDriver&>(loop->driver()).next_due_ms());
    const std::int64_t until_timer = with_timers ? loop->timers().wait_ms(network_.now_ms()) : -1;
    if (until_timer >= 0) next_ms = std::min(next_ms, network_.now_ms() + until_timer);
  }
  return next_ms;
}

void SimRunner::run_until_idle() {
  while (true) {
    while (round()) {
    }
    const std::int64_t next_ms = next_event_ms(false);
    if (next_ms == SimNetwork::kNever) return;
    network_.advance_to(next_ms);
  }
}

void SimRunner::run_for(std::int64_t ms) {
  const std::int64_t end_ms = network_.now_ms() + ms;
  while (true) {
    while (round()) {
    }
    if (network_.now_ms() >= end_ms) return;
    network_.advance_to(std::min(next_event_ms(true), end_ms));
  }
}

}  // namespace tidegate::io
