// How much CPU time the control groups of this process grant (cgroups(7), version 1 and 2). Any thread; reads files.
#pragma once

#include <optional>
#include <string>

namespace tidegate::platform {

// The number of CPUs that the tightest quota on the way from this process's group to the top amounts to (1.5 for 150 ms
// each 100 ms); nothing when there is none. `system_root` stands before every path: "" for this system, a directory
// with copies of its files in tests.
[[nodiscard]] std::optional<double> cpu_quota(const std::string& system_root);

}  // namespace tidegate::platform
