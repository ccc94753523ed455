// The one place where errno values become errors. Stateless; any thread.
#pragma once

#include "base/error.h"

namespace tidegate::platform {

// `number` is an errno value; the error keeps it as os_code. 0 gives the empty error.
[[nodiscard]] base::Error from_errno(int number, base::Domain domain);

// The error of the system call that has just failed in this thread, in domain kSys.
[[nodiscard]] base::Error last_error();

// An error of domain kSys without a system call behind it.
[[nodiscard]] base::Error sys_error(base::Code code);

}  // namespace tidegate::platform
