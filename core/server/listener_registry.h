// The listeners of the process over reloads: what is open, under which number, and the change from one configuration to
// the next as a transaction. On the control thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "config/listen.h"
#include "server/compile.h"
#include "server/worker.h"
#include "sys/service.h"

namespace tidegate::server {

// Sockets opened for a change, by worker, and what is to be closed.
struct ListenerChange {
  std::vector<std::vector<ListenerSocket>> opened;
  std::vector<std::uint16_t> closed;
  ListenerNumbers numbers;                                // all listeners after the change
  std::map<std::string, std::vector<std::string>> bound;  // addresses of the new ones, as bound
};

class ListenerRegistry {
 public:
  // `inherited`: sockets from the service manager.
  explicit ListenerRegistry(std::vector<sys::InheritedListener> inherited);

  // Opens what is new in `wanted`, for that many workers. The error is a sentence that says who holds the address; then
  // nothing stays open.
  [[nodiscard]] std::expected<ListenerChange, std::string> prepare(const std::vector<config::Listen>& wanted, unsigned workers);
  // The change is in force.
  void commit(const ListenerChange& change);
  // The change will not happen: closes what it opened.
  static void undo(ListenerChange& change);
  // Removes the files of unix sockets. At the end of the process.
  void remove_socket_files() const;

  // Canonical text and bound addresses of what is open.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& bound() const { return bound_; }

 private:
  using Sockets = std::vector<sys::SocketHandle>;
  [[nodiscard]] std::expected<Sockets, std::string> open_one(const config::Listen& listen, unsigned workers);
  [[nodiscard]] std::expected<Sockets, std::string> open_inherited(const config::Listen& listen, unsigned workers) const;
  [[nodiscard]] std::expected<Sockets, std::string> open_localhost(std::uint16_t port, unsigned workers) const;
  [[nodiscard]] std::expected<Sockets, std::string> open_endpoint(const base::Endpoint& endpoint, bool ipv6_only, unsigned workers) const;

  std::vector<sys::InheritedListener> inherited_;
  ListenerNumbers numbers_;
  std::map<std::string, std::vector<std::string>> bound_;
  std::map<std::string, std::string> socket_files_;  // by canonical text
  std::uint16_t next_number_ = 0;
};

}  // namespace tidegate::server
