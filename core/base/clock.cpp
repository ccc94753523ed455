#include "base/clock.h"

#include <chrono>

namespace tidegate::base {

namespace {
template <class Unit, class Clock>
std::int64_t since_epoch() {
  return std::chrono::duration_cast<Unit>(Clock::now().time_since_epoch()).count();
}
}  // namespace

std::int64_t monotonic_ms() { return since_epoch<std::chrono::milliseconds, std::chrono::steady_clock>() + 1; }
std::int64_t monotonic_us() { return since_epoch<std::chrono::microseconds, std::chrono::steady_clock>(); }
std::int64_t wall_s() { return since_epoch<std::chrono::seconds, std::chrono::system_clock>(); }
std::int64_t wall_us() { return since_epoch<std::chrono::microseconds, std::chrono::system_clock>(); }

}  // namespace tidegate::base
