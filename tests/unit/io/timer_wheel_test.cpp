// The timer wheel against the simplest model of it: a list of ticks.
#include "io/timer_wheel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "io/sim/sim_faults.h"

namespace tidegate::io {

namespace {

constexpr std::int64_t kTick = TimerWheel::kTickMs;
constexpr std::int64_t kDayMs = std::int64_t{24} * 3600 * 1000;

struct ModelTimer : Timer {
  class Model* model = nullptr;
  std::int64_t due_tick = -1;  // -1: not armed
};

// Every timer has the tick at which it must fire; the wheel is compared with the smallest of them.
class Model {
 public:
  Model(std::uint64_t seed, std::size_t timers, std::int64_t now_ms) : random_(seed), now_ms_(now_ms), wheel_(now_ms) {
    tick_ = now_ms / kTick;
    for (std::size_t i = 0; i < timers; ++i) {
      timers_.push_back(std::make_unique<ModelTimer>());
      timers_.back()->model = this;
      timers_.back()->fire = [](Timer& timer) {
        auto& self = static_cast<ModelTimer&>(timer);
        self.model->on_fire(self);
      };
    }
  }
  ~Model() {
    for (auto& timer : timers_) wheel_.disarm(*timer);
  }

  // One random step; the number of timers that fired in it.
  int step() {
    fired_ = 0;
    for (std::uint64_t i = random_.below(4); i > 0; --i) touch_any();
    check_wait();
    now_ms_ += draw_pause_ms();
    advance();
    return fired_;
  }

 private:
  std::int64_t next_due() const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (const auto& timer : timers_) {
      if (timer->due_tick >= 0) next = std::min(next, timer->due_tick);
    }
    return next;
  }

  void touch_any() {
    ModelTimer& timer = *timers_[random_.below(timers_.size())];
    if (timer.armed() != (timer.due_tick >= 0)) FAIL("armed() is wrong");
    if (random_.chance(250)) {
      wheel_.disarm(timer);
      timer.due_tick = -1;
    } else {
      arm(timer, draw_deadline_ms());
    }
  }

  void arm(ModelTimer& timer, std::int64_t deadline_ms) {
    wheel_.arm(timer, deadline_ms);
    const std::int64_t rounded_up = deadline_ms / kTick + (deadline_ms % kTick > 0 ? 1 : 0);
    timer.due_tick = std::max(rounded_up, tick_ + 1);
  }

  std::int64_t draw_deadline_ms() {
    const auto within = [this](std::int64_t ms) { return now_ms_ + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(ms))); };
    switch (random_.below(12)) {
      case 0: return now_ms_ - static_cast<std::int64_t>(random_.below(10'000));  // past
      case 1: return now_ms_;
      case 2:
      case 3: return within(50);
      case 4: return within(2 * 256 * kTick);
      case 5: return within(10 * 60 * 1000);
      case 6: return (tick_ / 256 + 1 + static_cast<std::int64_t>(random_.below(3))) * 256 * kTick - kTick + static_cast<std::int64_t>(random_.below(3)) * kTick;
      case 7: return within(2 * std::int64_t{65'536} * kTick);
      case 8: return (tick_ / 65'536 + 1) * 65'536 * kTick + static_cast<std::int64_t>(random_.below(512)) * kTick;
      case 9: return within(90 * kDayMs);
      case 10: return within(3000 * kDayMs);  // beyond the last level
      default: return random_.chance(500) ? std::numeric_limits<std::int64_t>::max() : within(1000);
    }
  }

  std::int64_t draw_pause_ms() {
    switch (random_.below(40)) {
      case 0: return static_cast<std::int64_t>(random_.below(5 * 256 * kTick));
      case 1: return random_.chance(50) ? static_cast<std::int64_t>(random_.below(100 * kDayMs)) : 1;
      case 2:  // exactly as long as the wheel says, as the loop does
      case 3:
      case 4: return random_.chance(300) ? std::max<std::int64_t>(0, wheel_.wait_ms(now_ms_)) % kDayMs : 0;
      default: return static_cast<std::int64_t>(random_.below(3 * kTick));
    }
  }

  void check_wait() {
    const std::int64_t next = next_due();
    const std::int64_t wait = wheel_.wait_ms(now_ms_);
    if (next == std::numeric_limits<std::int64_t>::max()) {
      if (wait != -1) FAIL("wait_ms without timers");
    } else {
      if (wait < 0) FAIL("wait_ms forgets a timer");
      // Dividing, since the far ends do not fit into milliseconds.
      if ((now_ms_ + wait) / kTick > next) FAIL("wait_ms is late: " << (now_ms_ + wait) / kTick << " > " << next);
    }
  }

  void advance() {
    target_ = now_ms_ / kTick;
    wheel_.advance(now_ms_);
    tick_ = std::max(tick_, target_);
    if (next_due() <= tick_) FAIL("a timer did not fire");
  }

  void on_fire(ModelTimer& timer) {
    ++fired_;
    if (timer.due_tick < 0) FAIL("a timer fired that was not armed");
    if (timer.due_tick > target_) FAIL("a timer fired early");
    if (timer.due_tick != next_due()) FAIL("timers fired out of order");
    if (timer.armed()) FAIL("a timer that fires is armed");
    // Between its deadline and one tick later, on a clock that shows ticks.
    if (timer.due_tick * kTick < timer.deadline_ms) FAIL("a timer fired before its deadline");
    tick_ = timer.due_tick;
    timer.due_tick = -1;
    while (random_.chance(400)) touch_any();
    if (random_.chance(200)) arm(timer, draw_deadline_ms());
  }

  SimRandom random_;
  std::int64_t now_ms_;
  TimerWheel wheel_;
  std::int64_t tick_;
  std::int64_t target_ = 0;
  int fired_ = 0;
  std::vector<std::unique_ptr<ModelTimer>> timers_;
};

struct CountingTimer : Timer {
  int fired = 0;
  CountingTimer() {
    fire = [](Timer& timer) { ++static_cast<CountingTimer&>(timer).fired; };
  }
};

}  // namespace

TEST_CASE("timer wheel: millions of steps against the model") {
  std::int64_t fired = 0;
  for (const std::size_t timers : {1U, 3U, 40U}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO("seed " << seed << ", timers " << timers);
      Model model(seed, timers, 1 + static_cast<std::int64_t>(seed) * 1'000'003);
      for (int i = 0; i < 250'000; ++i) fired += model.step();
    }
  }
  CHECK(fired > 500'000);
}

TEST_CASE("timer wheel: every distance up to three blocks, from every place in a block") {
  for (std::int64_t start = 0; start < 520; start += 7) {
    for (std::int64_t distance = 1; distance <= 800; ++distance) {
      TimerWheel wheel(start * kTick);
      CountingTimer timer;
      wheel.arm(timer, (start + distance) * kTick);
      wheel.advance((start + distance) * kTick - 1);
      if (timer.fired != 0) FAIL("early at " << start << "+" << distance);
      wheel.advance((start + distance) * kTick);
      if (timer.fired != 1) FAIL("late at " << start << "+" << distance);
    }
  }
}

TEST_CASE("timer wheel: a timer fires within one tick behind its deadline") {
  for (std::int64_t offset = 0; offset < 2 * kTick; ++offset) {
    TimerWheel wheel(1000);
    CountingTimer timer;
    const std::int64_t deadline = 2000 + offset;
    wheel.arm(timer, deadline);
    std::int64_t now = 1000;
    while (timer.fired == 0) wheel.advance(++now);
    CHECK(now >= deadline);
    CHECK(now < deadline + kTick);
  }
}

TEST_CASE("timer wheel: who waits as it says wakes up seldom") {
  for (const std::int64_t ms : {std::int64_t{30}, std::int64_t{2500}, std::int64_t{75'000}, kDayMs, 300 * kDayMs}) {
    TimerWheel wheel(5);
    CountingTimer timer;
    wheel.arm(timer, 5 + ms);
    std::int64_t now = 5;
    int waits = 0;
    while (timer.fired == 0 && waits < 100) {
      const std::int64_t wait = wheel.wait_ms(now);
      REQUIRE(wait >= 0);
      now += wait;
      wheel.advance(now);
      ++waits;
    }
    CHECK(timer.fired == 1);
    CHECK(waits <= 4);  // once a level
    CHECK(now - 5 < ms + kTick);
  }
}

TEST_CASE("timer wheel: an earlier block counts although a later timer is nearer in the first level") {
  // At tick 0 a timer for tick 256 goes to the second level; at tick 250 one for tick 260 goes to the first.
  TimerWheel wheel(0);
  CountingTimer block;
  CountingTimer near;
  wheel.arm(block, 256 * kTick);
  wheel.advance(250 * kTick);
  wheel.arm(near, 260 * kTick);
  CHECK(wheel.wait_ms(250 * kTick) == 6 * kTick);
  wheel.advance(256 * kTick);
  CHECK(block.fired == 1);
  CHECK(near.fired == 0);
  wheel.disarm(near);
}

TEST_CASE("timer wheel: callbacks may disarm what is due in the same tick, and arm themselves") {
  struct Chain : Timer {
    TimerWheel* wheel = nullptr;
    Timer* other = nullptr;
    int fired = 0;
  };
  TimerWheel wheel(1000);
  std::array<Chain, 2> chain;
  for (std::size_t i = 0; i < 2; ++i) {
    chain[i].wheel = &wheel;
    chain[i].other = &chain[1 - i];
    chain[i].fire = [](Timer& timer) {
      auto& self = static_cast<Chain&>(timer);
      ++self.fired;
      self.wheel->disarm(*self.other);
      if (self.fired < 3) self.wheel->arm(self, 0);  // long past: the next tick
    };
    wheel.arm(chain[i], 1500);
  }
  wheel.advance(1504);
  CHECK(chain[0].fired == 1);
  wheel.advance(1504);
  CHECK(chain[0].fired == 1);  // the tick has not moved
  wheel.advance(1512);
  CHECK(chain[0].fired == 2);
  wheel.advance(2000);
  CHECK(chain[0].fired == 3);
  CHECK(chain[1].fired == 0);
  CHECK(wheel.wait_ms(2000) == -1);
}

TEST_CASE("timer wheel: the largest deadline never comes") {
  TimerWheel wheel(1'000'000);
  CountingTimer never;
  wheel.arm(never, std::numeric_limits<std::int64_t>::max());
  wheel.advance(1'000'000 + 3000 * kDayMs);
  CHECK(never.fired == 0);
  CHECK(never.armed());
  CHECK(wheel.wait_ms(1'000'000 + 3000 * kDayMs) >= 0);
  wheel.disarm(never);
  CHECK(wheel.wait_ms(1'000'000 + 3000 * kDayMs) == -1);
}

}  // namespace tidegate::io
