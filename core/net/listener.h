// Accepts connections on one listening socket and hands them to an acceptor. Owned by a worker, on its loop's thread.
//
// When descriptors or memory run out, accepting pauses and is tried again every kRetryMs; established connections go on
// and the acceptor is told once when the shortage begins.
#pragma once

#include <cstdint>

#include "io/loop.h"
#include "io/op.h"

namespace tidegate::net {

class Listener;

class Acceptor {
 public:
  // The socket is the acceptor's: attach it or close it.
  virtual void on_accept(Listener& listener, sys::SocketHandle socket, const base::Address& peer) = 0;
  // Accepting pauses because of the error (kNoDescriptors, kNoMemory); told once a shortage.
  virtual void on_shortage(Listener& listener, base::Error error) = 0;

 protected:
  ~Acceptor() = default;
};

class Listener {
 public:
  static constexpr std::int64_t kRetryMs = 100;

  // `socket` is attached to the loop's driver and belongs to the listener. `tag` is the acceptor's, to tell listeners
  // apart.
  Listener(io::Loop& loop, io::SocketId socket, Acceptor& acceptor, std::uint32_t tag);
  ~Listener();  // only when ended()
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start();
  // Accepting stops while too many connections are open.
  void pause();
  void resume();
  // Closes the socket. ended() is true when the driver holds nothing of it any more.
  void close();
  [[nodiscard]] bool ended() const { return closed_ && !op_.in_flight; }
  [[nodiscard]] std::uint32_t tag() const { return tag_; }
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }

 private:
  void accept();
  void on_completion(const io::Completion& completion);

  struct RetryTimer : io::Timer {
    Listener* listener = nullptr;
  };

  io::Loop& loop_;
  Acceptor& acceptor_;
  io::Op op_;
  RetryTimer retry_;
  std::uint64_t accepted_ = 0;
  std::uint32_t tag_;
  bool paused_ = true;
  bool short_ = false;  // a shortage has been reported and is not over
  bool closed_ = false;
};

}  // namespace tidegate::net
