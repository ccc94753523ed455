// The poller of a simulation: completion-based, over a SimNetwork, with every freedom that the contract of driver.h
// leaves to a driver. What one backend does rarely, this one does often: completions that are late and out of order,
// short transfers, data after a cancel, empty pools, failing accepts. The draws come from the network's seed.
//
// It also watches the program: the bytes of a send must not change until its final completion, an op must not be
// submitted twice, and a wait that nothing can ever end is reported instead of hanging. Owned by one loop, one thread;
// the network outlives it and may be shared by several drivers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "base/slab.h"
#include "io/driver.h"
#include "io/sim/sim_network.h"

namespace tidegate::io {

class SimDriver final : public Driver {
 public:
  SimDriver(SimNetwork& network, std::uint16_t buffer_count, std::uint32_t buffer_size);
  ~SimDriver() override;  // closes what is attached and delivers the final completions

  [[nodiscard]] std::string_view name() const override { return "sim"; }
  [[nodiscard]] DriverCaps caps() const override { return {.native_completions = true}; }
  [[nodiscard]] base::Result<SocketId> attach(sys::SocketHandle socket) override;
  void close(SocketId socket, bool reset) override;
  void shutdown_send(SocketId socket) override;
  [[nodiscard]] sys::SocketHandle handle_of(SocketId socket) override;
  void submit(Op& op) override;
  void cancel(Op& op) override;
  // A wait lets the network's time jump to the next event, or by timeout_ms.
  void turn(std::int64_t timeout_ms) override;
  void wake() override;
  [[nodiscard]] BufferPool& buffers() override { return buffers_; }
  [[nodiscard]] std::int64_t now_ms() const override { return network_.now_ms(); }

  // When this driver has something to do by itself; kNever: only the network or the program can give it work.
  [[nodiscard]] std::int64_t next_due_ms();

 private:
  static constexpr std::int64_t kNever = SimNetwork::kNever;

  struct Delivery {
    Completion completion;
    std::int64_t due_ms;
  };
  // An op in flight.
  struct Pending {
    Op* op = nullptr;
    std::deque<Delivery> deliveries;  // in order
    std::int64_t try_at_ms = 0;       // the simulated kernel looks at it not before
    std::int64_t cancel_at_ms = kNever;
    std::uint64_t slices_sum = 0;
    bool ended = false;               // the last delivery is the final one
  };
  struct Socket {
    sys::SocketHandle handle = sys::kNoSocket;
    base::Handle read;   // Pending
    base::Handle write;
  };

  [[nodiscard]] static base::Handle& place_of(Socket& socket, const Op& op);
  // Lets the kernel do what it can; returns whether a completion is due.
  bool step();
  void progress(Pending& pending);
  void progress_accept(Pending& pending, sys::SocketHandle listener);
  void progress_receive(Pending& pending, sys::SocketHandle socket);
  void progress_send(Pending& pending, sys::SocketHandle socket);
  void progress_send_file(Pending& pending, sys::SocketHandle socket);
  void progress_read_at(Pending& pending);
  [[nodiscard]] std::size_t draw_part(std::size_t most);
  void complete(Pending& pending, const Completion& completion);
  void fail(Pending& pending, base::Code code);
  void drop_deliveries(Pending& pending);
  void deliver_due();
  bool deliver_one(base::Handle handle);
  void wait_for_wake();

  SimNetwork& network_;
  BufferPool buffers_;
  base::Slab<Socket> sockets_;
  base::Slab<Pending> pending_;
  std::vector<base::Handle> order_;  // scratch
  std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false;
};

}  // namespace tidegate::io
