// What the simulated kernel does for each verb. The other half of sim_driver.cpp.
#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "io/sim/sim_driver.h"

namespace tidegate::io {

namespace {

constexpr std::size_t kFileChunk = 256 * 1024;
constexpr std::size_t kAcceptsAStep = 16;

bool would_block(const base::Error& error) { return error.code == base::Code::kWouldBlock; }

}  // namespace

void SimDriver::progress(Pending& pending) {
  if (pending.ended) return;
  // Until the cancellation gets there the op goes on: that is how data comes after a cancel (rule 6).
  if (pending.cancel_at_ms <= network_.now_ms()) return fail(pending, base::Code::kCancelled);
  if (pending.try_at_ms > network_.now_ms()) return;
  const Op& op = *pending.op;
  if (op.verb == Verb::kReadAt) return progress_read_at(pending);
  const sys::SocketHandle socket = sockets_.find(op.socket)->handle;
  switch (op.verb) {
    case Verb::kAccept: return progress_accept(pending, socket);
    case Verb::kReceive: return progress_receive(pending, socket);
    case Verb::kSend: return progress_send(pending, socket);
    case Verb::kSendFile: return progress_send_file(pending, socket);
    case Verb::kConnect:
      if (const base::Error outcome = network_.connect_outcome(socket); !would_block(outcome)) {
        complete(pending, {.error = outcome});
      }
      return;
    case Verb::kReadAt: return;
  }
}

void SimDriver::progress_accept(Pending& pending, sys::SocketHandle listener) {
  for (std::size_t i = 0; i < kAcceptsAStep; ++i) {
    const auto accepted = network_.accept_from(listener);
    if (!accepted) return;
    complete(pending, {.more = true, .accepted = accepted->socket, .peer = accepted->peer});
    if (network_.random().chance(network_.faults().accept_failure)) return fail(pending, base::Code::kNoDescriptors);
  }
}

void SimDriver::progress_receive(Pending& pending, sys::SocketHandle socket) {
  SimRandom& random = network_.random();
  const std::size_t arrived = network_.arrived(socket);
  if (arrived > 0 && random.chance(network_.faults().reset)) network_.break_connection(socket);
  if (arrived > 0 && random.chance(network_.faults().no_buffers)) return fail(pending, base::Code::kNoBuffers);
  Buffer buffer = arrived > 0 ? buffers_.take() : Buffer{};
  if (arrived > 0 && !buffer) return fail(pending, base::Code::kNoBuffers);
  std::size_t size = std::min<std::size_t>(buffers_.buffer_size(), std::max<std::size_t>(arrived, 1));
  if (random.chance(network_.faults().split)) size = random.part_of(size);
  char nothing = 0;
  const auto received = network_.receive(socket, buffer ? buffer.data : &nothing, size);
  if (!received || *received == 0) {
    if (buffer) buffers_.release(buffer);  // a reset took the data away
    if (received) return complete(pending, {});
    if (!would_block(received.error())) complete(pending, {.error = received.error()});
    return;
  }
  TIDEGATE_CHECK(buffer);
  buffer.size = static_cast<std::uint32_t>(*received);
  complete(pending, {.more = true, .bytes = *received, .buffer = buffer});
  pending.try_at_ms = network_.now_ms() + network_.draw_delay_ms();
}

void SimDriver::progress_send(Pending& pending, sys::SocketHandle socket) {
  const auto& arguments = pending.op->arguments.send;
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < arguments.count; ++i) left += arguments.slices[i].size;
  if (left > 0 && network_.random().chance(network_.faults().reset)) network_.break_connection(socket);
  left = draw_part(left);
  std::vector<sys::Slice> part;
  for (std::uint32_t i = 0; i < arguments.count && left > 0; ++i) {
    part.push_back({.data = arguments.slices[i].data, .size = std::min(left, arguments.slices[i].size)});
    left -= part.back().size;
  }
  const auto sent = network_.send(socket, part);
  if (sent) return complete(pending, {.bytes = *sent});
  if (!would_block(sent.error())) complete(pending, {.error = sent.error()});
}

void SimDriver::progress_send_file(Pending& pending, sys::SocketHandle socket) {
  const auto& arguments = pending.op->arguments.file;
  const std::size_t wanted = std::min<std::size_t>(arguments.size, kFileChunk);
  const std::size_t space = network_.send_space(socket);
  std::string bytes(draw_part(std::min(wanted, std::max<std::size_t>(space, 1))), '\0');
  const auto read = network_.files().read(arguments.file, bytes.data(), bytes.size(), arguments.offset);
  if (!read) return complete(pending, {.error = read.error()});
  const sys::Slice slice{.data = bytes.data(), .size = *read};
  const auto sent = network_.send(socket, {&slice, 1});
  if (sent) return complete(pending, {.bytes = *sent});
  if (!would_block(sent.error())) complete(pending, {.error = sent.error()});
}

void SimDriver::progress_read_at(Pending& pending) {
  const auto& arguments = pending.op->arguments.file;
  const std::size_t size = draw_part(static_cast<std::size_t>(arguments.size));
  const auto read = network_.files().read(arguments.file, arguments.into, size, arguments.offset);
  complete(pending, read ? Completion{.bytes = *read} : Completion{.error = read.error()});
}

}  // namespace tidegate::io
