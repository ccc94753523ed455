// The loop: over the simulated driver where time and order count, over real ones where threads do.
#include "io/loop.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/blocking_pool.h"
#include "io/portable/libevent_selector.h"
#include "io/readiness/readiness_driver.h"
#include "io/sim/sim_driver.h"
#include "io/sim/sim_network.h"
#include "io/sim/sim_peer.h"

namespace tidegate::io {

namespace {

std::unique_ptr<Driver> real_driver(BlockingPool& pool, const char* method = nullptr) {
  auto selector = make_libevent_selector({.method = method});
  REQUIRE(selector);
  return std::make_unique<ReadinessDriver>(std::move(*selector), pool, std::uint16_t{8}, 1024U);
}

std::unique_ptr<Driver> sim_driver(SimNetwork& network) {
  return std::make_unique<SimDriver>(network, std::uint16_t{8}, 1024U);
}

// Writes its name into a list when it happens.
struct Event : Message, Timer, Doomed {
  std::string name;
  std::vector<std::string>* seen;
  Loop* loop = nullptr;

  Event(std::string what, std::vector<std::string>& list) : name(std::move(what)), seen(&list) {
    deliver = [](Message& message) { static_cast<Event&>(message).note("message"); };
    fire = [](Timer& timer) { static_cast<Event&>(timer).note("timer"); };
    destroy = [](Doomed& doomed) { static_cast<Event&>(doomed).note("destroy"); };
  }
  void note(const char* how) { seen->push_back(name + " " + how); }
};

}  // namespace

TEST_CASE("loop: completions, then timers, then messages, then what is doomed") {
  SimNetwork network(1);
  Loop loop(sim_driver(network));
  std::vector<std::string> seen;
  Event event("a", seen);
  event.loop = &loop;
  const auto [ours, theirs] = network.make_pair();
  const auto id = loop.driver().attach(ours);
  REQUIRE(id);
  SimPeer peer(network, theirs);
  Op op;
  op.owner = &event;
  op.socket = *id;
  op.done = [](Op& self, const Completion& completion) {
    auto& to = *static_cast<Event*>(self.owner);
    if (!completion.buffer) return;
    to.note("completion");
    to.loop->doom(to);
    to.loop->post(to);
    to.loop->timers().arm(to, 0);
    to.loop->driver().buffers().release(completion.buffer);
  };
  loop.driver().submit(op);
  peer.send("x");
  for (int i = 0; i < 10 && seen.size() < 3; ++i) loop.turn(20);
  // The timer was armed for the past, so it fires at the next tick.
  CHECK(seen == std::vector<std::string>{"a completion", "a message", "a destroy"});
  while (seen.size() < 4) loop.turn(20);
  CHECK(seen.back() == "a timer");
  loop.driver().close(*id, false);
  while (op.in_flight) loop.turn(20);
}

TEST_CASE("loop: what is doomed outside of a turn goes with the next one, which does not wait") {
  SimNetwork network(1);
  Loop loop(sim_driver(network));
  std::vector<std::string> seen;
  Event event("a", seen);
  loop.doom(event);
  CHECK(seen.empty());
  const std::int64_t before = network.now_ms();
  loop.turn(100'000);
  CHECK(seen == std::vector<std::string>{"a destroy"});
  CHECK(network.now_ms() < before + 10);
}

TEST_CASE("loop: the destruction of one object may doom another") {
  SimNetwork network(1);
  Loop loop(sim_driver(network));
  struct Chain : Doomed {
    Loop* loop = nullptr;
    Chain* next = nullptr;
    bool gone = false;
  };
  Chain first;
  Chain second;
  first.loop = second.loop = &loop;
  first.next = &second;
  first.destroy = second.destroy = [](Doomed& doomed) {
    auto& self = static_cast<Chain&>(doomed);
    self.gone = true;
    if (self.next != nullptr) self.loop->doom(*self.next);
  };
  loop.doom(first);
  loop.turn(0);
  CHECK(first.gone);
  CHECK(second.gone);
}

TEST_CASE("loop: timers fire within a tick on the driver's clock, also when the turn before took long") {
  SimNetwork network(1);
  Loop loop(sim_driver(network));
  struct Busy : Timer {
    SimNetwork* network = nullptr;
    std::int64_t takes_ms = 0;
    std::int64_t fired_ms = 0;
  };
  const auto fire = [](Timer& timer) {
    auto& self = static_cast<Busy&>(timer);
    self.fired_ms = self.network->now_ms();
    self.network->advance_to(self.fired_ms + self.takes_ms);
  };
  Busy busy;
  Busy after;
  busy.network = after.network = &network;
  busy.fire = after.fire = fire;
  busy.takes_ms = 100;
  const std::int64_t start = network.now_ms();
  loop.timers().arm(busy, start + 50);
  loop.timers().arm(after, start + 200);
  while (after.fired_ms == 0) loop.turn(Driver::kForever);
  CHECK(busy.fired_ms >= start + 50);
  CHECK(busy.fired_ms <= start + 50 + TimerWheel::kTickMs);
  // Waiting from the clock of the turn before would make this one 100 ms late.
  CHECK(after.fired_ms >= start + 200);
  CHECK(after.fired_ms <= start + 200 + TimerWheel::kTickMs);
}

TEST_CASE("loop: the longest turn is measured and taken once") {
  SimNetwork network(1);
  Loop loop(sim_driver(network));
  struct Busy : Message {
    SimNetwork* network = nullptr;
    Loop* loop = nullptr;
    std::int64_t busy_since = 0;
  };
  Busy busy;
  busy.network = &network;
  busy.loop = &loop;
  busy.deliver = [](Message& message) {
    auto& self = static_cast<Busy&>(message);
    self.busy_since = self.loop->busy_since_ms();
    self.network->advance_to(self.network->now_ms() + 123);
  };
  loop.post(busy);
  loop.turn(0);
  CHECK(busy.busy_since > 0);
  CHECK(loop.busy_since_ms() == 0);
  CHECK(loop.take_longest_turn_ms() == 123);
  CHECK(loop.take_longest_turn_ms() == 0);
  CHECK(loop.now_ms() < network.now_ms());  // read once a turn
}

TEST_CASE("loop: it ends with ops in flight, messages and doomed objects left") {
  SimNetwork network(1);
  std::vector<std::string> seen;
  struct Owner : Doomed {
    Loop* loop = nullptr;
    Op op;
    std::vector<std::string>* seen = nullptr;
  };
  Owner owner;
  Event message("m", seen);
  Event doomed("d", seen);
  {
    Loop loop(sim_driver(network));
    owner.loop = &loop;
    owner.seen = &seen;
    owner.destroy = [](Doomed& self) { static_cast<Owner&>(self).seen->push_back("owner destroyed"); };
    owner.op.owner = &owner;
    owner.op.socket = *loop.driver().attach(network.make_pair().first);
    owner.op.done = [](Op& op, const Completion& completion) {
      auto& self = *static_cast<Owner*>(op.owner);
      CHECK(completion.error.code == base::Code::kCancelled);
      self.loop->driver().close(op.socket, false);  // the driver can still be asked
      self.loop->doom(self);
    };
    loop.driver().submit(owner.op);
    loop.post(message);
    loop.doom(doomed);
  }
  CHECK(!owner.op.in_flight);
  CHECK(seen == std::vector<std::string>{"m message", "d destroy", "owner destroyed"});
}

TEST_CASE("loop: post from many threads wakes it up and loses nothing") {
  for (const char* method : {"epoll", "poll"}) {
    constexpr int kSenders = 3;
    constexpr int kMessages = 3000;
    BlockingPool pool(1);
    Loop loop(real_driver(pool, method));
    struct Counted : Message {
      Loop* loop = nullptr;
      int* count = nullptr;
    };
    int count = 0;
    std::vector<std::vector<Counted>> messages(kSenders);
    for (auto& of_sender : messages) {
      of_sender = std::vector<Counted>(kMessages);
      for (Counted& message : of_sender) {
        message.loop = &loop;
        message.count = &count;
        message.deliver = [](Message& base) {
          auto& self = static_cast<Counted&>(base);
          if (++*self.count == kSenders * kMessages) self.loop->stop();
        };
      }
    }
    std::vector<std::thread> senders;
    for (auto& of_sender : messages) {
      senders.emplace_back([&of_sender, &loop] {
        for (std::size_t i = 0; i < of_sender.size(); ++i) {
          loop.post(of_sender[i]);
          if (i % 64 == 0) std::this_thread::yield();
        }
      });
    }
    loop.run();  // hangs when a wake is lost
    for (std::thread& sender : senders) sender.join();
    CHECK(count == kSenders * kMessages);
  }
}

TEST_CASE("loop: ping and pong between two loops on two threads") {
  BlockingPool pool(1);
  Loop here(real_driver(pool));
  Loop there(real_driver(pool));
  struct Ball : Message {
    Loop* loops[2] = {};
    int hops = 0;
  };
  Ball ball;
  ball.loops[0] = &here;
  ball.loops[1] = &there;
  ball.deliver = [](Message& message) {
    auto& self = static_cast<Ball&>(message);
    if (++self.hops == 4000) {
      self.loops[0]->stop();
      self.loops[1]->stop();
    } else {
      self.loops[self.hops % 2]->post(self);
    }
  };
  std::thread other([&there] { there.run(); });
  here.post(ball);
  here.run();
  other.join();
  CHECK(ball.hops == 4000);
}

TEST_CASE("loop: stop before run, and from another thread while it waits") {
  BlockingPool pool(1);
  {
    Loop loop(real_driver(pool));
    loop.stop();
    loop.run();
  }
  for (int round = 0; round < 100; ++round) {
    Loop loop(real_driver(pool));
    std::thread stopper([&loop] { loop.stop(); });
    loop.run();
    stopper.join();
  }
}

TEST_CASE("loop: on the real clock a timer is not early") {
  BlockingPool pool(1);
  Loop loop(real_driver(pool));
  struct Stopper : Timer {
    Loop* loop = nullptr;
  };
  Stopper stopper;
  stopper.loop = &loop;
  stopper.fire = [](Timer& timer) { static_cast<Stopper&>(timer).loop->stop(); };
  const std::int64_t began = loop.driver().now_ms();
  loop.timers().arm(stopper, began + 40);
  loop.run();
  CHECK(loop.driver().now_ms() - began >= 40);
}

}  // namespace tidegate::io
