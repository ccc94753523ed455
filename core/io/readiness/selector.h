// What a readiness interface of the system (epoll, kqueue, libevent) must supply: five small members. Everything else is
// written once, in ReadinessDriver. One thread, but wake() may be called from any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "sys/socket.h"

namespace tidegate::io {

struct ReadyEvent {
  std::uint64_t key = 0;     // as given to add
  bool readable = false;     // data, a connection to accept, the end of the stream or an error
  bool writable = false;
  // The end of the stream or an error may stand behind the data, and no further event would tell: reads go on until they
  // would block, even when they came back short.
  bool peer_closed = false;
};

class Selector {
 public:
  virtual ~Selector() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Begins to watch the socket in both directions, edge triggered: after would-block, the next change is reported. `key`
  // is a packed base::Handle: its index is small and used again for other sockets, the whole is not.
  [[nodiscard]] virtual base::Error add(sys::SocketHandle socket, std::uint64_t key) = 0;
  // Ends it. Called before the socket is closed; events already fetched may still name the key.
  virtual void remove(sys::SocketHandle socket, std::uint64_t key) = 0;
  // For selectors without edges: which directions are waited for now; each is reported once, then asked for again.
  // Edge-triggered selectors ignore it.
  virtual void want(std::uint64_t key, bool read, bool write) = 0;
  // Waits up to timeout_ms (-1: for ever) and fills `events`; returns how many. May return early with none.
  virtual std::size_t wait(std::int64_t timeout_ms, std::span<ReadyEvent> events) = 0;
  // Ends the current or the next wait. Any thread.
  virtual void wake() = 0;
};

}  // namespace tidegate::io
