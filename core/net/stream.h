// A connected stream socket as the codecs see it: bytes in with back-pressure, a write queue out, one owner.
//
// Owned by its connection, on the loop's thread. A stream keeps no receive buffer between calls: what the owner leaves
// unconsumed is copied into memory of the right size, so an idle or slow connection pins no pool buffer. TLS will be a
// nullable session here that opens what was received and seals what is sent (docs/architecture.md).
//
// Ends: close() may be called from any callback; no callback but on_closed follows. on_closed comes exactly once, when
// the driver holds nothing of the stream any more; only then may the stream be destroyed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "io/loop.h"
#include "io/op.h"
#include "net/write_queue.h"

namespace tidegate::net {

class Stream;

class StreamOwner {
 public:
  // New bytes: look at stream.input(), call stream.consume(). What is left stays for the next call.
  virtual void on_input() = 0;
  // The peer closed its sending side; nothing more will come in.
  virtual void on_input_end() = 0;
  // Part of the output was sent; output().empty() tells when it was the last.
  virtual void on_output(std::uint64_t bytes_sent) = 0;
  // The connection failed; the owner closes the stream.
  virtual void on_failure(base::Error error) = 0;
  virtual void on_closed() = 0;

 protected:
  ~StreamOwner() = default;
};

class Stream {
 public:
  // `socket` is attached to the loop's driver and belongs to the stream from now on.
  Stream(io::Loop& loop, WriteBlockPool& blocks, io::SocketId socket, StreamOwner& owner);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Receiving. Starts paused. While paused, or with more than `held_max` unconsumed bytes, the peer is not read from.
  void resume_reading();
  void pause_reading();
  void set_held_max(std::size_t bytes) { held_max_ = bytes; }
  // Calls on_input for what is held, after the owner was busy.
  void offer_held_input();

  // All unconsumed bytes, contiguous. Valid until the callback returns or the stream is touched.
  [[nodiscard]] std::string_view input() const { return input_; }
  void consume(std::size_t bytes) { input_.remove_prefix(bytes); }
  [[nodiscard]] bool input_ended() const { return input_ended_; }

  // Sending: put chunks into output(), then flush().
  [[nodiscard]] WriteQueue& output() { return output_; }
  void flush();
  // Ends the sending side once; the output must be empty.
  void shutdown_send();

  // Drops the output and closes; with `reset` the peer learns that the message was cut.
  void close(bool reset);
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] sys::SocketHandle native_handle() { return loop_.driver().handle_of(socket_); }

 private:
  static constexpr std::size_t kSlicesMax = 8;

  void receive();
  void on_received(const io::Completion& completion);
  void on_sent(const io::Completion& completion);
  void take_input(io::Buffer buffer);
  void hold(std::string_view fresh);
  void keep_leftover();
  void submit_send();
  void settle();

  io::Loop& loop_;
  StreamOwner& owner_;
  WriteQueue output_;
  io::SocketId socket_;
  io::Op read_op_;
  io::Op write_op_;
  std::array<sys::Slice, kSlicesMax> slices_;
  std::string_view input_;
  std::unique_ptr<char[]> held_;  // unconsumed input
  std::size_t held_capacity_ = 0;
  std::size_t held_max_ = 64 * 1024;
  bool reading_ = false;
  bool delivering_ = false;
  bool input_ended_ = false;
  bool closed_ = false;
  bool settled_ = false;
};

}  // namespace tidegate::net
