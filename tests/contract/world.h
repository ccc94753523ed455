// What the contract suite needs of the world around a driver, so that one suite runs on real sockets and on simulated
// ones: connections with a test's end, listeners, connections under way, files.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/driver.h"

namespace tidegate::contract {

// The test's end of a connection. Nothing blocks.
class Peer {
 public:
  virtual ~Peer() = default;  // closes
  // Sends what fits; returns how much.
  virtual std::size_t write(std::string_view bytes) = 0;
  // Reads what is there, up to so many bytes.
  virtual std::string read(std::size_t most) = 0;
  // As found by the last read: the driver's side ended its stream, or broke the connection.
  [[nodiscard]] virtual bool ended() const = 0;
  [[nodiscard]] virtual bool was_reset() const = 0;
  virtual void half_close() = 0;
  virtual void close() = 0;
  virtual void reset() = 0;
};

struct PairOptions {
  bool tcp = true;            // else a unix socket
  bool small_buffers = false;  // the system holds only a few KiB between the two ends
};

struct Pair {
  io::SocketId socket;  // attached
  std::unique_ptr<Peer> peer;
};

struct WorldOptions {
  std::uint16_t buffer_count = 64;
  std::uint32_t buffer_size = 4096;
  std::uint64_t seed = 1;
};

class World {
 public:
  virtual ~World() = default;
  [[nodiscard]] virtual io::Driver& driver() = 0;
  // Destroys the driver before the rest of the world.
  virtual void end_driver() = 0;

  [[nodiscard]] virtual Pair pair(const PairOptions& options) = 0;
  [[nodiscard]] Pair pair() { return pair({}); }
  // A listener on loopback, attached. Only one a world.
  [[nodiscard]] virtual io::SocketId listen() = 0;
  // A client of the listener.
  [[nodiscard]] virtual std::unique_ptr<Peer> connect() = 0;
  // A connection under way, not attached: to the listener, or to a port where nobody listens.
  [[nodiscard]] virtual sys::SocketHandle start_connecting(bool to_listener) = 0;

  [[nodiscard]] virtual sys::FileHandle make_file(std::string_view content) = 0;
  virtual void resize_file(sys::FileHandle file, std::size_t size) = 0;

  // Turns until the condition holds; false when it does not within the time that any machine needs.
  template <class Condition>
  bool turn_until(Condition&& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      driver().turn(2);
    }
    return true;
  }
  // A few turns in which nothing may happen that must not happen.
  void settle() {
    for (int i = 0; i < 5; ++i) driver().turn(2);
  }
};

}  // namespace tidegate::contract
