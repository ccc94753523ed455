// Whole small text files, such as those of /proc. Not for the request path.
#pragma once

#include <optional>
#include <string>

namespace tidegate::platform {

// The content, or nothing when the file cannot be opened or read.
[[nodiscard]] std::optional<std::string> read_text(const std::string& path);
// Where the symbolic link `path` leads, or nothing.
[[nodiscard]] std::optional<std::string> read_link(const std::string& path);

}  // namespace tidegate::platform
