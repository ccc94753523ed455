#include "server/listener_registry.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tidegate::server {

namespace {

using Sockets = std::vector<sys::SocketHandle>;

void close_all(Sockets& sockets) {
  for (const sys::SocketHandle socket : sockets) sys::close_socket(socket, false);
  sockets.clear();
}

std::string cannot_listen(const base::Endpoint& endpoint, base::Error error) {
  std::string text = "cannot listen on " + base::format(endpoint) + ": " + std::string(base::name_of(error.code));
  if (error.code == base::Code::kAddressInUse) {
    const std::string holder = sys::holder_of(endpoint);
    text += holder.empty() ? "; another program listens there" : "; it is held by " + holder;
  } else if (error.code == base::Code::kDenied && endpoint.address.port > 0 && endpoint.address.port < 1024) {
    text += "; ports below 1024 need the capability CAP_NET_BIND_SERVICE (or root)";
  }
  return text;
}

// Whether somebody else listens there; false also when this machine has no such address.
bool in_use(const base::Endpoint& endpoint) {
  const auto probe = sys::listen_at(endpoint, {});
  if (probe) sys::close_socket(*probe, false);
  return !probe && probe.error().code == base::Code::kAddressInUse;
}

// Copies the socket for all workers but the first; they accept from one queue.
std::expected<Sockets, std::string> share(sys::SocketHandle socket, unsigned workers) {
  Sockets sockets{socket};
  while (sockets.size() < workers) {
    const auto copy = sys::duplicate_socket(socket);
    if (!copy) {
      close_all(sockets);
      return std::unexpected("a listening socket cannot be shared between workers: " + std::string(base::name_of(copy.error().code)));
    }
    sockets.push_back(*copy);
  }
  return sockets;
}

base::Endpoint ip_endpoint(std::string_view ip, std::uint16_t port) {
  base::Endpoint endpoint{.address = base::parse_ip(ip).value_or(base::Address{})};
  endpoint.address.port = port;
  return endpoint;
}

}  // namespace

ListenerRegistry::ListenerRegistry(std::vector<sys::InheritedListener> inherited) : inherited_(std::move(inherited)) {}

std::expected<ListenerChange, std::string> ListenerRegistry::prepare(const std::vector<config::Listen>& wanted, unsigned workers) {
  ListenerChange change;
  change.opened.resize(workers);
  std::uint16_t next = next_number_;
  for (const config::Listen& listen : wanted) {
    if (change.numbers.contains(listen.text)) continue;
    if (const auto known = numbers_.find(listen.text); known != numbers_.end()) {
      change.numbers.insert(*known);
      continue;
    }
    auto sockets = open_one(listen, workers);
    if (!sockets) {
      undo(change);
      return std::unexpected(sockets.error());
    }
    const std::uint16_t number = next++;
    change.numbers[listen.text] = number;
    for (std::size_t i = 0; i < sockets->size(); ++i) {
      change.opened[i % workers].push_back({number, (*sockets)[i]});
      const auto where = sys::local_endpoint((*sockets)[i]);
      auto& bound = change.bound[listen.text];
      if (where && std::find(bound.begin(), bound.end(), base::format(*where)) == bound.end()) bound.push_back(base::format(*where));
    }
    if (listen.kind == config::Listen::Kind::kUnix) socket_files_[listen.text] = listen.path;
  }
  for (const auto& [text, number] : numbers_) {
    if (!change.numbers.contains(text)) change.closed.push_back(number);
  }
  return change;
}

void ListenerRegistry::commit(const ListenerChange& change) {
  for (const auto& [text, number] : numbers_) {
    if (change.numbers.contains(text)) continue;
    bound_.erase(text);
    if (const auto file = socket_files_.find(text); file != socket_files_.end()) {
      std::error_code ignored;
      std::filesystem::remove(file->second, ignored);
      socket_files_.erase(file);
    }
  }
  for (const auto& [text, number] : change.numbers) {
    next_number_ = std::max<std::uint16_t>(next_number_, static_cast<std::uint16_t>(number + 1));
  }
  numbers_ = change.numbers;
  for (const auto& [text, addresses] : change.bound) bound_[text] = addresses;
}

void ListenerRegistry::undo(ListenerChange& change) {
  for (auto& sockets : change.opened) {
    for (const ListenerSocket& one : sockets) sys::close_socket(one.socket, false);
    sockets.clear();
  }
}

void ListenerRegistry::remove_socket_files() const {
  for (const auto& [text, path] : socket_files_) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
}

// All sockets of one listener; those of one address come as many as there are workers, in their order.
std::expected<Sockets, std::string> ListenerRegistry::open_one(const config::Listen& listen, unsigned workers) {
  using Kind = config::Listen::Kind;
  const std::uint16_t port = listen.address.port;
  switch (listen.kind) {
    case Kind::kAddress: return open_endpoint({.address = listen.address}, true, workers);
    case Kind::kAny:
      if (auto both = open_endpoint(ip_endpoint("::", port), false, workers)) return both;
      return open_endpoint(ip_endpoint("0.0.0.0", port), true, workers);
    case Kind::kLocalhost: return open_localhost(port, workers);
    case Kind::kUnix: {
      const base::Endpoint endpoint{.address = {.family = base::Family::kUnix}, .unix_path = listen.path};
      const auto socket = sys::listen_at(endpoint, {.unix_mode = 0666});
      if (!socket) return std::unexpected(cannot_listen(endpoint, socket.error()));
      return share(*socket, workers);
    }
    case Kind::kInherited:
    case Kind::kSystemd: return open_inherited(listen, workers);
  }
  return std::unexpected("unknown kind of listener: " + listen.text);
}

// Both loopback addresses on one port. A machine without IPv6 has no ::1; the name means what there is. But when another
// program has ::1, half of the clients would reach that one: then the name is taken.
std::expected<Sockets, std::string> ListenerRegistry::open_localhost(std::uint16_t port, unsigned workers) const {
  constexpr int kTries = 8;  // a port that 0 was turned into may be taken on the other address
  for (int i = 1;; ++i) {
    auto sockets = open_endpoint(ip_endpoint("127.0.0.1", port), true, workers);
    if (!sockets) return sockets;
    const auto bound = sys::local_endpoint(sockets->front());
    const base::Endpoint six = ip_endpoint("::1", bound ? bound->address.port : port);
    if (auto also = open_endpoint(six, true, workers)) {
      sockets->insert(sockets->end(), also->begin(), also->end());
      return sockets;
    } else if (!in_use(six)) {
      return sockets;
    } else if (port != 0 || i == kTries) {
      close_all(*sockets);
      return also;
    }
    close_all(*sockets);
  }
}

std::expected<Sockets, std::string> ListenerRegistry::open_inherited(const config::Listen& listen, unsigned workers) const {
  sys::SocketHandle original = listen.descriptor;
  if (listen.kind == config::Listen::Kind::kSystemd) {
    const auto found = std::find_if(inherited_.begin(), inherited_.end(),
                                    [&](const sys::InheritedListener& one) { return one.name == listen.path; });
    if (found == inherited_.end()) return std::unexpected("no socket named \"" + listen.path + "\" was passed (FileDescriptorName= of the socket unit)");
    original = found->socket;
  }
  if (const auto adopted = sys::adopt_listener(original); !adopted) {
    return std::unexpected("descriptor " + std::to_string(original) + " of " + listen.text + " is no listening socket");
  }
  const auto copy = sys::duplicate_socket(original);
  if (!copy) return std::unexpected(listen.text + ": " + std::string(base::name_of(copy.error().code)));
  return share(*copy, workers);
}

// SO_REUSEPORT would let a second server of the same user slip in beside the first: an exclusive socket is tried before.
std::expected<Sockets, std::string> ListenerRegistry::open_endpoint(const base::Endpoint& endpoint, bool ipv6_only, unsigned workers) const {
  base::Endpoint at = endpoint;
  const auto exclusive = sys::listen_at(at, {.share_port = false, .ipv6_only = ipv6_only});
  if (!exclusive) return std::unexpected(cannot_listen(at, exclusive.error()));
  if (workers == 1) return Sockets{*exclusive};
  if (const auto bound = sys::local_endpoint(*exclusive)) at = *bound;  // the port that 0 was turned into
  sys::close_socket(*exclusive, false);
  Sockets sockets;
  while (sockets.size() < workers) {
    const auto socket = sys::listen_at(at, {.share_port = true, .ipv6_only = ipv6_only});
    if (!socket) {
      close_all(sockets);
      return std::unexpected(cannot_listen(at, socket.error()));
    }
    sockets.push_back(*socket);
  }
  return sockets;
}

}  // namespace tidegate::server
