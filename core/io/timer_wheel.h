// A hierarchical timer wheel: O(1) arm and disarm, one wheel a loop, never a kernel timer an object.
//
// Four levels of 256 slots; the first has ticks of kTickMs. A timer fires between its deadline and one tick later. Long
// timers move down a level as their time comes nearer (Varghese and Lauck, 1987, scheme 6). Owners of idle deadlines
// should be lazy: store the new deadline on activity and arm again only when the timer fires too early.
#pragma once

#include <array>
#include <bit>
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

  // (Re)arms the timer for an absolute time. A time in the past fires on the next advance.
  void arm(Timer& timer, std::int64_t deadline_ms);
  void disarm(Timer& timer) { timer.unlink(); }
  // Fires everything that is due. A callback may arm and disarm any timer.
  void advance(std::int64_t now_ms);
  // Milliseconds until something may be due (0: now), or -1 when no timer is armed. May be early, never late.
  [[nodiscard]] std::int64_t wait_ms(std::int64_t now_ms) const;

 private:
  static constexpr int kLevels = 4;
  static constexpr int kSlotBits = 8;
  static constexpr std::int64_t kSlots = 1 << kSlotBits;
  using Slots = std::array<base::IntrusiveList<Timer>, kSlots>;

  void place(Timer& timer);
  void cascade(int level);

  std::int64_t tick_;  // the last tick that was handled
  mutable std::array<Slots, kLevels> levels_;
};

}  // namespace tidegate::io
