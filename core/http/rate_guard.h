// Watches one direction of a transfer: an idle deadline and a minimum rate over windows, so that a slow but steady
// client lives and a stalling one does not. Plain values; one owner, one thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tidegate::http {

class RateGuard {
 public:
  [[nodiscard]] bool active() const { return active_; }
  void start(std::int64_t now_ms) {
    active_ = true;
    window_start_ms_ = last_ms_ = now_ms;
    bytes_ = 0;
  }
  void stop() { active_ = false; }
  void progress(std::uint64_t bytes, std::int64_t now_ms) {
    bytes_ += bytes;
    last_ms_ = now_ms;
  }

  // True when the peer is too slow: nothing came for idle_ms, or a whole window of window_ms had less than rate_min
  // bytes a second. Begins the next window when one is over.
  bool too_slow(std::int64_t now_ms, std::int64_t idle_ms, std::int64_t window_ms, std::uint64_t rate_min) {
    if (now_ms - last_ms_ >= idle_ms) return true;
    const std::int64_t elapsed_ms = now_ms - window_start_ms_;
    if (elapsed_ms < window_ms) return false;
    const bool slow = bytes_ * 1000 < rate_min * static_cast<std::uint64_t>(elapsed_ms);
    window_start_ms_ = now_ms;
    bytes_ = 0;
    return slow;
  }
  // When too_slow has to be asked next.
  [[nodiscard]] std::int64_t next_check_ms(std::int64_t idle_ms, std::int64_t window_ms) const {
    return std::min(last_ms_ + idle_ms, window_start_ms_ + window_ms);
  }

 private:
  std::int64_t window_start_ms_ = 0;
  std::int64_t last_ms_ = 0;
  std::uint64_t bytes_ = 0;
  bool active_ = false;
};

}  // namespace tidegate::http
