// The io_uring poller: the kernel carries out the operations, one system call a turn hands over new ones, waits and
// collects completions. Owned by one loop.
//
// Threads: the driver may be made, and sockets attached and ops submitted, on one thread (the one that opens the
// listeners); the first turn binds it to the calling thread, which must be the only one that uses it from then on. It
// is destroyed on that thread, or on any other after that thread has ended. Only wake() may be called from
// everywhere.
//
// Requests are named by slot, generation and kind (UringTag), never by address, so that a late completion is
// recognised. A socket's slot lives until the kernel holds no request on it: close() makes the id invalid and asks
// for the end of the requests; the descriptor is closed when the last one has ended, so that its number cannot come
// to mean another socket before. Of an op's states (uring_op_state.h) the driver changes one at a time: the kernel
// holds it, or it waits in exactly one of the two queues.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <memory>

#include "base/slab.h"
#include "io/driver.h"
#include "platform/linux/uring_buffers.h"
#include "platform/linux/uring_ring.h"
#include "platform/linux/uring_tag.h"
#include "platform/posix/descriptor.h"

namespace tidegate::platform {

// How many requests and completions the shared queues hold, as powers of two. A full one costs time, nothing is lost:
// requests are handed over early, and the kernel keeps completions that find no room.
struct UringQueueSizes {
  unsigned submissions = 1024;
  unsigned completions = 4096;
};

class UringDriver final : public io::Driver {
 public:
  // Errors: those of UringRing::create, kNoMemory, kNoDescriptors.
  [[nodiscard]] static base::Result<std::unique_ptr<UringDriver>> create(std::uint16_t buffer_count,
                                                                         std::uint32_t buffer_size,
                                                                         UringQueueSizes sizes = {});
  // The parts, for create().
  UringDriver(std::unique_ptr<UringBuffers> buffers, UringRing ring, Descriptor wake);
  ~UringDriver() override;

  [[nodiscard]] std::string_view name() const override { return "io_uring"; }
  [[nodiscard]] io::DriverCaps caps() const override { return {.native_completions = true, .kernel_buffers = true}; }
  [[nodiscard]] base::Result<io::SocketId> attach(sys::SocketHandle socket) override;
  void close(io::SocketId socket, bool reset) override;
  void shutdown_send(io::SocketId socket) override;
  [[nodiscard]] sys::SocketHandle handle_of(io::SocketId socket) override;
  void submit(io::Op& op) override;
  void cancel(io::Op& op) override;
  void turn(std::int64_t timeout_ms) override;
  void wake() override;
  [[nodiscard]] io::BufferPool& buffers() override { return *buffers_; }

 private:
  struct Socket {
    sys::SocketHandle handle = sys::kNoSocket;
    io::Op* read_op = nullptr;
    io::Op* write_op = nullptr;
    std::uint32_t closed_in_turn = 0;
    std::uint8_t requests = 0;  // in the kernel
    bool closing = false;
    bool reset = false;
    msghdr message{};  // of a send with several slices
  };
  struct FileRead {
    io::Op* op;
  };
  // Ops that the kernel does not hold, oldest first.
  struct OpQueue {
    io::Op* first = nullptr;
    io::Op* last = nullptr;
    [[nodiscard]] bool empty() const { return first == nullptr; }
    void push(io::Op& op);
    io::Op* pop();
  };

  // Lifecycle and turns: uring_driver.cpp.
  Socket* find_open(io::SocketId id);
  void release_if_idle(io::SocketId id, Socket& socket);
  void request_end(const io::Op& op);
  void kill(io::Op& op);
  void finish(io::Op& op, const io::Completion& completion);
  void begin();
  void arm_wake();
  void work();
  int deliver_dead(int budget);
  int reap(int budget);
  void run_to_try(int budget);
  bool settled();
  void abandon();

  // The verbs: uring_verbs.cpp. start_* hand an op to the kernel, on_* take what came of it.
  io_uring_sqe& request_for(Socket& socket, io::Op& op);
  io::Buffer buffer_of(const io_uring_cqe& completion);
  void start(Socket& socket, io::Op& op);
  void start_accept(Socket& socket, io::Op& op);
  void start_receive(Socket& socket, io::Op& op);
  void start_send(Socket& socket, io::Op& op);
  void start_wait_writable(Socket& socket, io::Op& op);
  void start_read_at(io::Op& op);
  void restart(Socket& socket, io::Op& op);
  void dispatch(const io_uring_cqe& completion);
  void drop(const UringTag& tag, const io_uring_cqe& completion);
  void on_closing(io::SocketId id, Socket& socket, io::Op*& place);
  void on_accept(Socket& socket, const io_uring_cqe& completion);
  void on_receive(Socket& socket, const io_uring_cqe& completion);
  void on_write(Socket& socket, int result);
  void on_file(base::Handle id, int result);
  void try_send_file(Socket& socket, io::Op& op);

  std::unique_ptr<UringBuffers> buffers_;  // outlives the ring
  UringRing ring_;
  Descriptor wake_;
  base::Slab<Socket> sockets_;
  base::Slab<FileRead> reads_;
  OpQueue to_try_;  // file sends: the transfer is tried by this thread
  OpQueue dead_;    // cancelled without the kernel: the final completion comes in the next turn
  std::uint32_t turn_ = 1;
};

}  // namespace tidegate::platform
