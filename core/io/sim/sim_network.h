// A simulated kernel: sockets, listeners, files and a clock in memory. What happens follows from the seed alone, so a
// failing run can be repeated. Used by SimDriver (the program's side) and SimPeer (the test's side); one thread.
//
// Time stands still while the program works (but for a millisecond now and then) and jumps when it waits. Bytes, ends and
// resets travel: they reach the other side at once or, with faults, some milliseconds later, always in order.
//
// Handles are numbers beyond all descriptors of the real system, and are used again as the real ones are. Calls of
// sys/socket.h fail on them without harm.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/error.h"
#include "base/intrusive_list.h"
#include "base/slab.h"
#include "io/sim/sim_faults.h"
#include "io/sim/sim_files.h"
#include "sys/socket.h"

namespace tidegate::io {

class SimPeer;

class SimNetwork {
 public:
  static constexpr std::int64_t kNever = INT64_MAX;
  static constexpr std::size_t kWindow = 64 * 1024;  // bytes on their way or unread, a direction
  static constexpr std::size_t kBacklogMax = 4096;

  explicit SimNetwork(std::uint64_t seed, const SimFaults& faults = {});
  ~SimNetwork();
  SimNetwork(const SimNetwork&) = delete;
  SimNetwork& operator=(const SimNetwork&) = delete;

  // In place of sys::listen_at, sys::connect_to and sys::local_endpoint. Port 0 becomes a free one. An unspecified
  // address takes connections for every address; without `from` the client is a new port of the loopback address.
  // Errors of listening: kAddressInUse.
  [[nodiscard]] base::Result<sys::SocketHandle> listen_at(base::Endpoint endpoint);
  [[nodiscard]] sys::SocketHandle connect_to(const base::Endpoint& endpoint, const base::Address& from = {});
  [[nodiscard]] const base::Endpoint& local_endpoint(sys::SocketHandle listener);
  // Two ends of one connection.
  [[nodiscard]] std::pair<sys::SocketHandle, sys::SocketHandle> make_pair();

  // The calls of sys/socket.h, with the same meaning and errors.
  [[nodiscard]] base::Result<sys::Accepted> accept_from(sys::SocketHandle listener);
  [[nodiscard]] base::Error connect_outcome(sys::SocketHandle socket);  // kWouldBlock while it is under way
  [[nodiscard]] base::Result<std::size_t> receive(sys::SocketHandle socket, void* into, std::size_t size);
  [[nodiscard]] base::Result<std::size_t> send(sys::SocketHandle socket, std::span<const sys::Slice> slices);
  void shutdown_send(sys::SocketHandle socket);
  // A close with unread bytes tells the other side that they were lost (RST), as TCP does.
  void close(sys::SocketHandle socket, bool reset);

  // How many bytes a send would take now (0: it would have to wait, or fail).
  [[nodiscard]] std::size_t send_space(sys::SocketHandle socket);
  // How many bytes have arrived and were not received.
  [[nodiscard]] std::size_t arrived(sys::SocketHandle socket);
  // How many bytes may be on their way to this socket or unread there.
  void set_window(sys::SocketHandle socket, std::size_t bytes);
  // Both sides lose the connection now.
  void break_connection(sys::SocketHandle socket);
  [[nodiscard]] bool is_open(sys::SocketHandle socket) { return find(socket) != nullptr; }
  // Sockets of any kind that nobody has closed.
  [[nodiscard]] std::size_t open_sockets() const { return sockets_.size(); }

  [[nodiscard]] std::int64_t now_ms() const { return now_ms_.load(std::memory_order_relaxed); }  // any thread
  // Time passes; never back.
  void advance_to(std::int64_t time_ms);
  // A turn of a program takes time: every now and then a millisecond.
  void pass_turn();
  // When the next thing that is on its way arrives; kNever: nothing is.
  [[nodiscard]] std::int64_t next_arrival_ms();
  // A delay as the faults want it: 0, or some milliseconds.
  [[nodiscard]] std::int64_t draw_delay_ms();

  [[nodiscard]] SimRandom& random() { return random_; }
  [[nodiscard]] SimFaults& faults() { return faults_; }
  [[nodiscard]] SimFiles& files() { return files_; }

  // Lets the test's ends send and receive what they can.
  void poll_peers();
  // Whatever happened is counted and mixed into a sum: two runs with one seed must have equal sums.
  void note(std::uint64_t what);
  [[nodiscard]] std::uint64_t activity() const { return activity_; }
  [[nodiscard]] std::uint64_t trace() const { return trace_; }

 private:
  friend class SimPeer;

  struct Segment {
    std::int64_t arrives_ms;
    std::string bytes;
  };
  // What the other side sent to a socket.
  struct Inbox {
    std::deque<Segment> segments;
    std::size_t size = 0;
    std::size_t window = kWindow;
    std::int64_t last_arrival_ms = 0;  // nothing overtakes
    std::int64_t end_ms = kNever;
    std::int64_t reset_ms = kNever;
    bool reset_takes_data = false;  // unread bytes go with it
  };
  struct Socket {
    sys::SocketHandle other = sys::kNoSocket;  // the other end while it is open
    Inbox inbox;
    bool send_ended = false;
    bool listens = false;
    std::int64_t connected_ms = 0;  // when connect_to is over
    bool refused = false;
    base::Address from;                      // of a connection: the client's address
    base::Endpoint bound;                    // of a listener
    std::deque<sys::SocketHandle> backlog;   // of a listener
  };

  [[nodiscard]] Socket* find(sys::SocketHandle handle);
  [[nodiscard]] Socket& get(sys::SocketHandle handle);
  [[nodiscard]] sys::SocketHandle make_socket();
  [[nodiscard]] base::Address made_up_client(base::Family family);
  [[nodiscard]] sys::SocketHandle listener_for(const base::Endpoint& endpoint);
  // When something sent now reaches the inbox.
  std::int64_t schedule(Inbox& inbox);
  void send_reset(Inbox& inbox);
  void deliver(Inbox& inbox, std::string bytes);
  [[nodiscard]] bool reset_arrived(Inbox& inbox);

  SimRandom random_;
  SimFaults faults_;
  SimFiles files_;
  std::atomic<std::int64_t> now_ms_{1'000'000};
  base::Slab<Socket> sockets_;
  std::vector<base::Handle> by_number_;  // handle - first -> place in the slab
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> arrivals_;
  base::IntrusiveList<SimPeer> peers_;
  std::uint16_t next_port_ = 20'000;
  std::uint64_t activity_ = 0;
  std::uint64_t trace_ = 0;
};

}  // namespace tidegate::io
