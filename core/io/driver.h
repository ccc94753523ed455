// The poller contract: completions outside, whatever the system offers inside.
//
// A Driver belongs to one loop and one thread; only wake() may be called from others. Its rules, which one suite checks
// on every backend (tests/contract):
//  1. submit neither fails nor completes inline; a failure is a completion.
//  2. Each op has exactly one completion with more == false; until then the op, its slices and files stay where they are.
//     It is no longer in flight when that completion is delivered, so `done` may submit it again.
//  3. At most one read-side and one write-side op a socket; a cancelled op counts until its final completion.
//  4. A send may be short; the stream sends the rest.
//  5. A pool buffer is the receiver's until released. An empty pool ends the receive with kNoBuffers.
//  6. After cancel, more data may still come before the final completion (kCancelled). No byte is lost: what the driver
//     took from the socket is delivered. A cancelled send that ends with kCancelled has sent nothing.
//  7. close invalidates the id at once; ops in flight complete with kCancelled, not inside close and with no data any
//     more; the owner's memory may go when its op count is zero.
//  8. In a readiness driver an op is either queued for a try or armed for an event, never both.
//  9. A turn is bounded: it delivers at most kCompletionsMax completions, the rest waits for the next turn.
// 10. A socket joins one driver for life.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "io/op.h"

namespace tidegate::io {

// What a driver can do natively; for status output and tests.
struct DriverCaps {
  bool native_completions = false;  // the kernel transfers, not a retry after readiness
  bool kernel_buffers = false;      // receive buffers are chosen by the kernel
};

class Driver {
 public:
  static constexpr int kCompletionsMax = 1024;
  static constexpr std::int64_t kForever = -1;

  virtual ~Driver() = default;

  // "io_uring", "epoll", "libevent", ...: the names of the `poller` setting.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual DriverCaps caps() const = 0;

  // Takes ownership of a non-blocking socket. Errors: kNoMemory, kNoDescriptors (the caller keeps the socket).
  [[nodiscard]] virtual base::Result<SocketId> attach(sys::SocketHandle socket) = 0;
  // Closes the socket; with `reset` the peer sees that the message was cut.
  virtual void close(SocketId socket, bool reset) = 0;
  // Ends the sending side; ops that were submitted before are not affected (the caller waits for its sends first).
  virtual void shutdown_send(SocketId socket) = 0;
  // The system's handle, for queries; kNoSocket when stale.
  [[nodiscard]] virtual sys::SocketHandle handle_of(SocketId socket) = 0;

  virtual void submit(Op& op) = 0;
  // Asks for the end of an op in flight. Harmless when its final completion is already under way.
  virtual void cancel(Op& op) = 0;

  // Starts what was submitted, waits up to `timeout_ms` (kForever: until something happens; 0: not at all) and delivers
  // completions by calling op.done, which may call every member but turn.
  virtual void turn(std::int64_t timeout_ms) = 0;
  // Ends the wait of the current or the next turn. Any thread.
  virtual void wake() = 0;

  [[nodiscard]] virtual BufferPool& buffers() = 0;

  // The clock that the driver's loop lives by, in milliseconds: the monotonic one, or a simulated one. Any thread.
  [[nodiscard]] virtual std::int64_t now_ms() const { return base::monotonic_ms(); }

  // The loop's hook, called in each turn when the wait is over and before the first completion is delivered, so that
  // completions see a fresh clock.
  void on_woke(void (*hook)(void*), void* context) {
    woke_ = hook;
    woke_context_ = context;
  }

 protected:
  void report_woke() {
    if (woke_ != nullptr) woke_(woke_context_);
  }

 private:
  void (*woke_)(void*) = nullptr;
  void* woke_context_ = nullptr;
};

}  // namespace tidegate::io
