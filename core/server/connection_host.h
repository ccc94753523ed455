// The connections of one loop: listeners in, HTTP/1 connections, their runner. Used by each worker and by control, whose
// API is served by the same code. On the loop's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/slab.h"
#include "http/h1/connection.h"
#include "io/loop.h"
#include "net/listener.h"
#include "net/write_queue.h"
#include "pipeline/runner.h"
#include "pipeline/worker_services.h"

namespace tidegate::server {

class ConnectionHost final : private net::Acceptor, private http::h1::ConnectionOwner {
 public:
  // `name` is for the log.
  ConnectionHost(io::Loop& loop, pipeline::ExchangeObserver& observer, std::string name);
  ~ConnectionHost();  // when empty()
  ConnectionHost(const ConnectionHost&) = delete;
  ConnectionHost& operator=(const ConnectionHost&) = delete;

  [[nodiscard]] pipeline::WorkerServices& services() { return services_; }
  [[nodiscard]] pipeline::Runner& runner() { return runner_; }

  // Requests that begin from now on use this snapshot. Connections of a listener that it no longer has are drained.
  void publish(pipeline::Snapshot& snapshot);
  // Accepts on the socket; `listener` is its number in the snapshot.
  void open_listener(std::uint16_t listener, sys::SocketHandle socket);
  void close_listener(std::uint16_t listener);
  // No more accepts; connections end after the exchange in progress.
  void drain();
  // Ends everything at once.
  void kill();
  [[nodiscard]] bool empty();

  void set_connections_max(std::size_t connections_max) { connections_max_ = connections_max; }
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }

 private:
  struct Doomed : io::Doomed {
    ConnectionHost* host = nullptr;
    base::Handle connection;
  };
  struct Connection {
    http::h1::Connection http;
    Doomed doomed;
    Connection(http::h1::Service& service, io::SocketId socket, const http::h1::Peer& peer) : http(service, socket, peer) {}
  };

  void on_accept(net::Listener& listener, sys::SocketHandle socket, const base::Address& peer) override;
  void on_shortage(net::Listener& listener, base::Error error) override;
  void on_connection_ended(http::h1::Connection& connection) override;
  void remove_ended_listeners();
  void limit_accepting();

  io::Loop& loop_;
  std::string name_;
  net::WriteBlockPool blocks_;
  pipeline::WorkerServices services_;
  pipeline::Runner runner_;
  http::h1::Service service_;
  base::Slab<Connection> connections_;
  std::multimap<std::uint16_t, std::unique_ptr<net::Listener>> listeners_;  // one or two sockets a listener
  std::size_t connections_max_ = SIZE_MAX;
  std::uint64_t accepted_ = 0;
  bool at_limit_ = false;
};

}  // namespace tidegate::server
