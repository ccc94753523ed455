// A hierarchical timer wheel: O(1) arm and disarm, one wheel a loop, never a kernel timer an object.
//
// Four levels of 256 slots; the first has ticks of kTickMs. A timer fires between its deadline and one tick later. Long
// timers move down a level as their time comes nearer (Varghese and Lauck, 1987, scheme 6). Owners of idle deadlines
// should be lazy: store the new deadline on activity and arm again only when the timer fires too early.
//
// Invariants between calls: a timer of level 0 is due 1 to 255 ticks ahead, one of level n between 256^n and
// 256^(n+1) - 1 ticks when it was placed. A slot of level n therefore holds timers of one block of 256^n ticks only,
// whose first tick is ahead; at that tick the slot is spread over the levels below. A bit of `occupied` that is not set
// means an empty slot; the opposite is found out when the slot is looked at, since disarm() does not know the wheel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/intrusive_list.h"

namespace tidegate::io {

struct Timer : base::Link {
  using Fire = void (*)(Timer& timer);
  Fire fire = nullptr;
  std::int64_t deadline_ms = 0;  // on the loop's clock; set by TimerWheel::arm

  [[nodiscard]] bool armed() const { return linked(); }
};

class TimerWheel {
 public:
  static constexpr std::int64_t kTickMs = 8;

  explicit TimerWheel(std::int64_t now_ms) : tick_(now_ms / kTickMs) {}

  // (Re)arms the timer for an absolute time. A time in the past fires at the next tick.
  void arm(Timer& timer, std::int64_t deadline_ms);
  void disarm(Timer& timer) { timer.unlink(); }
  // Fires everything that is due. A callback may arm, disarm and destroy any timer.
  void advance(std::int64_t now_ms);
  // Milliseconds until something may be due (0: now), or -1 when no timer is armed. May be early, never late.
  [[nodiscard]] std::int64_t wait_ms(std::int64_t now_ms) const;

 private:
  static constexpr int kLevels = 4;
  static constexpr int kSlotBits = 8;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::int64_t kNever = INT64_MAX;

  struct Level {
    std::array<base::IntrusiveList<Timer>, kSlots> slots;
    std::array<std::uint64_t, kSlots / 64> occupied{};

    // Slots from `after` + 1 on, round to `after` itself, until one holds a timer: 1 to 256, or 0 when all are empty.
    [[nodiscard]] std::int64_t steps_to_next(std::size_t after);
  };

  void place(Timer& timer, std::int64_t earliest);
  void spread(int level);
  [[nodiscard]] std::int64_t next_tick() const;

  std::int64_t tick_;  // the last tick that was handled
  mutable std::array<Level, kLevels> levels_;
};

}  // namespace tidegate::io
