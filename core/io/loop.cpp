#include "io/loop.h"

#include <algorithm>

#include "base/clock.h"

namespace tidegate::io {

Loop::Loop(std::unique_ptr<Driver> driver)
    : driver_(std::move(driver)), now_ms_(base::monotonic_ms()), timers_(now_ms_) {
  driver_->on_woke(&Loop::woke, this);
}

Loop::~Loop() { finish_turn(); }

void Loop::run() {
  while (!stopping_.load(std::memory_order_acquire)) turn(Driver::kForever);
}

void Loop::turn(std::int64_t wait_ms) {
  const std::int64_t until_timer = timers_.wait_ms(now_ms_);
  if (until_timer >= 0) wait_ms = wait_ms < 0 ? until_timer : std::min(wait_ms, until_timer);
  sleeping_.store(true);
  if (mailbox_.pending() || stopping_.load()) wait_ms = 0;
  driver_->turn(wait_ms);
  timers_.advance(now_ms_);
  mailbox_.drain();
  finish_turn();
}

void Loop::woke(void* loop) {
  auto& self = *static_cast<Loop*>(loop);
  self.sleeping_.store(false, std::memory_order_relaxed);
  self.now_ms_ = base::monotonic_ms();
  self.busy_since_ms_.store(self.now_ms_, std::memory_order_relaxed);
}

void Loop::finish_turn() {
  while (Doomed* object = doomed_.pop_front()) object->destroy(*object);
  const std::int64_t began = busy_since_ms_.load(std::memory_order_relaxed);
  if (began == 0) return;
  busy_since_ms_.store(0, std::memory_order_relaxed);
  const std::int64_t held = base::monotonic_ms() - began;
  if (held > longest_turn_ms_.load(std::memory_order_relaxed)) longest_turn_ms_.store(held, std::memory_order_relaxed);
}

void Loop::stop() {
  stopping_.store(true);
  if (sleeping_.exchange(false)) driver_->wake();
}

}  // namespace tidegate::io
