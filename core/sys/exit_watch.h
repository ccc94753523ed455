// Waits for the end of another process, such as the server that was asked to stop. Source: pidfd_open(2).
#pragma once

#include <cstdint>

#include "base/error.h"

namespace tidegate::sys {

// Returns when the process `pid` has ended, at once if there is none, and after `timeout_ms` at the latest. A process that
// has ended but was not yet waited for by its parent counts as ended. Any user's process may be watched. Errors: kTimedOut
// (it is still there), kInvalid (no process number), kNotSupported, kNoDescriptors, kIo.
[[nodiscard]] base::Error wait_for_exit(std::int64_t pid, std::int64_t timeout_ms);

}  // namespace tidegate::sys
