// A ring of log lines from one worker to the log writer: one sender, one receiver, no lock, never waits. A line that
// does not fit is dropped and counted.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace tidegate::server {

class LogRing {
 public:
  static constexpr std::size_t kSize = 512 * 1024;  // bytes; a power of two
  static constexpr std::size_t kLineMax = 16 * 1024;

  LogRing() : bytes_(std::make_unique_for_overwrite<char[]>(kSize)) {}

  // The sender: adds a whole line (with its line end). False: dropped.
  bool push(std::string_view line);
  // The receiver: all that is there, in at most two pieces; then pop() what was used.
  struct Pieces {
    std::string_view first;
    std::string_view second;
  };
  [[nodiscard]] Pieces peek() const;
  void pop(std::size_t bytes) { tail_.store(tail_.load(std::memory_order_relaxed) + bytes, std::memory_order_release); }
  [[nodiscard]] bool empty() const {
    return head_.load(std::memory_order_acquire) == tail_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::unique_ptr<char[]> bytes_;
  alignas(64) std::atomic<std::size_t> head_{0};  // written by the sender
  std::atomic<std::uint64_t> dropped_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};  // written by the receiver
};

}  // namespace tidegate::server
