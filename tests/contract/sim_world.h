// The simulated network with a SimDriver over it.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "contract/world.h"
#include "io/sim/sim_driver.h"
#include "io/sim/sim_network.h"
#include "io/sim/sim_peer.h"

namespace tidegate::contract {

inline constexpr std::size_t kSmallWindow = 4096;

class SimWorldPeer final : public Peer {
 public:
  SimWorldPeer(io::SimNetwork& network, sys::SocketHandle socket) : peer_(network, socket) { peer_.set_reading(false); }

  std::size_t write(std::string_view bytes) override {
    peer_.send(bytes);
    return bytes.size();  // what does not fit now is sent later
  }
  std::string read(std::size_t most) override {
    peer_.set_reading(true);
    peer_.set_read_max(most);
    peer_.poll();
    peer_.set_reading(false);
    return peer_.take();
  }
  [[nodiscard]] bool ended() const override { return peer_.ended(); }
  [[nodiscard]] bool was_reset() const override { return peer_.was_reset(); }
  void half_close() override { peer_.half_close(); }
  void close() override { peer_.close(); }
  void reset() override { peer_.reset(); }

 private:
  io::SimPeer peer_;
};

class SimWorld final : public World {
 public:
  SimWorld(const WorldOptions& options, const io::SimFaults& faults)
      : network_(options.seed, faults),
        driver_(std::make_unique<io::SimDriver>(network_, options.buffer_count, options.buffer_size)) {}

  [[nodiscard]] io::Driver& driver() override { return *driver_; }
  void end_driver() override { driver_.reset(); }

  [[nodiscard]] Pair pair(const PairOptions& options) override {
    const auto [ours, theirs] = network_.make_pair();
    if (options.small_buffers) {
      network_.set_window(ours, kSmallWindow);
      network_.set_window(theirs, kSmallWindow);
    }
    const auto id = driver_->attach(ours);
    REQUIRE(id);
    return {.socket = *id, .peer = std::make_unique<SimWorldPeer>(network_, theirs)};
  }

  [[nodiscard]] io::SocketId listen() override {
    const auto listener = network_.listen_at({.address = {.family = base::Family::kIpv4, .ip = {127, 0, 0, 1}}});
    REQUIRE(listener);
    endpoint_ = network_.local_endpoint(*listener);
    const auto id = driver_->attach(*listener);
    REQUIRE(id);
    return *id;
  }
  [[nodiscard]] std::unique_ptr<Peer> connect() override {
    return std::make_unique<SimWorldPeer>(network_, network_.connect_to(endpoint_));
  }
  [[nodiscard]] sys::SocketHandle start_connecting(bool to_listener) override {
    base::Endpoint endpoint = endpoint_;
    if (!to_listener) endpoint.address.port = 1;
    return network_.connect_to(endpoint);
  }

  [[nodiscard]] sys::FileHandle make_file(std::string_view content) override {
    return network_.files().add(std::string(content));
  }
  void resize_file(sys::FileHandle file, std::size_t size) override { network_.files().content(file).resize(size); }

 private:
  io::SimNetwork network_;
  std::unique_ptr<io::SimDriver> driver_;
  base::Endpoint endpoint_;
};

[[nodiscard]] inline std::unique_ptr<World> make_sim_world(const WorldOptions& options, const io::SimFaults& faults) {
  return std::make_unique<SimWorld>(options, faults);
}

}  // namespace tidegate::contract
