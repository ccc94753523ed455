// The simulation: the same seed gives the same run, faults lose nothing, and the test's end sees what a real one would.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "contract/probe.h"
#include "io/loop.h"
#include "io/sim/sim_driver.h"
#include "io/sim/sim_network.h"
#include "io/sim/sim_peer.h"
#include "io/sim/sim_runner.h"

namespace tidegate::io {

namespace {

using contract::Probe;

base::Endpoint loopback() { return {.address = {.family = base::Family::kIpv4, .ip = {127, 0, 0, 1}}}; }

// A server that sends back what it gets, and ends when its client does. Written as real ones are: an object an op.
class Echo {
 public:
  struct Connection {
    Echo* server = nullptr;
    SocketId id;
    Op receiving;
    Op sending;
    std::string out;
    std::string in_flight;
    sys::Slice slice;
    bool input_ended = false;
    bool closed = false;
    bool failed = false;
  };

  Echo(SimNetwork& network, Loop& loop) : loop_(loop) {
    const auto listener = network.listen_at(loopback());
    REQUIRE(listener);
    endpoint_ = network.local_endpoint(*listener);
    base::Result<SocketId> id = loop.driver().attach(*listener);
    while (!id) id = loop.driver().attach(*listener);
    accepting_.verb = Verb::kAccept;
    accepting_.socket = *id;
    accepting_.owner = this;
    accepting_.done = [](Op& op, const Completion& completion) { static_cast<Echo*>(op.owner)->on_accept(completion); };
    loop.driver().submit(accepting_);
  }
  ~Echo() { loop_.driver().close(accepting_.socket, false); }

  [[nodiscard]] const base::Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] std::size_t open() const {
    return static_cast<std::size_t>(std::ranges::count_if(connections_, [](const auto& each) { return !each->closed; }));
  }
  void close_listener() { loop_.driver().close(accepting_.socket, false); }

 private:
  void on_accept(const Completion& completion) {
    if (completion.accepted != sys::kNoSocket) begin(completion.accepted);
    if (!completion.more && completion.error.code == base::Code::kNoDescriptors) loop_.driver().submit(accepting_);
  }

  void begin(sys::SocketHandle socket) {
    base::Result<SocketId> id = loop_.driver().attach(socket);
    while (!id) id = loop_.driver().attach(socket);
    connections_.push_back(std::make_unique<Connection>());
    Connection& one = *connections_.back();
    one.server = this;
    one.id = *id;
    one.receiving.socket = one.sending.socket = *id;
    one.receiving.owner = one.sending.owner = &one;
    one.sending.verb = Verb::kSend;
    one.receiving.done = [](Op& op, const Completion& completion) { on_received(*static_cast<Connection*>(op.owner), completion); };
    one.sending.done = [](Op& op, const Completion& completion) { on_sent(*static_cast<Connection*>(op.owner), completion); };
    loop_.driver().submit(one.receiving);
  }

  static void on_received(Connection& one, const Completion& completion) {
    Driver& driver = one.server->loop_.driver();
    if (completion.buffer) {
      one.out.append(completion.buffer.data, completion.buffer.size);
      driver.buffers().release(completion.buffer);
      flush(one);
    }
    if (completion.more || one.closed) return;
    if (completion.error.code == base::Code::kNoBuffers) return driver.submit(one.receiving);
    one.input_ended = true;
    one.failed = static_cast<bool>(completion.error);
    end_if_done(one);
  }

  static void on_sent(Connection& one, const Completion& completion) {
    if (one.closed) return;
    one.failed = one.failed || completion.error;
    one.out.insert(0, one.in_flight.substr(completion.bytes));
    one.in_flight.clear();
    flush(one);
    end_if_done(one);
  }

  static void flush(Connection& one) {
    if (one.out.empty() || one.sending.in_flight || one.failed) return;
    one.in_flight = std::move(one.out);
    one.out.clear();
    one.slice = {.data = one.in_flight.data(), .size = one.in_flight.size()};
    one.sending.arguments.send = {.slices = &one.slice, .count = 1, .more_follows = false};
    one.server->loop_.driver().submit(one.sending);
  }

  static void end_if_done(Connection& one) {
    const bool flushed = one.out.empty() && !one.sending.in_flight;
    if (!one.failed && !(one.input_ended && flushed)) return;
    one.closed = true;
    one.server->loop_.driver().close(one.id, one.failed);
  }

  Loop& loop_;
  Op accepting_;
  base::Endpoint endpoint_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

struct Outcome {
  std::uint64_t trace = 0;
  std::int64_t took_ms = 0;
  std::size_t answered = 0;
  std::size_t broken = 0;
  bool operator==(const Outcome&) const = default;
};

// Twenty clients, half a megabyte in all, through the echo server.
Outcome run_echo(std::uint64_t seed, const SimFaults& faults) {
  SimNetwork network(seed, faults);
  Outcome outcome;
  {
    Loop loop(std::make_unique<SimDriver>(network, std::uint16_t{4}, 512U));
    Echo server(network, loop);
    SimRunner runner(network);
    runner.add(loop);
    std::vector<std::unique_ptr<SimPeer>> clients;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<SimPeer>(network, server.endpoint()));
      texts.emplace_back(network.random().part_of(50'000), static_cast<char>('a' + i));
      clients.back()->send(texts.back());
      clients.back()->half_close();
    }
    runner.run_until_idle();
    for (std::size_t i = 0; i < clients.size(); ++i) {
      if (clients[i]->was_reset()) {
        ++outcome.broken;
        CHECK(texts[i].starts_with(clients[i]->received()));
      } else {
        ++outcome.answered;
        CHECK(clients[i]->ended());
        CHECK(clients[i]->received() == texts[i]);
      }
    }
    CHECK(server.open() == 0);
    CHECK(loop.driver().buffers().lent() == 0);
    outcome.trace = network.trace();
    outcome.took_ms = network.now_ms() - 1'000'000;
    server.close_listener();
    runner.run_until_idle();
  }
  CHECK(network.open_sockets() == 0);
  return outcome;
}

}  // namespace

TEST_CASE("sim: without faults everything arrives, and hardly any time passes") {
  const Outcome outcome = run_echo(1, {});
  CHECK(outcome.answered == 20);
  CHECK(outcome.took_ms < 1000);
}

TEST_CASE("sim: whatever is late, short or out of order, every byte arrives") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    CHECK(run_echo(seed, SimFaults::rough()).answered == 20);
  }
}

TEST_CASE("sim: broken connections end, and nothing is left behind") {
  std::size_t broken = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    const Outcome outcome = run_echo(seed, SimFaults::hostile());
    CHECK(outcome.answered + outcome.broken == 20);
    broken += outcome.broken;
  }
  CHECK(broken > 100);
}

TEST_CASE("sim: a seed gives the same run every time, another seed another one") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Outcome once = run_echo(seed, SimFaults::hostile());
    CHECK(once == run_echo(seed, SimFaults::hostile()));
    CHECK(once.trace != run_echo(seed + 100, SimFaults::hostile()).trace);
  }
}

TEST_CASE("sim: a slow reader stops the program, and nothing is lost") {
  SimNetwork network(1);
  SimDriver driver(network, 8, 1024);
  const auto [ours, theirs] = network.make_pair();
  SimPeer peer(network, theirs);
  peer.set_reading(false);
  peer.set_window(1000);
  const auto id = driver.attach(ours);
  REQUIRE(id);
  const std::string text(5000, 'x');
  Probe sending(driver);
  sending.send(*id, text);
  driver.turn(10);
  CHECK(sending.bytes() == 1000);
  sending.send(*id, std::string_view(text).substr(1000));
  for (int i = 0; i < 5; ++i) driver.turn(10);
  CHECK(!sending.over());
  peer.set_reading(true);
  driver.turn(10);
  CHECK(sending.over());
  CHECK(sending.total == 2000);
  CHECK(peer.received().size() == 1000);
  driver.close(*id, false);
}

TEST_CASE("sim: closing with unread bytes resets, as TCP does; a write into the void comes back as a reset") {
  SimNetwork network(1);
  SimDriver driver(network, 8, 1024);
  const auto [ours, theirs] = network.make_pair();
  SimPeer peer(network, theirs);
  const auto id = driver.attach(ours);
  REQUIRE(id);
  peer.send("never read");
  driver.close(*id, false);
  driver.turn(1);
  CHECK(peer.was_reset());

  const auto [second, far] = network.make_pair();
  SimPeer other(network, far);
  const auto second_id = driver.attach(second);
  REQUIRE(second_id);
  driver.close(*second_id, false);
  driver.turn(1);
  CHECK(other.ended());
  CHECK(!other.was_reset());
  other.send("too late");
  driver.turn(1);
  CHECK(other.was_reset());
}

TEST_CASE("sim: files shrink while they are sent, and handles of real files are read for real") {
  SimNetwork network(1);
  SimDriver driver(network, 8, 1024);
  const auto [ours, theirs] = network.make_pair();
  SimPeer peer(network, theirs);
  const auto id = driver.attach(ours);
  REQUIRE(id);
  const sys::FileHandle file = network.files().add("0123456789");
  Probe sending(driver);
  sending.send_file(*id, file, 2, 4);
  driver.turn(1);
  CHECK(sending.bytes() == 4);
  network.files().content(file) = "0123";
  sending.send_file(*id, file, 6, 4);
  driver.turn(1);
  CHECK(sending.over());
  CHECK(sending.bytes() == 0);
  network.files().remove(file);
  sending.send_file(*id, file, 0, 4);
  driver.turn(1);
  CHECK(sending.code() == base::Code::kInvalid);
  driver.turn(1);
  CHECK(peer.received() == "2345");
  driver.close(*id, false);
}

TEST_CASE("sim: refused connections, addresses in use, every address") {
  SimNetwork network(1);
  SimPeer lost(network, loopback());
  network.poll_peers();
  CHECK(lost.refused());
  base::Endpoint any{.address = {.family = base::Family::kIpv4, .port = 80}};
  const auto listener = network.listen_at(any);
  REQUIRE(listener);
  const auto again = network.listen_at(any);
  REQUIRE(!again);
  CHECK(again.error().code == base::Code::kAddressInUse);
  base::Endpoint somewhere = loopback();
  somewhere.address.port = 80;
  SimPeer client(network, somewhere);
  const auto accepted = network.accept_from(*listener);
  REQUIRE(accepted);
  CHECK(base::format_ip(accepted->peer) == "127.0.0.1");
  CHECK(accepted->peer.port != 0);
  network.close(accepted->socket, false);
  network.close(*listener, false);
}

TEST_CASE("sim: two loops on one clock, time passes only when both are idle") {
  SimNetwork network(1);
  Loop one(std::make_unique<SimDriver>(network, std::uint16_t{4}, 512U));
  Loop two(std::make_unique<SimDriver>(network, std::uint16_t{4}, 512U));
  SimRunner runner(network);
  runner.add(one);
  runner.add(two);
  struct Noted : Timer, Message {
    SimNetwork* network = nullptr;
    Loop* next = nullptr;
    std::int64_t fired_ms = 0;
    int hops = 0;
  };
  Noted timer;
  timer.network = &network;
  timer.fire = [](Timer& self) { static_cast<Noted&>(self).fired_ms = static_cast<Noted&>(self).network->now_ms(); };
  const std::int64_t start = network.now_ms();
  one.timers().arm(timer, start + 5000);
  Noted ball;
  ball.next = &two;
  ball.deliver = [](Message& message) {
    auto& self = static_cast<Noted&>(message);
    if (++self.hops < 10) self.next->post(self);
  };
  one.post(ball);
  runner.run_until_idle();
  CHECK(ball.hops == 10);
  CHECK(timer.fired_ms == 0);  // idle does not mean that timers are waited for
  runner.run_for(4000);
  CHECK(timer.fired_ms == 0);
  CHECK(runner.run_until([&] { return timer.fired_ms > 0; }, 3000));
  CHECK(timer.fired_ms >= start + 5000);
  CHECK(timer.fired_ms <= start + 5000 + TimerWheel::kTickMs);
  CHECK(!runner.run_until([] { return false; }, 1000));
}

}  // namespace tidegate::io
