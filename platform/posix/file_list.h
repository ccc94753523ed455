// Reads a directory. What is behind a symbolic link is asked of the caller, who knows the policy.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "sys/file.h"

namespace tidegate::platform {

// Stats the file behind the link `name` in `directory`; an error leaves the entry's stat empty (kind kOther).
using StatLink = base::Result<sys::FileStat> (*)(sys::FileHandle directory, const char* name, sys::Links links);

// As sys::list_directory. An entry that vanishes while the directory is read is left out.
[[nodiscard]] base::Result<std::vector<sys::DirectoryEntry>> list_entries(sys::FileHandle directory, sys::Links links,
                                                                          std::size_t entries_max, StatLink stat_link);

}  // namespace tidegate::platform
