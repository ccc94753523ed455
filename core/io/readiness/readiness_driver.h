// Turns any Selector into a Driver: the emulation of completions over readiness, written once.
//
// An op in flight is either queued for a try or armed for an event, never both (rule 8). A socket remembers per
// direction whether the last call would have blocked; only an event of the selector makes it ready again. Reads that
// fill less than their buffer have drained the socket, so the useless second read is saved, unless the end of the
// stream is in sight. Owned by one loop, one thread; the blocking pool outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/slab.h"
#include "io/blocking_pool.h"
#include "io/driver.h"
#include "io/mailbox.h"
#include "io/readiness/selector.h"

namespace tidegate::io {

class ReadinessDriver final : public Driver {
 public:
  ReadinessDriver(std::unique_ptr<Selector> selector, BlockingPool& blocking, std::uint16_t buffer_count, std::uint32_t buffer_size);
  ~ReadinessDriver() override;  // closes what is attached and delivers the final completions

  [[nodiscard]] std::string_view name() const override { return selector_->name(); }
  [[nodiscard]] DriverCaps caps() const override { return {}; }
  [[nodiscard]] base::Result<SocketId> attach(sys::SocketHandle socket) override;
  void close(SocketId socket, bool reset) override;
  void shutdown_send(SocketId socket) override;
  [[nodiscard]] sys::SocketHandle handle_of(SocketId socket) override;
  void submit(Op& op) override;
  void cancel(Op& op) override;
  void turn(std::int64_t timeout_ms) override;
  void wake() override { selector_->wake(); }
  [[nodiscard]] BufferPool& buffers() override { return buffers_; }

 private:
  struct Socket {
    sys::SocketHandle handle = sys::kNoSocket;
    Op* read_op = nullptr;
    Op* write_op = nullptr;
    bool readable = false;
    bool writable = true;         // a send is tried before it is waited for
    bool writable_seen = false;   // an event said so: a connection under way is over
    bool read_to_end = false;     // short reads prove nothing (ReadyEvent::peer_closed)
  };
  // A file read under way on the blocking pool.
  struct ReadJob : Job, Message {
    ReadinessDriver* driver = nullptr;
    Op* op = nullptr;
    base::Handle self;
    base::Result<std::size_t> outcome{0};
  };

  static Op*& place_of(Socket& socket, const Op& op);
  void queue(Op& op, std::uint8_t state);
  void arm(Socket& socket, Op& op);
  void kill(Op& op);
  void note(const ReadyEvent& event);
  void run_queue(int budget);
  // Each tries the op once and returns how many completions it delivered, at most `budget`.
  int attempt(Op& op, int budget);
  int try_accept(Socket& socket, Op& op, int budget);
  int try_receive(Socket& socket, Op& op);
  int try_send(Socket& socket, Op& op);
  int try_read_at(Op& op);
  void read_on_pool(Op& op);
  int finish_read(Op& op);
  int finish(Op& op, const Completion& completion);

  std::unique_ptr<Selector> selector_;
  BlockingPool& blocking_;
  BufferPool buffers_;
  base::Slab<Socket> sockets_;
  base::Slab<ReadJob> reads_;
  Mailbox reads_done_;
  std::atomic<int> pool_threads_inside_{0};  // pool threads that may still touch this object
  Op* queue_first_ = nullptr;
  Op* queue_last_ = nullptr;
  std::vector<ReadyEvent> events_;
};

}  // namespace tidegate::io
