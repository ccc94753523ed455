#include "io/loop.h"

#include <algorithm>
#include <utility>

namespace tidegate::io {

Loop::Loop(std::unique_ptr<Driver> driver)
    : driver_(driver.get()), now_ms_(driver_->now_ms()), timers_(now_ms_), owned_driver_(std::move(driver)) {
  driver_->on_woke(&Loop::woke, this);
}

// The driver goes while timers, mailbox and doomed list still live: the last completions may use all of them.
Loop::~Loop() {
  mailbox_.drain();
  finish_turn();
  owned_driver_.reset();
  mailbox_.drain();
  while (Doomed* object = doomed_.pop_front()) object->destroy(*object);
}

void Loop::run() {
  while (!stopping_.load(std::memory_order_acquire)) turn(Driver::kForever);
}

void Loop::turn(std::int64_t wait_ms) {
  sleeping_.store(true);
  if (mailbox_.pending() || stopping_.load() || !doomed_.empty()) {
    wait_ms = 0;
  } else if (wait_ms != 0) {
    // Not now_ms_, which is from before the last turn's work: that would add the time of the work to the wait.
    const std::int64_t until_timer = timers_.wait_ms(driver_->now_ms());
    if (until_timer >= 0) wait_ms = wait_ms < 0 ? until_timer : std::min(wait_ms, until_timer);
  }
  driver_->turn(wait_ms);
  timers_.advance(now_ms_);
  mailbox_.drain();
  finish_turn();
}

void Loop::woke(void* loop) {
  auto& self = *static_cast<Loop*>(loop);
  self.sleeping_.store(false, std::memory_order_relaxed);
  self.now_ms_ = self.driver_->now_ms();
  self.busy_since_ms_.store(self.now_ms_, std::memory_order_relaxed);
}

void Loop::finish_turn() {
  while (Doomed* object = doomed_.pop_front()) object->destroy(*object);
  const std::int64_t began = busy_since_ms_.load(std::memory_order_relaxed);
  if (began == 0) return;
  busy_since_ms_.store(0, std::memory_order_relaxed);
  const std::int64_t held = driver_->now_ms() - began;
  if (held > longest_turn_ms_.load(std::memory_order_relaxed)) longest_turn_ms_.store(held, std::memory_order_relaxed);
}

void Loop::stop() {
  stopping_.store(true);
  if (sleeping_.exchange(false)) driver_->wake();
}

}  // namespace tidegate::io
