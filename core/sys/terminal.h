// Whether a person sees what this process writes.
#pragma once

#include <cstdint>

namespace tidegate::sys {

enum class Stream : std::uint8_t { kOutput, kErrors };

// Whether the standard stream is a terminal, and not a file or a pipe.
[[nodiscard]] bool is_terminal(Stream stream);

}  // namespace tidegate::sys
