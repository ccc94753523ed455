// Which files an entry of `include` means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/units.h"

namespace tidegate::config {

// The files for an absolute path or pattern, sorted by bytes. "*" and "?" may stand in the last part only; a pattern
// skips directories, names that begin with a dot and names that end in "~", and may match nothing. A path without
// wildcards is returned as it is. Returns a sentence when the pattern has a wrong form or a directory cannot be read.
[[nodiscard]] Parsed<std::vector<std::string>> included_files(const std::string& pattern);

// Whether the file name matches a pattern with "*" (any characters) and "?" (one byte).
[[nodiscard]] bool name_matches(std::string_view pattern, std::string_view name);

}  // namespace tidegate::config
