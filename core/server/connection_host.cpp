#include "server/connection_host.h"

#include <utility>

#include "base/log.h"

namespace tidegate::server {

ConnectionHost::ConnectionHost(io::Loop& loop, pipeline::ExchangeObserver& observer, std::string name)
    : loop_(loop),
      name_(std::move(name)),
      runner_(observer, services_),
      service_{.loop = loop, .blocks = blocks_, .handler = runner_, .owner = *this} {
  services_.loop = &loop;
}

// The worker states go before the loop does; they may post to it no more.
ConnectionHost::~ConnectionHost() { services_.states.clear(); }

void ConnectionHost::publish(pipeline::Snapshot& snapshot) {
  runner_.set_snapshot(snapshot);
  connections_.for_each([&](base::Handle, Connection& connection) {
    const std::uint16_t listener = connection.http.listener();
    const bool stays = listener < snapshot.listeners.size() && snapshot.listeners[listener] != nullptr;
    if (stays) {
      connection.http.set_limits(snapshot.listeners[listener]->limits);
    } else {
      connection.http.drain();
    }
  });
}

void ConnectionHost::open_listener(std::uint16_t number, sys::SocketHandle socket) {
  const auto attached = loop_.driver().attach(socket);
  if (!attached) {
    sys::close_socket(socket, false);
    base::log(base::LogLevel::kError, "server", name_ + ": a listening socket could not be watched: " + std::string(base::name_of(attached.error().code)));
    return;
  }
  net::Acceptor& acceptor = *this;
  auto listener = std::make_unique<net::Listener>(loop_, *attached, acceptor, number);
  listener->start();
  listeners_.emplace(number, std::move(listener));
}

void ConnectionHost::close_listener(std::uint16_t number) {
  const auto [first, last] = listeners_.equal_range(number);
  for (auto at = first; at != last; ++at) at->second->close();
  remove_ended_listeners();
}

void ConnectionHost::remove_ended_listeners() {
  std::erase_if(listeners_, [](const auto& one) { return one.second->ended(); });
}

bool ConnectionHost::empty() {
  remove_ended_listeners();
  return connections_.size() == 0 && listeners_.empty();
}

void ConnectionHost::drain() {
  service_.draining = true;
  for (auto& [number, listener] : listeners_) listener->close();
  connections_.for_each([](base::Handle, Connection& connection) { connection.http.drain(); });
}

void ConnectionHost::kill() {
  for (auto& [number, listener] : listeners_) listener->close();
  connections_.for_each([](base::Handle, Connection& connection) { connection.http.kill(); });
}

void ConnectionHost::on_accept(net::Listener& listener, sys::SocketHandle socket, const base::Address& peer) {
  const auto number = static_cast<std::uint16_t>(listener.tag());
  const auto attached = loop_.driver().attach(socket);
  if (!attached) return sys::close_socket(socket, true);
  const http::h1::Peer who{.address = peer, .listener = number, .limits = &runner_.snapshot().listeners[number]->limits};
  const base::Handle handle = connections_.create(service_, *attached, who);
  Connection& connection = *connections_.find(handle);
  connection.http.handle = handle;
  ++accepted_;
  connection.http.start();
  limit_accepting();
}

void ConnectionHost::on_shortage(net::Listener&, base::Error error) {
  base::log(base::LogLevel::kError, "server",
            name_ + ": accepting pauses: " + std::string(base::name_of(error.code)) +
                "; established connections go on. Raise the limit of open files (ulimit -n, LimitNOFILE=)");
}

// Above the limit new connections wait in the kernel's queue.
void ConnectionHost::limit_accepting() {
  const bool at_limit = connections_.size() >= connections_max_;
  if (at_limit == at_limit_) return;
  at_limit_ = at_limit;
  for (auto& [number, listener] : listeners_) at_limit ? listener->pause() : listener->resume();
  if (at_limit) base::log(base::LogLevel::kWarn, "server", name_ + ": limits.connections reached, new connections wait");
}

void ConnectionHost::on_connection_ended(http::h1::Connection& ended) {
  Connection& connection = *connections_.find(ended.handle);
  connection.doomed.host = this;
  connection.doomed.connection = ended.handle;
  connection.doomed.destroy = [](io::Doomed& base) {
    auto& doomed = static_cast<Doomed&>(base);
    ConnectionHost& host = *doomed.host;
    host.connections_.destroy(doomed.connection);
    host.limit_accepting();
  };
  loop_.doom(connection.doomed);
}

}  // namespace tidegate::server
