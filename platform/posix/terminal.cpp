// Standard streams and terminals: isatty(3), sigaction(2).
#include "sys/terminal.h"

#include <signal.h>
#include <unistd.h>

namespace tidegate::sys {

bool is_terminal(Stream stream) { return ::isatty(stream == Stream::kOutput ? STDOUT_FILENO : STDERR_FILENO) == 1; }

bool hangup_is_ignored() {
  struct sigaction inherited{};
  return ::sigaction(SIGHUP, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN;
}

}  // namespace tidegate::sys
