// Random bits of the operating system. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tidegate::sys {

// Fills `into` with unpredictable bytes (getrandom(2)). Aborts when the system cannot supply any.
void random_bytes(void* into, std::size_t size);
[[nodiscard]] std::uint64_t random_u64();

}  // namespace tidegate::sys
