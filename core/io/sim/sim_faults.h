// What may go wrong in the simulated kernel, and a random source that gives the same numbers for the same seed everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tidegate::io {

// Chances are in a thousand; each is drawn at every occasion. The default is a kernel that works at once and in order.
struct SimFaults {
  unsigned short_send = 0;      // a send or a file read takes less than it could
  unsigned split = 0;           // bytes arrive in pieces; a receive takes less than there is
  unsigned delay = 0;           // bytes, connections and completions take 1 to delay_ms_max milliseconds
  unsigned no_buffers = 0;      // a receive ends with kNoBuffers although the pool is not empty
  unsigned accept_failure = 0;  // an accept ends with kNoDescriptors
  unsigned attach_failure = 0;  // attach fails with kNoMemory
  unsigned reset = 0;           // the connection breaks at a transfer
  bool shuffle = false;         // completions of different ops come in any order
  std::int64_t delay_ms_max = 5;

  // Everything but failures: what every correct program must live with, and get all its bytes through.
  [[nodiscard]] static constexpr SimFaults rough() {
    return {.short_send = 300, .split = 400, .delay = 300, .no_buffers = 50, .accept_failure = 50, .shuffle = true};
  }
  // With broken connections too.
  [[nodiscard]] static constexpr SimFaults hostile() {
    SimFaults faults = rough();
    faults.attach_failure = 20;
    faults.reset = 10;
    return faults;
  }
};

// splitmix64 (Steele, Lea, Flood, 2014): small, and good enough to choose among events.
class SimRandom {
 public:
  explicit SimRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }
  // 0 to bound - 1; the bound is not 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  // 1 to most; most is not 0.
  std::size_t part_of(std::size_t most) { return static_cast<std::size_t>(below(most)) + 1; }
  bool chance(unsigned in_a_thousand) { return in_a_thousand > 0 && below(1000) < in_a_thousand; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tidegate::io
