// Whether a person sees what this process writes, and whether it shall outlive that person's terminal.
#pragma once

#include <cstdint>

namespace tidegate::sys {

enum class Stream : std::uint8_t { kOutput, kErrors };

// Whether the standard stream is a terminal, and not a file or a pipe.
[[nodiscard]] bool is_terminal(Stream stream);
// Whether this process was started so that a closed terminal does not end it: HUP is ignored, as nohup(1) does.
[[nodiscard]] bool hangup_is_ignored();

}  // namespace tidegate::sys
