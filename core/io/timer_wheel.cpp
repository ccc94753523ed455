#include "io/timer_wheel.h"

#include <algorithm>

namespace tidegate::io {

namespace {
constexpr std::int64_t ceil_ticks(std::int64_t ms) { return (ms + TimerWheel::kTickMs - 1) / TimerWheel::kTickMs; }
}  // namespace

void TimerWheel::arm(Timer& timer, std::int64_t deadline_ms) {
  timer.unlink();
  timer.deadline_ms = deadline_ms;
  place(timer);
}

// Level n holds what is due within 256^(n+1) ticks; beyond the last level the furthest slot holds it until it cascades.
void TimerWheel::place(Timer& timer) {
  std::int64_t due = std::max(ceil_ticks(timer.deadline_ms), tick_ + 1);
  int level = 0;
  while (level < kLevels - 1 && due - tick_ >= (std::int64_t{1} << (kSlotBits * (level + 1)))) ++level;
  const std::int64_t reach = std::int64_t{1} << (kSlotBits * kLevels);
  due = std::min(due, tick_ + reach - 1);
  const auto slot = static_cast<std::size_t>((due >> (kSlotBits * level)) & (kSlots - 1));
  levels_[static_cast<std::size_t>(level)][slot].push_back(timer);
}

// Spreads the slot of `level` that begins at the current tick over the levels below.
void TimerWheel::cascade(int level) {
  const auto slot = static_cast<std::size_t>((tick_ >> (kSlotBits * level)) & (kSlots - 1));
  base::IntrusiveList<Timer> moving;
  moving.splice(levels_[static_cast<std::size_t>(level)][slot]);
  --tick_;  // so that what is due at this very tick may be placed in its slot
  while (Timer* timer = moving.pop_front()) place(*timer);
  ++tick_;
}

void TimerWheel::advance(std::int64_t now_ms) {
  const std::int64_t target = now_ms / kTickMs;
  while (tick_ < target) {
    ++tick_;
    for (int level = kLevels - 1; level > 0; --level) {
      if ((tick_ & ((std::int64_t{1} << (kSlotBits * level)) - 1)) == 0) cascade(level);
    }
    base::IntrusiveList<Timer> due;
    due.splice(levels_[0][static_cast<std::size_t>(tick_ & (kSlots - 1))]);
    while (Timer* timer = due.pop_front()) timer->fire(*timer);
  }
}

std::int64_t TimerWheel::wait_ms(std::int64_t now_ms) const {
  for (int level = 0; level < kLevels; ++level) {
    const std::int64_t unit = std::int64_t{1} << (kSlotBits * level);
    const std::int64_t here = tick_ / unit;
    for (std::int64_t step = level == 0 ? 1 : 0; step < kSlots; ++step) {
      const auto slot = static_cast<std::size_t>((here + step) & (kSlots - 1));
      if (levels_[static_cast<std::size_t>(level)][slot].empty()) continue;
      const std::int64_t begins = std::max((here + step) * unit, tick_ + 1);
      return std::max<std::int64_t>(0, begins * kTickMs - now_ms);
    }
  }
  return -1;
}

}  // namespace tidegate::io
