// Real sockets on loopback, real files in the temporary directory, and a driver of the caller's choice over them.
#pragma once

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/world.h"
#include "io/blocking_pool.h"
#include "sys/socket.h"

namespace tidegate::contract {

// Makes the driver under test; nullptr where the system does not have it.
using MakeDriver = std::unique_ptr<io::Driver> (*)(io::BlockingPool& pool, std::uint16_t buffer_count, std::uint32_t buffer_size);

inline int number_of(std::intptr_t handle) { return static_cast<int>(handle); }

class RealPeer final : public Peer {
 public:
  explicit RealPeer(int socket) : socket_(socket) {}
  ~RealPeer() override { close(); }
  RealPeer(const RealPeer&) = delete;
  RealPeer& operator=(const RealPeer&) = delete;

  std::size_t write(std::string_view bytes) override {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }

  std::string read(std::size_t most) override {
    std::string bytes(most, '\0');
    std::size_t used = 0;
    while (used < most) {
      const ssize_t got = ::recv(socket_, bytes.data() + used, most - used, MSG_DONTWAIT);
      if (got < 0) reset_ = reset_ || errno == ECONNRESET || errno == EPIPE;
      ended_ = got == 0;
      if (got <= 0) break;
      used += static_cast<std::size_t>(got);
    }
    bytes.resize(used);
    return bytes;
  }

  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] bool was_reset() const override { return reset_; }
  void half_close() override { ::shutdown(socket_, SHUT_WR); }
  void close() override {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void reset() override {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

 private:
  int socket_;
  bool ended_ = false;
  bool reset_ = false;
};

inline void set_option(int socket, int name, int value) {
  REQUIRE(::setsockopt(socket, SOL_SOCKET, name, &value, sizeof value) == 0);
}

class RealWorld final : public World {
 public:
  RealWorld(MakeDriver make_driver, const WorldOptions& options)
      : pool_(2), driver_(make_driver(pool_, options.buffer_count, options.buffer_size)) {
    ::signal(SIGPIPE, SIG_IGN);
  }
  ~RealWorld() override {
    end_driver();
    for (const int file : files_) ::close(file);
    if (helper_listener_ >= 0) ::close(helper_listener_);
  }
  RealWorld(const RealWorld&) = delete;
  RealWorld& operator=(const RealWorld&) = delete;

  [[nodiscard]] bool usable() const { return driver_ != nullptr; }
  [[nodiscard]] io::Driver& driver() override { return *driver_; }
  void end_driver() override { driver_.reset(); }

  [[nodiscard]] Pair pair(const PairOptions& options) override {
    const auto [ours, theirs] = options.tcp ? tcp_pair(options) : unix_pair(options);
    const auto id = driver_->attach(ours);
    REQUIRE(id);
    return {.socket = *id, .peer = std::make_unique<RealPeer>(theirs)};
  }

  [[nodiscard]] io::SocketId listen() override {
    const auto listener = sys::listen_at({.address = loopback(0)}, {});
    REQUIRE(listener);
    const auto bound = sys::local_endpoint(*listener);
    REQUIRE(bound);
    port_ = bound->address.port;
    const auto id = driver_->attach(*listener);
    REQUIRE(id);
    return *id;
  }

  [[nodiscard]] std::unique_ptr<Peer> connect() override {
    return std::make_unique<RealPeer>(number_of(start_connecting(true)));
  }

  [[nodiscard]] sys::SocketHandle start_connecting(bool to_listener) override {
    if (!to_listener) return connect_to_dying_listener();
    const auto made = sys::connect_to({.address = loopback(port_)});
    REQUIRE(made);
    return *made;
  }

  [[nodiscard]] sys::FileHandle make_file(std::string_view content) override {
    std::string path = "/tmp/tidegate-contract-XXXXXX";
    const int file = ::mkstemp(path.data());
    REQUIRE(file >= 0);
    ::unlink(path.c_str());
    files_.push_back(file);
    while (!content.empty()) {
      const ssize_t written = ::write(file, content.data(), content.size());
      REQUIRE(written > 0);
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return file;
  }
  void resize_file(sys::FileHandle file, std::size_t size) override {
    REQUIRE(::ftruncate(number_of(file), static_cast<off_t>(size)) == 0);
  }

 private:
  static base::Address loopback(std::uint16_t port) {
    return {.family = base::Family::kIpv4, .port = port, .ip = {127, 0, 0, 1}};
  }

  // On loopback a refusal comes inside connect() already. To have one that comes later: the queue of a listener is
  // filled, so that one more client must wait; then the listener goes, and the client is told when it asks again (1 s).
  static sys::SocketHandle connect_to_dying_listener() {
    const auto listener = sys::listen_at({.address = loopback(0)}, {.backlog = 0});
    REQUIRE(listener);
    const auto bound = sys::local_endpoint(*listener);
    REQUIRE(bound);
    sys::SocketHandle waiting = sys::kNoSocket;
    std::vector<sys::SocketHandle> queued;
    while (waiting == sys::kNoSocket && queued.size() < 10) {
      const auto client = sys::connect_to(*bound);
      REQUIRE(client);
      pollfd connected{.fd = number_of(*client), .events = POLLOUT, .revents = 0};
      if (::poll(&connected, 1, 20) == 1) {
        queued.push_back(*client);
      } else {
        waiting = *client;
      }
    }
    REQUIRE(waiting != sys::kNoSocket);
    for (const sys::SocketHandle client : queued) sys::close_socket(client, false);
    sys::close_socket(*listener, false);
    return waiting;
  }

  std::pair<int, int> unix_pair(const PairOptions& options) {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
    if (options.small_buffers) {
      for (const int end : ends) set_option(end, SO_SNDBUF, 1);
    }
    return {ends[0], ends[1]};
  }

  std::pair<int, int> tcp_pair(const PairOptions& options) {
    if (helper_listener_ < 0) {
      const auto made = sys::listen_at({.address = loopback(0)}, {});
      REQUIRE(made);
      helper_listener_ = number_of(*made);
    }
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(::getsockname(helper_listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(client >= 0);
    if (options.small_buffers) {
      set_option(client, SO_RCVBUF, 4096);
      set_option(client, SO_SNDBUF, 4096);
    }
    REQUIRE(::connect(client, reinterpret_cast<sockaddr*>(&address), size) == 0);
    const auto accepted = sys::accept_from(helper_listener_);
    REQUIRE(accepted);
    if (options.small_buffers) set_option(number_of(accepted->socket), SO_SNDBUF, 4096);
    return {number_of(accepted->socket), client};
  }

  io::BlockingPool pool_;
  std::unique_ptr<io::Driver> driver_;
  std::vector<int> files_;
  int helper_listener_ = -1;
  std::uint16_t port_ = 0;
};

// nullptr when there is no such driver here.
[[nodiscard]] inline std::unique_ptr<World> make_real_world(MakeDriver make_driver, const WorldOptions& options) {
  auto world = std::make_unique<RealWorld>(make_driver, options);
  if (!world->usable()) return nullptr;
  return world;
}

}  // namespace tidegate::contract
