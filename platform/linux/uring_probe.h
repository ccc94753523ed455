// Whether io_uring can be used here, and if not, why: containers often forbid it, and kernels before 6.1 lack what
// the driver is built on. Any thread.
#pragma once

#include <expected>
#include <string>

#include "base/error.h"

namespace tidegate::platform {

// Makes a small ring with everything that the driver needs, receives a byte through it and takes it down again.
// The error is a fragment of a sentence for logs and status, such as "the kernel has no io_uring".
[[nodiscard]] std::expected<void, std::string> probe_uring();

// Why a ring or its buffers could not be made, from the error of the system: the same kind of fragment.
[[nodiscard]] std::string reason_of_uring_failure(base::Error error);

}  // namespace tidegate::platform
