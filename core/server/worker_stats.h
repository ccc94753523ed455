// Counters of one worker: written by its thread alone, read by control at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace tidegate::server {

// A counter with one writer: no locked instruction on the request path.
class Counter {
 public:
  void add(std::uint64_t amount) { value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed); }
  void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct alignas(64) WorkerStats {
  Counter requests;
  std::array<Counter, 6> by_class;  // responses with status 1xx to 5xx, at the first digit
  Counter aborted;                  // exchanges that were not completed
  Counter bytes_received;           // content of requests
  Counter bytes_sent;               // content of responses
  Counter accepted;
  Counter connections;              // open now
  Counter longest_turn_ms;          // since the start
  Counter slow_turns;               // turns that held the worker longer than the watchdog allows
};

}  // namespace tidegate::server
