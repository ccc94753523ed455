// How the service manager and the operator speak to the process: signals in, state out, listening sockets handed over.
// Sources: signal(7), sd_notify(3), sd_listen_fds(3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sys/socket.h"

namespace tidegate::sys {

enum class Signal : std::uint8_t { kTerminate, kInterrupt, kQuit, kReload, kReopenLogs, kHandOver };

// Receives signals on a thread of its own and reports them there, one after the other. block_service_signals() must
// have been called in the main thread before any other thread was started.
class SignalSource {
 public:
  using Report = void (*)(void* context, Signal signal);
  virtual ~SignalSource() = default;  // stops and joins the thread

  [[nodiscard]] static std::unique_ptr<SignalSource> start(Report report, void* context);
};

// State for the service manager; each does nothing where no manager listens.
void notify_ready(std::string_view status);
void notify_reloading();  // followed by notify_ready when the new configuration is in force
void notify_stopping();

struct InheritedListener {
  SocketHandle socket = kNoSocket;
  std::string name;  // of the socket unit, for "systemd:NAME"; may be empty
};
// Listening sockets that a service manager passed (LISTEN_FDS of this process). Clears the variables.
[[nodiscard]] std::vector<InheritedListener> take_inherited_listeners();

}  // namespace tidegate::sys
