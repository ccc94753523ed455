#include "io/sim/sim_driver.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/check.h"

namespace tidegate::io {

namespace {

constexpr std::chrono::seconds kHangAfter{10};  // of real time, for a wake from another thread

bool is_read_side(const Op& op) { return op.verb == Verb::kAccept || op.verb == Verb::kReceive; }

// FNV-1a over what a send refers to.
std::uint64_t sum_of(const Op& op) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  if (op.verb != Verb::kSend) return sum;
  for (std::uint32_t i = 0; i < op.arguments.send.count; ++i) {
    const sys::Slice& slice = op.arguments.send.slices[i];
    for (std::size_t at = 0; at < slice.size; ++at) {
      sum = (sum ^ static_cast<unsigned char>(static_cast<const char*>(slice.data)[at])) * 0x100000001b3U;
    }
  }
  return sum;
}

}  // namespace

SimDriver::SimDriver(SimNetwork& network, std::uint16_t buffer_count, std::uint32_t buffer_size)
    : network_(network), buffers_(buffer_count, buffer_size) {}

SimDriver::~SimDriver() {
  on_woke(nullptr, nullptr);
  while (sockets_.size() > 0 || pending_.size() > 0) {
    sockets_.for_each([this](SocketId id, Socket&) { close(id, false); });
    if (pending_.size() > 0) turn(kForever);
  }
}

base::Result<SocketId> SimDriver::attach(sys::SocketHandle socket) {
  TIDEGATE_CHECK(network_.is_open(socket));
  if (network_.random().chance(network_.faults().attach_failure)) {
    return std::unexpected(base::Error{.code = base::Code::kNoMemory, .domain = base::Domain::kIo});
  }
  const SocketId id = sockets_.create();
  sockets_.find(id)->handle = socket;
  network_.note(id.packed());
  return id;
}

void SimDriver::close(SocketId id, bool reset) {
  Socket* socket = sockets_.find(id);
  if (socket == nullptr) return;
  for (const base::Handle handle : {socket->read, socket->write}) {
    Pending* pending = pending_.find(handle);
    if (pending == nullptr) continue;
    drop_deliveries(*pending);
    fail(*pending, base::Code::kCancelled);
  }
  network_.close(socket->handle, reset);
  sockets_.destroy(id);
}

void SimDriver::shutdown_send(SocketId id) {
  if (const Socket* socket = sockets_.find(id)) network_.shutdown_send(socket->handle);
}

sys::SocketHandle SimDriver::handle_of(SocketId id) {
  const Socket* socket = sockets_.find(id);
  return socket == nullptr ? sys::kNoSocket : socket->handle;
}

base::Handle& SimDriver::place_of(Socket& socket, const Op& op) { return is_read_side(op) ? socket.read : socket.write; }

void SimDriver::submit(Op& op) {
  TIDEGATE_CHECK(!op.in_flight);
  op.in_flight = true;
  const base::Handle handle = pending_.create();
  Pending& pending = *pending_.find(handle);
  pending.op = &op;
  pending.slices_sum = sum_of(op);
  pending.try_at_ms = network_.now_ms() + network_.draw_delay_ms();
  op.driver_word = handle.packed();
  network_.note(static_cast<std::uint64_t>(op.verb));
  if (op.verb == Verb::kReadAt) return;
  Socket* socket = sockets_.find(op.socket);
  if (socket == nullptr) return fail(pending, base::Code::kCancelled);
  base::Handle& place = place_of(*socket, op);
  TIDEGATE_CHECK(pending_.find(place) == nullptr);  // rule 3
  place = handle;
}

void SimDriver::cancel(Op& op) {
  if (!op.in_flight) return;
  Pending& pending = *pending_.find(base::Handle::unpack(op.driver_word));
  if (pending.ended || pending.cancel_at_ms != kNever) return;
  pending.cancel_at_ms = network_.now_ms() + network_.draw_delay_ms();
  network_.note(3);
}

void SimDriver::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_one();
}

void SimDriver::wait_for_wake() {
  std::unique_lock lock(mutex_);
  const bool woken = wake_.wait_for(lock, kHangAfter, [this] { return woken_; });
  TIDEGATE_CHECK(woken);  // else the program waits for what can never happen
}

void SimDriver::turn(std::int64_t timeout_ms) {
  network_.pass_turn();
  const std::int64_t deadline_ms = timeout_ms < 0 ? kNever : network_.now_ms() + timeout_ms;
  while (true) {
    if (step()) break;
    {
      const std::lock_guard lock(mutex_);
      if (woken_) break;
    }
    const std::int64_t next_ms = std::min({next_due_ms(), network_.next_arrival_ms(), deadline_ms});
    if (next_ms == kNever) {
      wait_for_wake();
    } else {
      network_.advance_to(next_ms);
    }
    if (next_ms == deadline_ms) {
      step();
      break;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    woken_ = false;
  }
  report_woke();
  deliver_due();
}

std::int64_t SimDriver::next_due_ms() {
  std::int64_t next_ms = kNever;
  pending_.for_each([&](base::Handle, const Pending& pending) {
    if (!pending.deliveries.empty()) next_ms = std::min(next_ms, pending.deliveries.front().due_ms);
    if (pending.ended) return;
    next_ms = std::min(next_ms, pending.cancel_at_ms);
    if (pending.try_at_ms > network_.now_ms()) next_ms = std::min(next_ms, pending.try_at_ms);
  });
  return next_ms;
}

bool SimDriver::step() {
  network_.poll_peers();
  order_.clear();
  pending_.for_each([this](base::Handle handle, const Pending&) { order_.push_back(handle); });
  if (network_.faults().shuffle) network_.random().shuffle(order_);
  bool due = false;
  for (const base::Handle handle : order_) {
    Pending& pending = *pending_.find(handle);
    progress(pending);
    due = due || (!pending.deliveries.empty() && pending.deliveries.front().due_ms <= network_.now_ms());
  }
  return due;
}

// Delivers round by round, so that one busy op does not hold up the others.
void SimDriver::deliver_due() {
  std::vector<base::Handle> order;
  pending_.for_each([&](base::Handle handle, const Pending&) { order.push_back(handle); });
  if (network_.faults().shuffle) network_.random().shuffle(order);
  int budget = kCompletionsMax;
  for (bool again = true; again;) {
    again = false;
    for (const base::Handle handle : order) {
      if (budget == 0) return;
      if (!deliver_one(handle)) continue;
      --budget;
      again = true;
    }
  }
}

bool SimDriver::deliver_one(base::Handle handle) {
  Pending* pending = pending_.find(handle);
  if (pending == nullptr || pending->deliveries.empty()) return false;
  if (pending->deliveries.front().due_ms > network_.now_ms()) return false;
  const Completion completion = pending->deliveries.front().completion;
  pending->deliveries.pop_front();
  Op& op = *pending->op;
  network_.note(completion.bytes ^ (static_cast<std::uint64_t>(completion.error.code) << 32U));
  if (!completion.more) {
    TIDEGATE_CHECK(sum_of(op) == pending->slices_sum);  // rule 2: slices stay as they are until now
    pending_.destroy(handle);
    op.in_flight = false;
  }
  op.done(op, completion);
  return true;
}

void SimDriver::complete(Pending& pending, const Completion& completion) {
  std::int64_t due_ms = network_.now_ms() + network_.draw_delay_ms();
  if (!pending.deliveries.empty()) due_ms = std::max(due_ms, pending.deliveries.back().due_ms);
  pending.deliveries.push_back({.completion = completion, .due_ms = due_ms});
  pending.ended = !completion.more;
}

void SimDriver::fail(Pending& pending, base::Code code) {
  complete(pending, {.error = {.code = code, .domain = base::Domain::kIo}});
}

// After close nobody wants what was transferred but not delivered.
void SimDriver::drop_deliveries(Pending& pending) {
  for (const Delivery& delivery : pending.deliveries) {
    if (delivery.completion.buffer) buffers_.release(delivery.completion.buffer);
    if (delivery.completion.accepted != sys::kNoSocket) network_.close(delivery.completion.accepted, true);
  }
  pending.deliveries.clear();
  pending.ended = false;
}

std::size_t SimDriver::draw_part(std::size_t most) {
  return most > 0 && network_.random().chance(network_.faults().short_send) ? network_.random().part_of(most) : most;
}

}  // namespace tidegate::io
