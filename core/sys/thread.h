// Threads as the operating system sees them. The threads themselves are std::thread.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace tidegate::sys {

// CPUs that this process may run on (affinity and, where there is one, the CPU quota rounded up); at least 1.
[[nodiscard]] unsigned cpu_count();
// Binds the calling thread to the n-th CPU that this process may use.
[[nodiscard]] base::Error pin_this_thread(unsigned nth_cpu);
// Names the calling thread for tools like top; at most 15 bytes are kept.
void name_this_thread(const char* name);
// Raises the limit of open descriptors as far as the system allows; returns the limit in force.
std::uint64_t raise_descriptor_limit();
// Blocks all signals that service_events handles, in the calling thread and those that it starts later.
void block_service_signals();

}  // namespace tidegate::sys
