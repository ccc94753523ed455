// Helpers of the socket tests: endpoints on loopback, sockets with an owner, bounded waits.
#pragma once

#include <doctest/doctest.h>
#include <poll.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sys/socket.h"

namespace tidegate::test {

inline constexpr int kWaitMost_ms = 10'000;  // by then a test has failed

class OwnedSocket {
 public:
  explicit OwnedSocket(sys::SocketHandle socket) : socket_(socket) {}
  OwnedSocket(OwnedSocket&& other) noexcept : socket_(std::exchange(other.socket_, sys::kNoSocket)) {}
  OwnedSocket& operator=(OwnedSocket&&) = delete;
  ~OwnedSocket() { close(false); }

  [[nodiscard]] sys::SocketHandle get() const { return socket_; }
  [[nodiscard]] int number() const { return static_cast<int>(socket_); }
  void close(bool reset) {
    if (socket_ != sys::kNoSocket) sys::close_socket(std::exchange(socket_, sys::kNoSocket), reset);
  }

 private:
  sys::SocketHandle socket_;
};

[[nodiscard]] inline base::Endpoint ip_endpoint(std::string_view ip, std::uint16_t port = 0) {
  base::Endpoint endpoint{.address = base::parse_ip(ip).value(), .unix_path = {}};
  endpoint.address.port = port;
  return endpoint;
}

[[nodiscard]] inline base::Endpoint unix_endpoint(const std::string& path) {
  return {.address = {.family = base::Family::kUnix}, .unix_path = path};
}

[[nodiscard]] inline OwnedSocket listen(const base::Endpoint& endpoint, const sys::ListenOptions& options = {}) {
  const auto made = sys::listen_at(endpoint, options);
  REQUIRE(made.has_value());
  return OwnedSocket(*made);
}

[[nodiscard]] inline base::Endpoint where(const OwnedSocket& socket) {
  const auto endpoint = sys::local_endpoint(socket.get());
  REQUIRE(endpoint.has_value());
  return *endpoint;
}

inline void wait_for(const OwnedSocket& socket, short events) {
  pollfd ready{.fd = socket.number(), .events = events, .revents = 0};
  REQUIRE(::poll(&ready, 1, kWaitMost_ms) == 1);
}

[[nodiscard]] inline OwnedSocket connect(const base::Endpoint& endpoint) {
  const auto made = sys::connect_to(endpoint);
  REQUIRE(made.has_value());
  OwnedSocket socket(*made);
  wait_for(socket, POLLOUT);
  REQUIRE(!sys::connect_outcome(socket.get()));
  return socket;
}

struct Pair {
  OwnedSocket client;
  OwnedSocket server;
  base::Address peer;  // of the server's side
};

[[nodiscard]] inline Pair connected(const base::Endpoint& listen_where) {
  const OwnedSocket listener = listen(listen_where);
  OwnedSocket client = connect(where(listener));
  wait_for(listener, POLLIN);
  const auto accepted = sys::accept_from(listener.get());
  REQUIRE(accepted.has_value());
  return {std::move(client), OwnedSocket(accepted->socket), accepted->peer};
}

// What comes next: the bytes, "end", or the name of an error.
[[nodiscard]] inline std::string next_of(const OwnedSocket& socket) {
  wait_for(socket, POLLIN);
  std::array<char, 65'536> buffer;
  const auto got = sys::receive(socket.get(), buffer.data(), buffer.size());
  if (!got) return std::string(base::name_of(got.error().code));
  return *got == 0 ? "end" : std::string(buffer.data(), *got);
}

[[nodiscard]] inline base::Result<std::size_t> send_text(const OwnedSocket& socket, std::string_view text,
                                                         bool more_follows = false) {
  const sys::Slice slice{.data = text.data(), .size = text.size()};
  return sys::send(socket.get(), {&slice, 1}, more_follows);
}

}  // namespace tidegate::test
