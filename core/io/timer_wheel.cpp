#include "io/timer_wheel.h"

#include <algorithm>
#include <bit>

namespace tidegate::io {

namespace {

constexpr int kBitsAWord = 64;

// Rounds up; exact for every value, also for "never" (the largest one).
constexpr std::int64_t ceil_ticks(std::int64_t ms) {
  return ms / TimerWheel::kTickMs + (ms % TimerWheel::kTickMs > 0 ? 1 : 0);
}

}  // namespace

std::int64_t TimerWheel::Level::steps_to_next(std::size_t after) {
  for (std::size_t steps = 1; steps <= kSlots;) {
    const std::size_t slot = (after + steps) % kSlots;
    std::uint64_t& word = occupied[slot / kBitsAWord];
    const std::size_t bit = slot % kBitsAWord;
    const std::uint64_t ahead = word >> bit;
    if (ahead == 0) {
      steps += kBitsAWord - bit;
      continue;
    }
    const auto skipped = static_cast<std::size_t>(std::countr_zero(ahead));
    steps += skipped;
    if (steps > kSlots) break;
    if (!slots[slot + skipped].empty()) return static_cast<std::int64_t>(steps);
    word &= ~(std::uint64_t{1} << (bit + skipped));  // its timers were disarmed
  }
  return 0;
}

void TimerWheel::arm(Timer& timer, std::int64_t deadline_ms) {
  timer.unlink();
  timer.deadline_ms = deadline_ms;
  place(timer, tick_ + 1);
}

// The level follows from the distance. Beyond the last level the furthest slot holds the timer until it is spread.
void TimerWheel::place(Timer& timer, std::int64_t earliest) {
  const std::int64_t furthest = tick_ + (std::int64_t{1} << (kSlotBits * kLevels)) - 1;
  const std::int64_t due = std::clamp(ceil_ticks(timer.deadline_ms), earliest, furthest);
  const int distance_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(due - tick_)));
  const int level = std::max(distance_bits - 1, 0) / kSlotBits;
  const std::size_t slot = static_cast<std::size_t>(due >> (kSlotBits * level)) % kSlots;
  Level& there = levels_[static_cast<std::size_t>(level)];
  there.slots[slot].push_back(timer);
  there.occupied[slot / kBitsAWord] |= std::uint64_t{1} << (slot % kBitsAWord);
}

// Spreads the slot of `level` whose block begins at the current tick over the levels below; what is due at this very
// tick goes into the slot that is fired next.
void TimerWheel::spread(int level) {
  const std::size_t slot = static_cast<std::size_t>(tick_ >> (kSlotBits * level)) % kSlots;
  base::IntrusiveList<Timer> moving;
  moving.splice(levels_[static_cast<std::size_t>(level)].slots[slot]);
  while (Timer* timer = moving.pop_front()) place(*timer, tick_);
}

// The next tick at which timers are due or a slot must be spread. Slots can be ahead of one another across levels (a
// block of level 1 may begin before the first timer of level 0 is due), so all levels count.
std::int64_t TimerWheel::next_tick() const {
  std::int64_t next = kNever;
  for (int level = 0; level < kLevels; ++level) {
    const std::int64_t here = tick_ >> (kSlotBits * level);
    const std::int64_t steps = levels_[static_cast<std::size_t>(level)].steps_to_next(static_cast<std::size_t>(here) % kSlots);
    if (steps > 0) next = std::min(next, (here + steps) << (kSlotBits * level));
  }
  return next;
}

void TimerWheel::advance(std::int64_t now_ms) {
  const std::int64_t target = now_ms / kTickMs;
  while (tick_ < target) {
    tick_ = std::min(target, next_tick());  // nothing is due in between
    for (int level = kLevels - 1; level > 0; --level) {
      if ((tick_ & ((std::int64_t{1} << (kSlotBits * level)) - 1)) == 0) spread(level);
    }
    base::IntrusiveList<Timer> due;
    due.splice(levels_[0].slots[static_cast<std::size_t>(tick_) % kSlots]);
    while (Timer* timer = due.pop_front()) timer->fire(*timer);
  }
}

std::int64_t TimerWheel::wait_ms(std::int64_t now_ms) const {
  const std::int64_t next = next_tick();
  return next == kNever ? -1 : std::max<std::int64_t>(0, next * kTickMs - now_ms);
}

}  // namespace tidegate::io
