#include "platform/linux/uring_driver.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "platform/linux/uring_op_state.h"
#include "platform/posix/errno.h"

namespace tidegate::platform {

void UringDriver::OpQueue::push(io::Op& op) {
  op.driver_next = nullptr;
  (last == nullptr ? first : last->driver_next) = &op;
  last = &op;
}

io::Op* UringDriver::OpQueue::pop() {
  io::Op* op = first;
  if (op == nullptr) return nullptr;
  first = op->driver_next;
  if (first == nullptr) last = nullptr;
  return op;
}

base::Result<std::unique_ptr<UringDriver>> UringDriver::create(std::uint16_t buffer_count, std::uint32_t buffer_size,
                                                               UringQueueSizes sizes) {
  auto ring = UringRing::create(sizes.submissions, sizes.completions);
  if (!ring) return std::unexpected(ring.error());
  auto buffers = std::make_unique<UringBuffers>(buffer_count, buffer_size);
  if (const base::Error error = buffers->lend_to(*ring)) {
    ring->close();
    return std::unexpected(error);
  }
  Descriptor wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake.valid()) {
    const base::Error error = from_errno(errno, base::Domain::kIo);
    ring->close();
    return std::unexpected(error);
  }
  return std::make_unique<UringDriver>(std::move(buffers), *std::move(ring), std::move(wake));
}

UringDriver::UringDriver(std::unique_ptr<UringBuffers> buffers, UringRing ring, Descriptor wake)
    : buffers_(std::move(buffers)), ring_(std::move(ring)), wake_(std::move(wake)) {}

UringDriver::~UringDriver() {
  on_woke(nullptr, nullptr);
  if (!ring_.enabled()) begin();
  while (true) {
    // Again and again: a last completion may attach or submit once more.
    sockets_.for_each([this](io::SocketId id, Socket&) { close(id, false); });
    reads_.for_each([this](base::Handle, FileRead& read) { cancel(*read.op); });
    if (settled()) return;
    if (!ring_.is_mine()) {
      abandon();
      continue;
    }
    buffers_->publish();
    static_cast<void>(ring_.enter(dead_.empty() && to_try_.empty() ? kForever : 0));
    work();
  }
}

// Whether there is no socket and no op any more.
bool UringDriver::settled() { return sockets_.size() == 0 && reads_.size() == 0 && dead_.empty() && to_try_.empty(); }

// The thread that the ring is bound to has ended. What is left of its requests can touch no memory any more (their
// last steps were that thread's to take, and its helpers ended with it), and no completion will come: the ends are
// told here. The kernel drops the requests when the ring is closed.
void UringDriver::abandon() {
  while (ring_.peek() != nullptr) reap(kCompletionsMax);
  sockets_.for_each([this](io::SocketId id, Socket& socket) {
    socket.requests = 0;
    for (io::Op* op : {std::exchange(socket.read_op, nullptr), std::exchange(socket.write_op, nullptr)}) {
      if (op != nullptr && (op->driver_state == kOpInKernel || op->driver_state == kOpEnding)) kill(*op);
    }
    release_if_idle(id, socket);
  });
  reads_.for_each([this](base::Handle id, FileRead& read) {
    kill(*read.op);
    reads_.destroy(id);
  });
  run_to_try(kCompletionsMax);
  deliver_dead(kCompletionsMax);
}

UringDriver::Socket* UringDriver::find_open(io::SocketId id) {
  Socket* socket = sockets_.find(id);
  return socket == nullptr || socket->closing ? nullptr : socket;
}

base::Result<io::SocketId> UringDriver::attach(sys::SocketHandle handle) {
  const io::SocketId id = sockets_.create();
  TIDEGATE_CHECK(id.index <= UringTag::kIndexMax);
  sockets_.find(id)->handle = handle;
  return id;
}

void UringDriver::close(io::SocketId id, bool reset) {
  Socket* socket = find_open(id);
  if (socket == nullptr) return;
  socket->closing = true;
  socket->reset = reset;
  socket->closed_in_turn = turn_;
  for (io::Op* op : {socket->read_op, socket->write_op}) {
    if (op != nullptr) cancel(*op);
  }
  release_if_idle(id, *socket);
}

// Frees a closing socket's slot once the kernel holds nothing of it.
void UringDriver::release_if_idle(io::SocketId id, Socket& socket) {
  if (!socket.closing || socket.requests > 0) return;
  sys::close_socket(socket.handle, socket.reset);
  sockets_.destroy(id);
}

void UringDriver::shutdown_send(io::SocketId id) {
  if (const Socket* socket = find_open(id)) sys::shutdown_send(socket->handle);
}

sys::SocketHandle UringDriver::handle_of(io::SocketId id) {
  const Socket* socket = find_open(id);
  return socket == nullptr ? sys::kNoSocket : socket->handle;
}

void UringDriver::submit(io::Op& op) {
  TIDEGATE_CHECK(!op.in_flight);
  op.in_flight = true;
  if (op.verb == io::Verb::kReadAt) return start_read_at(op);
  Socket* socket = find_open(op.socket);
  if (socket == nullptr) return kill(op);
  io::Op*& place = is_read_side(op) ? socket->read_op : socket->write_op;
  TIDEGATE_CHECK(place == nullptr);
  place = &op;
  start(*socket, op);
}

void UringDriver::cancel(io::Op& op) {
  if (!op.in_flight) return;
  if (op.driver_state == kOpInKernel) {
    op.driver_state = kOpEnding;
    request_end(op);
  } else if (op.driver_state == kOpToTry) {
    op.driver_state = kOpDead;  // changes the queue when its try would have come
  }
}

void UringDriver::request_end(const io::Op& op) {
  io_uring_sqe& request = ring_.next_request();
  io_uring_prep_cancel64(&request, tag_of(op).packed(), 0);
  request.flags = IOSQE_CQE_SKIP_SUCCESS;
  request.user_data = UringTag{}.packed();
}

// Marks an op that the kernel does not hold as over.
void UringDriver::kill(io::Op& op) {
  op.driver_state = kOpDead;
  dead_.push(op);
}

// Delivers the final completion.
void UringDriver::finish(io::Op& op, const io::Completion& completion) {
  op.in_flight = false;
  op.done(op, completion);
}

void UringDriver::begin() {
  TIDEGATE_CHECK(!ring_.enable());
  arm_wake();
}

// The counter is never read back: each write to it counts as a new event for a multishot poll.
void UringDriver::arm_wake() {
  io_uring_sqe& request = ring_.next_request();
  io_uring_prep_poll_multishot(&request, wake_.get(), POLLIN);
  request.user_data = UringTag{.kind = UringKind::kWake}.packed();
}

void UringDriver::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.get(), &one, sizeof one));
}

void UringDriver::turn(std::int64_t timeout_ms) {
  if (!ring_.enabled()) begin();
  buffers_->publish();
  const bool work_waits = !dead_.empty() || !to_try_.empty();
  static_cast<void>(ring_.enter(work_waits ? 0 : timeout_ms));  // an error shows as a turn without completions
  report_woke();
  work();
}

void UringDriver::work() {
  ++turn_;
  run_to_try(reap(deliver_dead(kCompletionsMax)));
}

// Each delivers at most `budget` completions; the first two return what is left of it.
int UringDriver::deliver_dead(int budget) {
  OpQueue now = std::exchange(dead_, {});
  for (io::Op* op = nullptr; budget > 0 && (op = now.pop()) != nullptr; --budget) {
    if (Socket* socket = op->verb == io::Verb::kReadAt ? nullptr : sockets_.find(op->socket)) {
      io::Op*& place = is_read_side(*op) ? socket->read_op : socket->write_op;
      if (place == op) place = nullptr;
    }
    finish(*op, {.error = kCancelledError});
  }
  if (!now.empty()) {
    // What is left stays before those that died meanwhile.
    if (!dead_.empty()) now.last->driver_next = dead_.first;
    dead_ = {now.first, dead_.empty() ? now.last : dead_.last};
  }
  return budget;
}

int UringDriver::reap(int budget) {
  for (const io_uring_cqe* next = nullptr; budget > 0 && (next = ring_.peek()) != nullptr; --budget) {
    const io_uring_cqe completion = {.user_data = next->user_data, .res = next->res, .flags = next->flags};
    ring_.seen();
    dispatch(completion);
  }
  return budget;
}

void UringDriver::run_to_try(int budget) {
  for (io::Op* op = nullptr; budget > 0 && (op = to_try_.pop()) != nullptr; --budget) {
    Socket* socket = sockets_.find(op->socket);
    if (op->driver_state == kOpDead) {
      kill(*op);
    } else {
      try_send_file(*socket, *op);
    }
  }
}

}  // namespace tidegate::platform
