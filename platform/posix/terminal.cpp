// Standard streams and terminals: isatty(3).
#include "sys/terminal.h"

#include <unistd.h>

namespace tidegate::sys {

bool is_terminal(Stream stream) { return ::isatty(stream == Stream::kOutput ? STDOUT_FILENO : STDERR_FILENO) == 1; }

}  // namespace tidegate::sys
