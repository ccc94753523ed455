// One event loop: a driver, a timer wheel, a mailbox and the objects to destroy at the end of the turn. One thread; only
// post() and stop() may be called from others, which must have ended when the loop is destroyed. Timers must be disarmed
// by then too; ops in flight, posted messages and doomed objects may be left, and are ended by the destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/intrusive_list.h"
#include "io/driver.h"
#include "io/mailbox.h"
#include "io/timer_wheel.h"

namespace tidegate::io {

// Something that may be on the stack when it ends: it is destroyed at the end of the turn, never at once.
struct Doomed : base::Link {
  void (*destroy)(Doomed& self) = nullptr;
};

class Loop {
 public:
  explicit Loop(std::unique_ptr<Driver> driver);
  ~Loop();  // completes what is in flight
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Turns until stop() was called.
  void run();
  // One turn that waits at most `wait_ms` (Driver::kForever: until something happens).
  void turn(std::int64_t wait_ms);

  // Any thread: ends run() after the current turn.
  void stop();
  // Any thread: delivers the message on this loop's thread in a later turn.
  void post(Message& message) {
    mailbox_.post(message);
    if (sleeping_.exchange(false)) driver_->wake();
  }

  // Whether posted messages wait to be delivered.
  [[nodiscard]] bool has_mail() const { return mailbox_.pending(); }

  // Milliseconds of the driver's clock (Driver::now_ms), read once a turn.
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] Driver& driver() { return *driver_; }
  [[nodiscard]] TimerWheel& timers() { return timers_; }

  // Destroys the object after all completions, timers and messages of this turn have run (outside of a turn: of the next).
  void doom(Doomed& object) { doomed_.push_back(object); }

  // How long the callbacks of the longest turn since the last call held the thread, in milliseconds. Any thread.
  std::int64_t take_longest_turn_ms() { return longest_turn_ms_.exchange(0, std::memory_order_relaxed); }
  // When the turn in progress began working (the driver's clock), or 0 while the loop waits. Any thread.
  [[nodiscard]] std::int64_t busy_since_ms() const { return busy_since_ms_.load(std::memory_order_relaxed); }
  // Called by the driver when its wait is over: the clock is read and the turn's work begins.
  static void woke(void* loop);

 private:
  void finish_turn();

  Driver* driver_;  // a callback of the dying driver may still ask for it
  std::int64_t now_ms_;
  TimerWheel timers_;
  Mailbox mailbox_;
  base::IntrusiveList<Doomed> doomed_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> sleeping_{false};  // a sender that takes it down must wake the driver
  std::atomic<std::int64_t> busy_since_ms_{0};
  std::atomic<std::int64_t> longest_turn_ms_{0};
  std::unique_ptr<Driver> owned_driver_;
};

}  // namespace tidegate::io
