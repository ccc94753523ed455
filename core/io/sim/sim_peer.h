// The test's end of a simulated connection: a client that speaks to the program, or a server that the program calls.
// It sends what it is told as fast as the window allows and, unless told otherwise, reads whatever arrives.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/address.h"
#include "base/intrusive_list.h"
#include "io/sim/sim_network.h"

namespace tidegate::io {

class SimPeer : public base::Link {
 public:
  // Takes over a connected socket of the network.
  SimPeer(SimNetwork& network, sys::SocketHandle socket);
  // A client of whoever listens at the endpoint.
  SimPeer(SimNetwork& network, const base::Endpoint& listener, const base::Address& from = {});
  ~SimPeer();  // closes
  SimPeer(const SimPeer&) = delete;
  SimPeer& operator=(const SimPeer&) = delete;

  // Sends the bytes, now or as room appears.
  void send(std::string_view bytes);
  // Ends the sending side, after what is still to send.
  void half_close();
  // Closes at once: in order, or as a broken connection.
  void close();
  void reset();

  // While off, nothing is read: the window fills and the program must wait.
  void set_reading(bool on) { reading_ = on; }
  // Reads at most so many bytes a poll.
  void set_read_max(std::size_t bytes) { read_max_ = bytes; }
  // How much the program may send ahead of what is read here.
  void set_window(std::size_t bytes);

  // What has arrived since the last take().
  [[nodiscard]] const std::string& received() const { return received_; }
  [[nodiscard]] std::string take();
  [[nodiscard]] bool ended() const { return ended_; }       // the program ended its sending side, and all was read
  [[nodiscard]] bool was_reset() const { return reset_; }   // the program (or the network) broke the connection
  [[nodiscard]] bool refused() const { return refused_; }   // nobody listened
  [[nodiscard]] std::size_t unsent() const { return unsent_.size(); }
  [[nodiscard]] sys::SocketHandle socket() const { return socket_; }

  // Sends and receives what can be; called by the network whenever the program turns.
  void poll();

 private:
  void send_now();
  void receive_now();

  SimNetwork& network_;
  sys::SocketHandle socket_;
  std::string unsent_;
  std::string received_;
  std::size_t read_max_ = SIZE_MAX;
  bool reading_ = true;
  bool end_wanted_ = false;
  bool end_sent_ = false;
  bool ended_ = false;
  bool reset_ = false;
  bool refused_ = false;
};

}  // namespace tidegate::io
