#include "io/sim/sim_network.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "io/sim/sim_peer.h"

namespace tidegate::io {

namespace {

constexpr sys::SocketHandle kFirstHandle = sys::SocketHandle{1} << 30;
constexpr std::uint64_t kTurnsAMillisecond = 16;

base::Error make_error(base::Code code) { return {.code = code, .domain = base::Domain::kSys}; }

bool takes(const base::Endpoint& bound, const base::Endpoint& wanted) {
  if (bound == wanted) return true;
  const bool any_address = std::ranges::all_of(bound.address.ip, [](std::uint8_t byte) { return byte == 0; });
  return bound.address.family != base::Family::kUnix && any_address && bound.address.family == wanted.address.family &&
         bound.address.port == wanted.address.port;
}

}  // namespace

SimNetwork::SimNetwork(std::uint64_t seed, const SimFaults& faults) : random_(seed), faults_(faults) {}

SimNetwork::~SimNetwork() {
  TIDEGATE_CHECK(peers_.empty());
  sockets_.for_each([this](base::Handle handle, Socket&) { sockets_.destroy(handle); });
}

SimNetwork::Socket* SimNetwork::find(sys::SocketHandle handle) {
  const auto number = static_cast<std::size_t>(handle - kFirstHandle);
  return handle < kFirstHandle || number >= by_number_.size() ? nullptr : sockets_.find(by_number_[number]);
}

SimNetwork::Socket& SimNetwork::get(sys::SocketHandle handle) {
  Socket* socket = find(handle);
  TIDEGATE_CHECK(socket != nullptr);
  return *socket;
}

sys::SocketHandle SimNetwork::make_socket() {
  const base::Handle place = sockets_.create();
  if (place.index >= by_number_.size()) by_number_.resize(std::size_t{place.index} + 1);
  by_number_[place.index] = place;
  return kFirstHandle + static_cast<sys::SocketHandle>(place.index);
}

std::pair<sys::SocketHandle, sys::SocketHandle> SimNetwork::make_pair() {
  const sys::SocketHandle one = make_socket();
  const sys::SocketHandle two = make_socket();
  get(one).other = two;
  get(two).other = one;
  return {one, two};
}

sys::SocketHandle SimNetwork::listener_for(const base::Endpoint& endpoint) {
  for (const base::Handle place : by_number_) {
    const Socket* socket = sockets_.find(place);
    if (socket == nullptr || !socket->listens || !takes(socket->bound, endpoint)) continue;
    return kFirstHandle + static_cast<sys::SocketHandle>(place.index);
  }
  return sys::kNoSocket;
}

base::Result<sys::SocketHandle> SimNetwork::listen_at(base::Endpoint endpoint) {
  const bool numbered = endpoint.address.family != base::Family::kUnix;
  if (numbered && endpoint.address.port == 0) endpoint.address.port = next_port_++;
  if (listener_for(endpoint) != sys::kNoSocket) return std::unexpected(make_error(base::Code::kAddressInUse));
  const sys::SocketHandle made = make_socket();
  get(made).listens = true;
  get(made).bound = std::move(endpoint);
  return made;
}

const base::Endpoint& SimNetwork::local_endpoint(sys::SocketHandle listener) { return get(listener).bound; }

base::Address SimNetwork::made_up_client(base::Family family) {
  base::Address client{.family = family};
  if (family == base::Family::kUnix) return client;
  client.port = next_port_++;
  if (family == base::Family::kIpv4) client.ip = {127, 0, 0, 1};
  if (family == base::Family::kIpv6) client.ip[15] = 1;
  return client;
}

sys::SocketHandle SimNetwork::connect_to(const base::Endpoint& endpoint, const base::Address& from) {
  const auto [near, far] = make_pair();
  Socket& client = get(near);
  client.connected_ms = get(far).connected_ms = now_ms() + draw_delay_ms();
  get(far).from = from.family == base::Family::kNone ? made_up_client(endpoint.address.family) : from;
  arrivals_.push(client.connected_ms);
  const sys::SocketHandle listener = listener_for(endpoint);
  if (listener == sys::kNoSocket || get(listener).backlog.size() >= kBacklogMax) {
    client.refused = true;
    client.other = sys::kNoSocket;
    sockets_.destroy(by_number_[static_cast<std::size_t>(far - kFirstHandle)]);
  } else {
    get(listener).backlog.push_back(far);
  }
  note(static_cast<std::uint64_t>(near));
  return near;
}

base::Error SimNetwork::connect_outcome(sys::SocketHandle handle) {
  const Socket& socket = get(handle);
  if (socket.connected_ms > now_ms()) return make_error(base::Code::kWouldBlock);
  return socket.refused ? make_error(base::Code::kRefused) : base::Error{};
}

base::Result<sys::Accepted> SimNetwork::accept_from(sys::SocketHandle listener) {
  std::deque<sys::SocketHandle>& backlog = get(listener).backlog;
  const auto next = std::ranges::find_if(backlog, [this](sys::SocketHandle at) { return get(at).connected_ms <= now_ms(); });
  if (next == backlog.end()) return std::unexpected(make_error(base::Code::kWouldBlock));
  const sys::SocketHandle accepted = *next;
  backlog.erase(next);
  note(static_cast<std::uint64_t>(accepted));
  return sys::Accepted{.socket = accepted, .peer = get(accepted).from};
}

std::int64_t SimNetwork::schedule(Inbox& inbox) {
  inbox.last_arrival_ms = std::max(inbox.last_arrival_ms, now_ms() + draw_delay_ms());
  arrivals_.push(inbox.last_arrival_ms);
  return inbox.last_arrival_ms;
}

void SimNetwork::send_reset(Inbox& inbox) {
  if (inbox.reset_ms != kNever) return;
  inbox.reset_ms = schedule(inbox);
  inbox.reset_takes_data = random_.chance(500);
}

// Systems differ in whether bytes that came before the reset can still be read.
bool SimNetwork::reset_arrived(Inbox& inbox) {
  if (inbox.reset_ms > now_ms()) return false;
  if (inbox.reset_takes_data) {
    inbox.segments.clear();
    inbox.size = 0;
  }
  return true;
}

base::Result<std::size_t> SimNetwork::receive(sys::SocketHandle handle, void* into, std::size_t size) {
  Inbox& inbox = get(handle).inbox;
  const bool reset = reset_arrived(inbox);
  std::size_t received = 0;
  while (received < size && !inbox.segments.empty() && inbox.segments.front().arrives_ms <= now_ms()) {
    std::string& bytes = inbox.segments.front().bytes;
    const std::size_t count = std::min(size - received, bytes.size());
    std::memcpy(static_cast<char*>(into) + received, bytes.data(), count);
    received += count;
    bytes.erase(0, count);
    if (bytes.empty()) inbox.segments.pop_front();
  }
  inbox.size -= received;
  if (received > 0) {
    note(received);
    return received;
  }
  if (reset) return std::unexpected(make_error(base::Code::kReset));
  if (inbox.segments.empty() && inbox.end_ms <= now_ms()) return 0;
  return std::unexpected(make_error(base::Code::kWouldBlock));
}

std::size_t SimNetwork::send_space(sys::SocketHandle handle) {
  Socket& socket = get(handle);
  if (socket.connected_ms > now_ms() || socket.refused || socket.send_ended || reset_arrived(socket.inbox)) return 0;
  const Socket* other = find(socket.other);
  if (other == nullptr) return kWindow;  // into the void: a reset comes back
  return other->inbox.window - std::min(other->inbox.window, other->inbox.size);
}

std::size_t SimNetwork::arrived(sys::SocketHandle handle) {
  std::size_t size = 0;
  for (const Segment& segment : get(handle).inbox.segments) {
    if (segment.arrives_ms > now_ms()) break;
    size += segment.bytes.size();
  }
  return size;
}

void SimNetwork::deliver(Inbox& inbox, std::string bytes) {
  inbox.size += bytes.size();
  while (!bytes.empty()) {
    const std::size_t count = random_.chance(faults_.split) ? random_.part_of(bytes.size()) : bytes.size();
    const std::int64_t arrives_ms = schedule(inbox);
    inbox.segments.push_back({.arrives_ms = arrives_ms, .bytes = bytes.substr(0, count)});
    bytes.erase(0, count);
  }
}

base::Result<std::size_t> SimNetwork::send(sys::SocketHandle handle, std::span<const sys::Slice> slices) {
  Socket& socket = get(handle);
  const bool broken = socket.refused || socket.send_ended || reset_arrived(socket.inbox);
  if (broken) return std::unexpected(make_error(base::Code::kReset));
  const std::size_t space = send_space(handle);
  std::string bytes;
  bool empty = true;
  for (const sys::Slice& slice : slices) {
    empty = empty && slice.size == 0;
    bytes.append(static_cast<const char*>(slice.data), std::min(slice.size, space - bytes.size()));
  }
  if (empty) return 0;
  if (bytes.empty()) return std::unexpected(make_error(base::Code::kWouldBlock));
  const std::size_t sent = bytes.size();
  note(sent);
  Socket* other = find(socket.other);
  if (other == nullptr) {
    send_reset(socket.inbox);
  } else {
    deliver(other->inbox, std::move(bytes));
  }
  return sent;
}

void SimNetwork::shutdown_send(sys::SocketHandle handle) {
  Socket& socket = get(handle);
  if (socket.send_ended) return;
  socket.send_ended = true;
  note(1);
  if (Socket* other = find(socket.other)) other->inbox.end_ms = schedule(other->inbox);
}

void SimNetwork::close(sys::SocketHandle handle, bool reset) {
  Socket* socket = find(handle);
  if (socket == nullptr) return;
  note(2);
  for (const sys::SocketHandle waiting : std::exchange(socket->backlog, {})) close(waiting, true);
  if (Socket* other = find(socket->other)) {
    if (reset || socket->inbox.size > 0) {
      send_reset(other->inbox);
    } else if (!socket->send_ended) {
      other->inbox.end_ms = schedule(other->inbox);
    }
    other->other = sys::kNoSocket;
  }
  sockets_.destroy(by_number_[static_cast<std::size_t>(handle - kFirstHandle)]);
}

void SimNetwork::set_window(sys::SocketHandle handle, std::size_t bytes) {
  get(handle).inbox.window = bytes;
  note(bytes);
}

void SimNetwork::break_connection(sys::SocketHandle handle) {
  Socket& socket = get(handle);
  for (Socket* end : {&socket, find(socket.other)}) {
    if (end != nullptr) send_reset(end->inbox);
  }
}

void SimNetwork::advance_to(std::int64_t time_ms) {
  if (time_ms > now_ms()) now_ms_.store(time_ms, std::memory_order_relaxed);
}

void SimNetwork::pass_turn() {
  if (random_.below(kTurnsAMillisecond) == 0) advance_to(now_ms() + 1);
}

std::int64_t SimNetwork::next_arrival_ms() {
  while (!arrivals_.empty() && arrivals_.top() <= now_ms()) arrivals_.pop();
  return arrivals_.empty() ? kNever : arrivals_.top();
}

std::int64_t SimNetwork::draw_delay_ms() {
  if (!random_.chance(faults_.delay)) return 0;
  return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(faults_.delay_ms_max))) + 1;
}

void SimNetwork::poll_peers() {
  peers_.for_each([](SimPeer& peer) { peer.poll(); });
}

void SimNetwork::note(std::uint64_t what) {
  ++activity_;
  SimRandom mixer(trace_ ^ what);
  trace_ = mixer.next() + static_cast<std::uint64_t>(now_ms());
}

}  // namespace tidegate::io
