#include "io/sim/sim_peer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tidegate::io {

SimPeer::SimPeer(SimNetwork& network, sys::SocketHandle socket) : network_(network), socket_(socket) {
  network_.peers_.push_back(*this);
}

SimPeer::SimPeer(SimNetwork& network, const base::Endpoint& listener, const base::Address& from)
    : SimPeer(network, network.connect_to(listener, from)) {}

SimPeer::~SimPeer() {
  close();
  unlink();
}

void SimPeer::send(std::string_view bytes) {
  unsent_.append(bytes);
  poll();
}

void SimPeer::half_close() {
  end_wanted_ = true;
  poll();
}

void SimPeer::close() {
  if (socket_ != sys::kNoSocket) network_.close(std::exchange(socket_, sys::kNoSocket), false);
}

void SimPeer::reset() {
  if (socket_ != sys::kNoSocket) network_.close(std::exchange(socket_, sys::kNoSocket), true);
}

void SimPeer::set_window(std::size_t bytes) {
  if (socket_ != sys::kNoSocket) network_.set_window(socket_, bytes);
}

std::string SimPeer::take() { return std::exchange(received_, {}); }

void SimPeer::poll() {
  if (socket_ == sys::kNoSocket) return;
  const base::Error outcome = network_.connect_outcome(socket_);
  if (outcome.code == base::Code::kWouldBlock) return;
  refused_ = outcome.code == base::Code::kRefused;
  if (refused_) return;
  send_now();
  if (reading_) receive_now();
}

void SimPeer::send_now() {
  while (!unsent_.empty() && !reset_) {
    const sys::Slice slice{.data = unsent_.data(), .size = unsent_.size()};
    const auto sent = network_.send(socket_, {&slice, 1});
    if (!sent) {
      reset_ = sent.error().code == base::Code::kReset;
      break;
    }
    unsent_.erase(0, *sent);
  }
  if (!end_wanted_ || end_sent_ || !unsent_.empty()) return;
  end_sent_ = true;
  network_.shutdown_send(socket_);
}

void SimPeer::receive_now() {
  std::array<char, 16 * 1024> bytes;
  for (std::size_t left = read_max_; left > 0;) {
    const auto received = network_.receive(socket_, bytes.data(), std::min(left, bytes.size()));
    if (!received) {
      reset_ = reset_ || received.error().code == base::Code::kReset;
      return;
    }
    ended_ = *received == 0;
    if (ended_) return;
    received_.append(bytes.data(), *received);
    left -= *received;
  }
}

}  // namespace tidegate::io
