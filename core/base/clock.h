// Time. Deadlines use the monotonic clock in milliseconds, dates the wall clock in seconds. Loops read the clock once a
// turn (io::Loop::now_ms) and pass the value on; these calls are for the places that have no loop.
#pragma once

#include <cstdint>

namespace tidegate::base {

// Milliseconds of the monotonic clock; the start is arbitrary, the value never 0.
[[nodiscard]] std::int64_t monotonic_ms();
// Microseconds of the monotonic clock.
[[nodiscard]] std::int64_t monotonic_us();
// Seconds since 1970-01-01 UTC.
[[nodiscard]] std::int64_t wall_s();
// Microseconds since 1970-01-01 UTC.
[[nodiscard]] std::int64_t wall_us();

}  // namespace tidegate::base
