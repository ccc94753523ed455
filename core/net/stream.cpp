#include "net/stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace tidegate::net {

namespace {

// A head that goes ahead of a body of this size, as a segment of its own, wakes the receiver while the body is still
// being handed to the kernel; joined to it, both sides pay more (bench/README.md). Smaller ones leave together.
constexpr std::uint64_t kLargeBody = 64 * 1024;
constexpr std::uint64_t kHeadMax = 4 * 1024;

}  // namespace

Stream::Stream(io::Loop& loop, WriteBlockPool& blocks, io::SocketId socket, StreamOwner& owner)
    : loop_(loop), owner_(owner), output_(blocks), socket_(socket) {
  read_op_.verb = io::Verb::kReceive;
  read_op_.socket = write_op_.socket = socket;
  read_op_.owner = write_op_.owner = this;
  read_op_.done = [](io::Op& op, const io::Completion& completion) {
    static_cast<Stream*>(op.owner)->on_received(completion);
  };
  write_op_.done = [](io::Op& op, const io::Completion& completion) {
    static_cast<Stream*>(op.owner)->on_sent(completion);
  };
}

Stream::~Stream() { TIDEGATE_CHECK(!read_op_.in_flight && !write_op_.in_flight); }

void Stream::resume_reading() {
  if (reading_ || closed_) return;
  reading_ = true;
  receive();
}

void Stream::pause_reading() {
  if (!reading_) return;
  reading_ = false;
  if (read_op_.in_flight) loop_.driver().cancel(read_op_);
}

void Stream::receive() {
  if (!reading_ || read_op_.in_flight || input_ended_ || closed_ || input_.size() > held_max_) return;
  loop_.driver().submit(read_op_);
}

void Stream::on_received(const io::Completion& completion) {
  if (completion.bytes > 0) {
    take_input(completion.buffer);
  } else if (!completion.error) {
    input_ended_ = true;
    if (!closed_) owner_.on_input_end();
  } else if (completion.error.code != base::Code::kCancelled && completion.error.code != base::Code::kNoBuffers) {
    input_ended_ = true;
    if (!closed_) owner_.on_failure(completion.error);
  }
  if (closed_) return settle();
  if (!completion.more) receive();  // after a pause, an empty pool, or when the owner has caught up
}

void Stream::take_input(io::Buffer buffer) {
  if (!closed_) {
    const std::string_view fresh(buffer.data, buffer.size);
    if (input_.empty()) {
      input_ = fresh;
    } else {
      hold(fresh);
    }
    delivering_ = true;
    owner_.on_input();
    delivering_ = false;
    if (!closed_) keep_leftover();
  }
  loop_.driver().buffers().release(buffer);
}

// Appends to the held input, which grows by doubling.
void Stream::hold(std::string_view fresh) {
  const std::size_t wanted = input_.size() + fresh.size();
  if (wanted > held_capacity_) {
    const std::size_t capacity = std::max(wanted, held_capacity_ * 2);
    auto grown = std::make_unique_for_overwrite<char[]>(capacity);
    if (!input_.empty()) std::memcpy(grown.get(), input_.data(), input_.size());
    held_ = std::move(grown);
    held_capacity_ = capacity;
  } else if (!input_.empty() && input_.data() != held_.get()) {
    std::memmove(held_.get(), input_.data(), input_.size());
  }
  std::memcpy(held_.get() + input_.size(), fresh.data(), fresh.size());
  input_ = {held_.get(), wanted};
}

// Called when the callback is over: leftovers must not stay in a pool buffer.
void Stream::keep_leftover() {
  if (input_.empty()) {
    held_.reset();
    held_capacity_ = 0;
    input_ = {};
    return;
  }
  const bool is_held = held_ != nullptr && input_.data() >= held_.get() && input_.data() < held_.get() + held_capacity_;
  if (!is_held) {
    const std::string_view rest = std::exchange(input_, {});
    hold(rest);
  }
  if (input_.size() > held_max_ && read_op_.in_flight) loop_.driver().cancel(read_op_);
}

void Stream::offer_held_input() {
  if (closed_ || delivering_ || input_.empty()) return;
  delivering_ = true;
  owner_.on_input();
  delivering_ = false;
  if (closed_) return;
  keep_leftover();
  receive();
}

void Stream::flush() {
  if (!closed_ && !write_op_.in_flight && !output_.empty()) submit_send();
}

void Stream::submit_send() {
  if (const Chunk* chunk = output_.leading_file()) {
    write_op_.verb = io::Verb::kSendFile;
    write_op_.arguments.file = {chunk->file, chunk->offset, chunk->size, nullptr};
  } else {
    bool more_follows = false;
    std::size_t count = output_.gather(slices_, more_follows);
    if (slices_[0].size <= kHeadMax && output_.size() - slices_[0].size >= kLargeBody) {
      count = 1;
      more_follows = false;
    }
    write_op_.verb = io::Verb::kSend;
    write_op_.arguments.send = {slices_.data(), static_cast<std::uint32_t>(count), more_follows};
  }
  loop_.driver().submit(write_op_);
}

void Stream::on_sent(const io::Completion& completion) {
  if (closed_) return settle();
  if (completion.error) return owner_.on_failure(completion.error);
  if (completion.bytes == 0 && write_op_.verb == io::Verb::kSendFile) {
    // The file ended before the range did: the message cannot be completed.
    return owner_.on_failure({.code = base::Code::kChanged, .domain = base::Domain::kNet});
  }
  output_.consume(completion.bytes);
  owner_.on_output(completion.bytes);
  flush();
}

void Stream::shutdown_send() {
  TIDEGATE_CHECK(output_.empty());
  if (!closed_) loop_.driver().shutdown_send(socket_);
}

void Stream::close(bool reset) {
  if (closed_) return;
  closed_ = true;
  loop_.driver().close(socket_, reset);
  // Nothing may be in flight when an owner closes outside of any callback: then nobody else will report the end.
  settle();
}

void Stream::settle() {
  if (settled_ || read_op_.in_flight || write_op_.in_flight) return;
  settled_ = true;
  output_.clear();
  owner_.on_closed();
}

}  // namespace tidegate::net
