#include "io/readiness/readiness_driver.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tidegate::io {

namespace {

// Values of Op::driver_state.
constexpr std::uint8_t kTrying = 0;  // in none of the two: being tried right now
constexpr std::uint8_t kArmed = 1;   // waits for an event
constexpr std::uint8_t kQueued = 2;  // waits for a try
constexpr std::uint8_t kDead = 3;    // queued only to deliver its final completion; driver_word holds the error code

constexpr std::size_t kEventsMax = 512;
constexpr int kAcceptsATry = 16;

bool is_read_side(const Op& op) { return op.verb == Verb::kAccept || op.verb == Verb::kReceive; }

base::Error make_error(base::Code code) { return {.code = code, .domain = base::Domain::kIo}; }

}  // namespace

ReadinessDriver::ReadinessDriver(std::unique_ptr<Selector> selector, BlockingPool& blocking, std::uint16_t buffer_count,
                                 std::uint32_t buffer_size)
    : selector_(std::move(selector)), blocking_(blocking), buffers_(buffer_count, buffer_size), events_(kEventsMax) {}

ReadinessDriver::~ReadinessDriver() {
  sockets_.for_each([this](SocketId id, Socket&) { close(id, false); });
  while (queue_first_ != nullptr || reads_.size() > 0) turn(kForever);
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
    if (op != nullptr) kill(*op, make_error(base::Code::kCancelled));
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

void ReadinessDriver::queue(Op& op) {
  if (op.driver_state != kDead) op.driver_state = kQueued;
  op.driver_next = nullptr;
  (queue_last_ == nullptr ? queue_first_ : queue_last_->driver_next) = &op;
  queue_last_ = &op;
}

// Marks the op as over; its final completion is delivered in this or the next turn.
void ReadinessDriver::kill(Op& op, base::Error why) {
  const bool was_queued = op.driver_state == kQueued || op.driver_state == kDead;
  op.driver_state = kDead;
  op.driver_word = static_cast<std::uint64_t>(why.code);
  if (!was_queued) queue(op);
}

void ReadinessDriver::submit(Op& op) {
  TIDEGATE_CHECK(!op.in_flight);
  op.in_flight = true;
  op.driver_state = kTrying;
  if (op.verb == Verb::kReadAt) return queue(op);
  Socket* socket = sockets_.find(op.socket);
  if (socket == nullptr) return kill(op, make_error(base::Code::kCancelled));
  Op*& place = is_read_side(op) ? socket->read_op : socket->write_op;
  TIDEGATE_CHECK(place == nullptr);
  place = &op;
  if (op.verb == Verb::kConnect) socket->writable = false;  // the event tells the outcome
  const bool ready = is_read_side(op) ? socket->readable : socket->writable;
  if (!ready) return arm(*socket, op);
  queue(op);
}

void ReadinessDriver::arm(Socket& socket, Op& op) {
  op.driver_state = kArmed;
  selector_->want(op.socket.packed(), socket.read_op != nullptr && socket.read_op->driver_state == kArmed,
                  socket.write_op != nullptr && socket.write_op->driver_state == kArmed);
}

void ReadinessDriver::cancel(Op& op) {
  if (!op.in_flight || op.driver_state == kDead || op.verb == Verb::kReadAt) return;
  if (Socket* socket = sockets_.find(op.socket)) (is_read_side(op) ? socket->read_op : socket->write_op) = nullptr;
  kill(op, make_error(base::Code::kCancelled));
}

void ReadinessDriver::note(const ReadyEvent& event) {
  Socket* socket = sockets_.find(SocketId::unpack(event.key));
  if (socket == nullptr) return;  // closed earlier in this turn
  socket->peer_closed |= event.peer_closed;
  const auto make_ready = [this](bool& ready, Op* op) {
    ready = true;
    if (op != nullptr && op->driver_state == kArmed) queue(*op);
  };
  if (event.readable) make_ready(socket->readable, socket->read_op);
  if (event.writable) make_ready(socket->writable, socket->write_op);
}

void ReadinessDriver::turn(std::int64_t timeout_ms) {
  const int budget = run_queue(kCompletionsMax);
  const bool more_to_try = queue_first_ != nullptr;
  const std::size_t count = selector_->wait(more_to_try ? 0 : timeout_ms, events_);
  report_woke();
  for (std::size_t i = 0; i < count; ++i) note(events_[i]);
  reads_done_.drain();
  run_queue(budget);
}

// Tries queued ops until none is left or the budget is used up; returns what is left of it.
int ReadinessDriver::run_queue(int budget) {
  while (queue_first_ != nullptr && budget > 0) {
    Op& op = *queue_first_;
    queue_first_ = op.driver_next;
    if (queue_first_ == nullptr) queue_last_ = nullptr;
    budget -= attempt(op);
  }
  return budget;
}

int ReadinessDriver::attempt(Op& op) {
  if (op.driver_state == kDead) {
    return finish(op, {.error = make_error(static_cast<base::Code>(op.driver_word))});
  }
  op.driver_state = kTrying;
  if (op.verb == Verb::kReadAt) return try_read_at(op);
  Socket* socket = sockets_.find(op.socket);
  TIDEGATE_CHECK(socket != nullptr);  // close() kills the ops of its socket
  switch (op.verb) {
    case Verb::kAccept: return try_accept(*socket, op);
    case Verb::kReceive: return try_receive(*socket, op);
    case Verb::kConnect: return try_connect(*socket, op);
    case Verb::kSend:
    case Verb::kSendFile: return try_send(*socket, op);
    case Verb::kReadAt: break;
  }
  return 0;
}

// Delivers the final completion.
int ReadinessDriver::finish(Op& op, const Completion& completion) {
  if (Socket* socket = sockets_.find(op.socket); socket != nullptr && op.verb != Verb::kReadAt) {
    Op*& place = is_read_side(op) ? socket->read_op : socket->write_op;
    if (place == &op) place = nullptr;
  }
  op.in_flight = false;
  op.done(op, completion);
  return 1;
}

int ReadinessDriver::try_accept(Socket& socket, Op& op) {
  const sys::SocketHandle listener = socket.handle;
  int delivered = 0;
  while (delivered < kAcceptsATry) {
    const auto accepted = sys::accept_from(listener);
    if (!accepted) {
      if (accepted.error().code != base::Code::kWouldBlock) return delivered + finish(op, {.error = accepted.error()});
      socket.readable = false;
      arm(socket, op);
      return delivered;
    }
    ++delivered;
    op.done(op, {.more = true, .accepted = accepted->socket, .peer = accepted->peer});
    if (op.driver_state != kTrying) return delivered;  // ended by the callback
  }
  queue(op);  // the rest after everybody else had a turn
  return delivered;
}

int ReadinessDriver::try_receive(Socket& socket, Op& op) {
  Buffer buffer = buffers_.take();
  if (!buffer) return finish(op, {.error = make_error(base::Code::kNoBuffers)});
  const auto received = sys::receive(socket.handle, buffer.data, buffers_.buffer_size());
  if (!received || *received == 0) {
    buffers_.release(buffer);
    if (received) return finish(op, {});
    if (received.error().code != base::Code::kWouldBlock) return finish(op, {.error = received.error()});
    socket.readable = false;
    arm(socket, op);
    return 0;
  }
  buffer.size = static_cast<std::uint32_t>(*received);
  if (buffer.size < buffers_.buffer_size() && !socket.peer_closed) {
    socket.readable = false;
    arm(socket, op);
  } else {
    queue(op);
  }
  op.done(op, {.more = true, .bytes = buffer.size, .buffer = buffer});
  return 1;
}

int ReadinessDriver::try_send(Socket& socket, Op& op) {
  std::size_t wanted = 0;
  base::Result<std::size_t> sent = 0;
  if (op.verb == Verb::kSend) {
    const auto& arguments = op.arguments.send;
    for (std::uint32_t i = 0; i < arguments.count; ++i) wanted += arguments.slices[i].size;
    sent = sys::send(socket.handle, {arguments.slices, arguments.count}, arguments.more_follows);
  } else {
    const auto& arguments = op.arguments.file;
    wanted = arguments.size;
    sent = sys::send_file(socket.handle, arguments.file, arguments.offset, arguments.size);
  }
  if (!sent) {
    if (sent.error().code != base::Code::kWouldBlock) return finish(op, {.error = sent.error()});
    socket.writable = false;
    arm(socket, op);
    return 0;
  }
  if (*sent < wanted && op.verb == Verb::kSend) socket.writable = false;
  return finish(op, {.bytes = *sent});
}

int ReadinessDriver::try_connect(Socket& socket, Op& op) {
  return finish(op, {.error = sys::connect_outcome(socket.handle)});
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
    driver.reads_done_.post(self);
    driver.selector_->wake();
  };
  job.deliver = [](Message& message) {
    auto& self = static_cast<ReadJob&>(message);
    ReadinessDriver& driver = *self.driver;
    Op& done = *self.op;
    const auto outcome = self.outcome;
    driver.reads_.destroy(self.self);
    driver.finish(done, outcome ? Completion{.bytes = *outcome} : Completion{.error = outcome.error()});
  };
  blocking_.submit(job);
}

}  // namespace tidegate::io
