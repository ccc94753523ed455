// How each verb becomes requests to the kernel, and what its completions mean.
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/check.h"
#include "platform/linux/uring_driver.h"
#include "platform/linux/uring_op_state.h"
#include "platform/posix/errno.h"
#include "platform/posix/sockaddr.h"

namespace tidegate::platform {

namespace {

constexpr std::size_t kTransferMax = 0x7ffff000;  // what the kernel moves in one request at most
constexpr std::uint32_t kSlicesMax = 1024;        // and how many slices it takes (UIO_MAXIOV)

base::Error error_of(int result) { return from_errno(-result, base::Domain::kIo); }

// The kernel gave up for a reason that is over by the time the request is made again.
bool worth_a_restart(int result) { return result == -EINTR || result == -EAGAIN; }

// The connection died before it was taken: there may be another one behind it (accept(2)).
bool worth_another_accept(int result) {
  switch (-result) {
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH: return true;
    default: return worth_a_restart(result);
  }
}

base::Address peer_of(int socket) {
  SocketAddress peer;
  if (::getpeername(socket, &peer.any, &peer.size) != 0) return {};  // gone already; the first receive will tell
  return address_from(peer);
}

}  // namespace

void UringDriver::start(Socket& socket, io::Op& op) {
  switch (op.verb) {
    case io::Verb::kAccept: return start_accept(socket, op);
    case io::Verb::kReceive: return start_receive(socket, op);
    case io::Verb::kSend: return start_send(socket, op);
    case io::Verb::kConnect: return start_wait_writable(socket, op);
    case io::Verb::kSendFile: op.driver_state = kOpToTry; return to_try_.push(op);
    case io::Verb::kReadAt: break;
  }
}

// A request for the op on its socket; the caller chooses what the kernel shall do.
io_uring_sqe& UringDriver::request_for(Socket& socket, io::Op& op) {
  op.driver_state = kOpInKernel;
  ++socket.requests;
  io_uring_sqe& request = ring_.next_request();
  request.user_data = tag_of(op).packed();
  return request;
}

void UringDriver::start_accept(Socket& socket, io::Op& op) {
  // The kernel could not say whose address it is when several completions share one place for it.
  io_uring_prep_multishot_accept(&request_for(socket, op), number_of(socket.handle), nullptr, nullptr,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void UringDriver::start_receive(Socket& socket, io::Op& op) {
  io_uring_sqe& request = request_for(socket, op);
  io_uring_prep_recv_multishot(&request, number_of(socket.handle), nullptr, 0, 0);
  request.flags = IOSQE_BUFFER_SELECT;
  request.buf_group = UringBuffers::kGroup;
}

void UringDriver::start_send(Socket& socket, io::Op& op) {
  const auto& send = op.arguments.send;
  const int flags = MSG_NOSIGNAL | (send.more_follows ? MSG_MORE : 0);
  io_uring_sqe& request = request_for(socket, op);
  if (send.count == 1) {
    const sys::Slice& slice = send.slices[0];
    io_uring_prep_send(&request, number_of(socket.handle), slice.data, std::min(slice.size, kTransferMax), flags);
    return;
  }
  // The kernel only reads the vector; its type has no const.
  socket.message.msg_iov = reinterpret_cast<iovec*>(const_cast<sys::Slice*>(send.slices));
  socket.message.msg_iovlen = std::min(send.count, kSlicesMax);
  io_uring_prep_sendmsg(&request, number_of(socket.handle), &socket.message, static_cast<unsigned>(flags));
}

void UringDriver::start_wait_writable(Socket& socket, io::Op& op) {
  io_uring_prep_poll_add(&request_for(socket, op), number_of(socket.handle), POLLOUT);
}

void UringDriver::start_read_at(io::Op& op) {
  const base::Handle id = reads_.create(&op);
  op.driver_word = id.packed();
  op.driver_state = kOpInKernel;
  const auto& file = op.arguments.file;
  io_uring_sqe& request = ring_.next_request();
  io_uring_prep_read(&request, number_of(file.file), file.into,
                     static_cast<unsigned>(std::min<std::uint64_t>(file.size, kTransferMax)), file.offset);
  request.user_data = tag_of(op).packed();
}

// Again after a request that ended by itself, unless the op's end was asked for meanwhile.
void UringDriver::restart(Socket& socket, io::Op& op) {
  if (op.driver_state == kOpEnding) return kill(op);
  start(socket, op);
}

void UringDriver::dispatch(const io_uring_cqe& completion) {
  const UringTag tag = UringTag::unpack(completion.user_data);
  const bool more = (completion.flags & IORING_CQE_F_MORE) != 0;
  if (tag.kind == UringKind::kIgnored) return;
  if (tag.kind == UringKind::kFile) return on_file(tag.handle, completion.res);
  if (tag.kind == UringKind::kWake) {
    if (!more) arm_wake();
    return;
  }
  Socket* socket = sockets_.find(tag.handle);
  if (socket == nullptr) return drop(tag, completion);
  if (!more) --socket->requests;
  if (socket->closing) {
    drop(tag, completion);
    if (!more) on_closing(tag.handle, *socket, tag.kind == UringKind::kWrite ? socket->write_op : socket->read_op);
    return;
  }
  switch (tag.kind) {
    case UringKind::kAccept: return on_accept(*socket, completion);
    case UringKind::kReceive: return on_receive(*socket, completion);
    case UringKind::kWrite: return on_write(*socket, completion.res);
    case UringKind::kFile:
    case UringKind::kWake:
    case UringKind::kIgnored: break;
  }
}

// Gives back what came for a socket that its owner has closed.
void UringDriver::drop(const UringTag& tag, const io_uring_cqe& completion) {
  if ((completion.flags & IORING_CQE_F_BUFFER) != 0) buffers_->release(buffer_of(completion));
  if (tag.kind == UringKind::kAccept && completion.res >= 0) sys::close_socket(completion.res, true);
}

// The last completion of an op whose socket is closing. Rule 7 of the contract: in a later turn than close().
void UringDriver::on_closing(io::SocketId id, Socket& socket, io::Op*& place) {
  io::Op& op = *std::exchange(place, nullptr);
  const bool closed_now = socket.closed_in_turn == turn_;
  release_if_idle(id, socket);
  if (closed_now) return kill(op);
  finish(op, {.error = kCancelledError});
}

void UringDriver::on_accept(Socket& socket, const io_uring_cqe& completion) {
  io::Op& op = *socket.read_op;
  if (completion.res >= 0) {
    if ((completion.flags & IORING_CQE_F_MORE) == 0) restart(socket, op);
    return op.done(op, {.more = true, .accepted = completion.res, .peer = peer_of(completion.res)});
  }
  if (worth_another_accept(completion.res)) return restart(socket, op);
  socket.read_op = nullptr;
  finish(op, {.error = error_of(completion.res)});
}

io::Buffer UringDriver::buffer_of(const io_uring_cqe& completion) {
  const auto id = static_cast<std::uint16_t>(completion.flags >> IORING_CQE_BUFFER_SHIFT);
  return buffers_->taken_by_kernel(id, static_cast<std::uint32_t>(std::max(completion.res, 0)));
}

void UringDriver::on_receive(Socket& socket, const io_uring_cqe& completion) {
  io::Op& op = *socket.read_op;
  if (completion.res > 0) {
    if ((completion.flags & IORING_CQE_F_MORE) == 0) restart(socket, op);
    const io::Buffer buffer = buffer_of(completion);
    return op.done(op, {.more = true, .bytes = buffer.size, .buffer = buffer});
  }
  if ((completion.flags & IORING_CQE_F_BUFFER) != 0) buffers_->release(buffer_of(completion));
  if (worth_a_restart(completion.res)) return restart(socket, op);
  base::Error error = completion.res == 0 ? base::Error{} : error_of(completion.res);
  if (completion.res == -ENOBUFS) {
    // Buffers may be in reserve, or have come back since the kernel looked.
    if (op.driver_state == kOpEnding || buffers_->refill()) return restart(socket, op);
    error.code = base::Code::kNoBuffers;
  }
  socket.read_op = nullptr;
  finish(op, {.error = error});
}

void UringDriver::on_write(Socket& socket, int result) {
  io::Op& op = *socket.write_op;
  if (op.verb == io::Verb::kSendFile && result >= 0) return try_send_file(socket, op);
  if (worth_a_restart(result)) return restart(socket, op);
  socket.write_op = nullptr;
  if (result < 0) return finish(op, {.error = error_of(result)});
  if (op.verb == io::Verb::kConnect) return finish(op, {.error = sys::connect_outcome(socket.handle)});
  finish(op, {.bytes = static_cast<std::uint64_t>(result)});
}

void UringDriver::try_send_file(Socket& socket, io::Op& op) {
  const auto& file = op.arguments.file;
  const auto sent = sys::send_file(socket.handle, file.file, file.offset, file.size);
  if (!sent && sent.error().code == base::Code::kWouldBlock) {
    if (op.driver_state == kOpEnding) return kill(op);
    return start_wait_writable(socket, op);
  }
  socket.write_op = nullptr;
  finish(op, sent ? io::Completion{.bytes = *sent} : io::Completion{.error = sent.error()});
}

void UringDriver::on_file(base::Handle id, int result) {
  const FileRead* read = reads_.find(id);
  if (read == nullptr) return;
  io::Op& op = *read->op;
  reads_.destroy(id);
  finish(op, result < 0 ? io::Completion{.error = error_of(result)}
                        : io::Completion{.bytes = static_cast<std::uint64_t>(result)});
}

}  // namespace tidegate::platform
