#include "io/readiness/readiness_driver.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/check.h"

namespace tidegate::io {

namespace {

// Values of Op::driver_state.
constexpr std::uint8_t kTrying = 0;    // in none of the two: being tried right now, or read on the pool
constexpr std::uint8_t kArmed = 1;     // waits for an event
constexpr std::uint8_t kQueued = 2;    // waits for a try
constexpr std::uint8_t kDead = 3;      // queued only to deliver kCancelled
constexpr std::uint8_t kReadDone = 4;  // queued only to deliver what the pool read; driver_word holds the ReadJob

constexpr std::size_t kEventsMax = 512;
constexpr int kAcceptsATry = 16;
// One send passes on at most this much, so that "less than asked for" always means "the socket is full": the system has
// limits of its own for one call (IOV_MAX, 2 GiB), beyond which it sends less for another reason.
constexpr std::uint32_t kSlicesATry = 512;
constexpr std::size_t kBytesATry = std::size_t{1} << 30;

bool is_read_side(const Op& op) { return op.verb == Verb::kAccept || op.verb == Verb::kReceive; }

base::Error make_error(base::Code code) { return {.code = code, .domain = base::Domain::kIo}; }

}  // namespace

ReadinessDriver::ReadinessDriver(std::unique_ptr<Selector> selector, BlockingPool& blocking, std::uint16_t buffer_count,
                                 std::uint32_t buffer_size)
    : selector_(std::move(selector)), blocking_(blocking), buffers_(buffer_count, buffer_size), events_(kEventsMax) {}

ReadinessDriver::~ReadinessDriver() {
  on_woke(nullptr, nullptr);
  while (sockets_.size() > 0 || queue_first_ != nullptr || reads_.size() > 0) {
    sockets_.for_each([this](SocketId id, Socket&) { close(id, false); });
    if (queue_first_ != nullptr || reads_.size() > 0) turn(kForever);
  }
  // The last read has been delivered, but its thread may not have come back from wake() yet.
  while (pool_threads_inside_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

base::Result<SocketId> ReadinessDriver::attach(sys::SocketHandle socket) {
  const SocketId id = sockets_.create();
  sockets_.find(id)->handle = socket;
  if (const base::Error error = selector_->add(socket, id.packed())) {
    sockets_.destroy(id);
    return std::unexpected(error);
  }
  return id;
}

void ReadinessDriver::close(SocketId id, bool reset) {
  Socket* socket = sockets_.find(id);
  if (socket == nullptr) return;
  selector_->remove(socket->handle, id.packed());
  sys::close_socket(socket->handle, reset);
  for (Op* op : {socket->read_op, socket->write_op}) {
    if (op != nullptr) kill(*op);
  }
  sockets_.destroy(id);
}

void ReadinessDriver::shutdown_send(SocketId id) {
  if (const Socket* socket = sockets_.find(id)) sys::shutdown_send(socket->handle);
}

sys::SocketHandle ReadinessDriver::handle_of(SocketId id) {
  const Socket* socket = sockets_.find(id);
  return socket == nullptr ? sys::kNoSocket : socket->handle;
}

Op*& ReadinessDriver::place_of(Socket& socket, const Op& op) {
  return is_read_side(op) ? socket.read_op : socket.write_op;
}

void ReadinessDriver::queue(Op& op, std::uint8_t state) {
  op.driver_state = state;
  op.driver_next = nullptr;
  (queue_last_ == nullptr ? queue_first_ : queue_last_->driver_next) = &op;
  queue_last_ = &op;
}

// Marks the op as over; its final completion is delivered in this or the next turn.
void ReadinessDriver::kill(Op& op) {
  if (op.driver_state == kQueued || op.driver_state == kDead) {
    op.driver_state = kDead;
  } else {
    queue(op, kDead);
  }
}

void ReadinessDriver::submit(Op& op) {
  TIDEGATE_CHECK(!op.in_flight);
  op.in_flight = true;
  op.driver_state = kTrying;
  if (op.verb == Verb::kReadAt) return queue(op, kQueued);
  Socket* socket = sockets_.find(op.socket);
  if (socket == nullptr) return kill(op);
  Op*& place = place_of(*socket, op);
  TIDEGATE_CHECK(place == nullptr);  // rule 3
  place = &op;
  bool ready = is_read_side(op) ? socket->readable : socket->writable;
  if (op.verb == Verb::kConnect) ready = socket->writable_seen;
  if (!ready) return arm(*socket, op);
  queue(op, kQueued);
}

void ReadinessDriver::arm(Socket& socket, Op& op) {
  op.driver_state = kArmed;
  selector_->want(op.socket.packed(), socket.read_op != nullptr && socket.read_op->driver_state == kArmed,
                  socket.write_op != nullptr && socket.write_op->driver_state == kArmed);
}

void ReadinessDriver::cancel(Op& op) {
  // A read of a file ends by itself soon; its memory is in use until then.
  if (op.in_flight && op.driver_state != kDead && op.verb != Verb::kReadAt) kill(op);
}

void ReadinessDriver::note(const ReadyEvent& event) {
  Socket* socket = sockets_.find(SocketId::unpack(event.key));
  if (socket == nullptr) return;  // closed since the event was fetched
  const auto wake_up = [this](Op* op) {
    if (op != nullptr && op->driver_state == kArmed) queue(*op, kQueued);
  };
  if (event.readable) {
    socket->readable = true;
    socket->read_to_end |= event.peer_closed;
    wake_up(socket->read_op);
  }
  if (event.writable) {
    socket->writable = socket->writable_seen = true;
    wake_up(socket->write_op);
  }
}

void ReadinessDriver::turn(std::int64_t timeout_ms) {
  const std::size_t count = selector_->wait(queue_first_ != nullptr ? 0 : timeout_ms, events_);
  report_woke();
  for (std::size_t i = 0; i < count; ++i) note(events_[i]);
  reads_done_.drain();
  run_queue(kCompletionsMax);
}

// Tries queued ops until none is left or the budget of completions is used up.
void ReadinessDriver::run_queue(int budget) {
  while (queue_first_ != nullptr && budget > 0) {
    Op& op = *queue_first_;
    queue_first_ = op.driver_next;
    if (queue_first_ == nullptr) queue_last_ = nullptr;
    budget -= attempt(op, budget);
  }
}

int ReadinessDriver::attempt(Op& op, int budget) {
  if (op.driver_state == kDead) return finish(op, {.error = make_error(base::Code::kCancelled)});
  if (op.driver_state == kReadDone) return finish_read(op);
  op.driver_state = kTrying;
  if (op.verb == Verb::kReadAt) return try_read_at(op);
  Socket* socket = sockets_.find(op.socket);
  TIDEGATE_CHECK(socket != nullptr);  // close() kills the ops of its socket
  switch (op.verb) {
    case Verb::kAccept: return try_accept(*socket, op, std::min(budget, kAcceptsATry));
    case Verb::kReceive: return try_receive(*socket, op);
    case Verb::kConnect: return finish(op, {.error = sys::connect_outcome(socket->handle)});
    case Verb::kSend:
    case Verb::kSendFile: return try_send(*socket, op);
    case Verb::kReadAt: break;
  }
  return 0;
}

// Delivers the final completion. The op may be gone when this returns.
int ReadinessDriver::finish(Op& op, const Completion& completion) {
  if (Socket* socket = op.verb == Verb::kReadAt ? nullptr : sockets_.find(op.socket)) place_of(*socket, op) = nullptr;
  op.in_flight = false;
  op.done(op, completion);
  return 1;
}

int ReadinessDriver::try_accept(Socket& socket, Op& op, int budget) {
  const sys::SocketHandle listener = socket.handle;
  for (int delivered = 0; delivered < budget;) {
    const auto accepted = sys::accept_from(listener);
    if (!accepted) {
      if (accepted.error().code != base::Code::kWouldBlock) return delivered + finish(op, {.error = accepted.error()});
      socket.readable = false;
      arm(socket, op);
      return delivered;
    }
    ++delivered;
    op.done(op, {.more = true, .accepted = accepted->socket, .peer = accepted->peer});
    if (op.driver_state != kTrying) return delivered;  // cancelled or closed by the callback
  }
  queue(op, kQueued);  // the rest after everybody else had a turn
  return budget;
}

int ReadinessDriver::try_receive(Socket& socket, Op& op) {
  Buffer buffer = buffers_.take();
  if (!buffer) return finish(op, {.error = make_error(base::Code::kNoBuffers)});
  const auto received = sys::receive(socket.handle, buffer.data, buffers_.buffer_size());
  if (!received || *received == 0) {
    buffers_.release(buffer);
    if (received) return finish(op, {});
    if (received.error().code != base::Code::kWouldBlock) return finish(op, {.error = received.error()});
    socket.readable = socket.read_to_end = false;
    arm(socket, op);
    return 0;
  }
  buffer.size = static_cast<std::uint32_t>(*received);
  if (buffer.size < buffers_.buffer_size() && !socket.read_to_end) {
    socket.readable = false;
    arm(socket, op);
  } else {
    queue(op, kQueued);
  }
  op.done(op, {.more = true, .bytes = buffer.size, .buffer = buffer});
  return 1;
}

int ReadinessDriver::try_send(Socket& socket, Op& op) {
  std::size_t wanted = 0;
  base::Result<std::size_t> sent = 0;
  if (op.verb == Verb::kSend) {
    const auto& arguments = op.arguments.send;
    const std::uint32_t count = std::min(arguments.count, kSlicesATry);
    for (std::uint32_t i = 0; i < count; ++i) wanted += arguments.slices[i].size;
    sent = sys::send(socket.handle, {arguments.slices, count}, arguments.more_follows || count < arguments.count);
  } else {
    const auto& arguments = op.arguments.file;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(arguments.size, kBytesATry));
    sent = sys::send_file(socket.handle, arguments.file, arguments.offset, size);
  }
  if (!sent) {
    if (sent.error().code != base::Code::kWouldBlock) return finish(op, {.error = sent.error()});
    socket.writable = false;
    arm(socket, op);
    return 0;
  }
  // A file may have ended early instead.
  if (op.verb == Verb::kSend && *sent < std::min(wanted, kBytesATry)) socket.writable = false;
  return finish(op, {.bytes = *sent});
}

int ReadinessDriver::try_read_at(Op& op) {
  const auto& file = op.arguments.file;
  const auto read = sys::read_at(file.file, file.into, file.size, file.offset, sys::Wait::kCachedOnly);
  if (read) return finish(op, {.bytes = *read});
  if (read.error().code != base::Code::kWouldBlock) return finish(op, {.error = read.error()});
  read_on_pool(op);
  return 0;
}

void ReadinessDriver::read_on_pool(Op& op) {
  const base::Handle handle = reads_.create();
  ReadJob& job = *reads_.find(handle);
  job.driver = this;
  job.op = &op;
  job.self = handle;
  job.run = [](Job& base_job) {
    auto& self = static_cast<ReadJob&>(base_job);
    const auto& file = self.op->arguments.file;
    self.outcome = sys::read_at(file.file, file.into, file.size, file.offset, sys::Wait::kMayBlock);
    ReadinessDriver& driver = *self.driver;
    driver.reads_done_.post(self);  // the job is the driver's from here on
    driver.selector_->wake();
    driver.pool_threads_inside_.fetch_sub(1, std::memory_order_release);
  };
  job.deliver = [](Message& message) {
    auto& self = static_cast<ReadJob&>(message);
    self.op->driver_word = self.self.packed();
    self.driver->queue(*self.op, kReadDone);
  };
  pool_threads_inside_.fetch_add(1, std::memory_order_relaxed);
  blocking_.submit(job);
}

int ReadinessDriver::finish_read(Op& op) {
  const base::Handle handle = base::Handle::unpack(op.driver_word);
  const base::Result<std::size_t> outcome = reads_.find(handle)->outcome;
  reads_.destroy(handle);
  return finish(op, outcome ? Completion{.bytes = *outcome} : Completion{.error = outcome.error()});
}

}  // namespace tidegate::io
