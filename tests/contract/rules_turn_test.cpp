// Rule 9, the wait of a turn and its end by wake().
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "contract/backends.h"
#include "contract/probe.h"
#include "sys/thread.h"

namespace tidegate::contract {

namespace {
using Clock = std::chrono::steady_clock;
}

TIDEGATE_CONTRACT("rule 9: a turn delivers a bounded number of completions", TIDEGATE_ALL_BACKENDS) {
  sys::raise_descriptor_limit();
  TIDEGATE_WORLD(.buffer_count = 2000, .buffer_size = 64);
  const sys::FileHandle file = world->make_file("0123456789");
  std::vector<std::unique_ptr<Probe>> probes;
  std::vector<Pair> pairs;
  int delivered = 0;
  const auto count = [&](Probe&, const io::Completion&) { ++delivered; };
  char byte = 0;
  for (int i = 0; i < 3000; ++i) {
    probes.push_back(std::make_unique<Probe>(driver));
    probes.back()->read_at(file, &byte, 1, 0);
    probes.back()->on_done = count;
  }
  for (int i = 0; i < 300; ++i) {
    pairs.push_back(world->pair({.tcp = false}));
    REQUIRE(pairs.back().peer->write("x") == 1);
    probes.push_back(std::make_unique<Probe>(driver));
    probes.back()->receive(pairs.back().socket);
    probes.back()->on_done = count;
  }
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  int most = 0;
  int total = 0;
  while (total < 3300 && Clock::now() < deadline) {
    delivered = 0;
    driver.turn(1);
    most = std::max(most, delivered);
    total += delivered;
    for (std::size_t i = 3000; i < probes.size(); ++i) {
      if (probes[i]->over() && probes[i]->code() == base::Code::kNoBuffers) {
        --total;
        probes[i]->again();
      }
    }
  }
  CHECK(total == 3300);
  CHECK(most <= io::Driver::kCompletionsMax);
  CHECK(most > 0);
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 9: a listener with a long queue does not fill the turn", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const io::SocketId listener = world->listen();
  std::vector<std::unique_ptr<Peer>> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(world->connect());
  std::vector<io::SocketId> accepted;
  int in_turn = 0;
  Probe accepting(driver);
  accepting.on_done = [&](Probe&, const io::Completion& completion) {
    if (completion.accepted == sys::kNoSocket) return;
    ++in_turn;
    const auto id = driver.attach(completion.accepted);
    REQUIRE(id);
    accepted.push_back(*id);
  };
  accepting.accept(listener);
  REQUIRE(world->turn_until([&] {
    CHECK(in_turn <= io::Driver::kCompletionsMax);
    in_turn = 0;
    return accepted.size() == 200;
  }));
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 9: an op that is always ready does not hold the turn", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const sys::FileHandle file = world->make_file("0123456789");
  char byte = 0;
  int delivered = 0;
  bool go_on = true;
  Probe reading(driver);
  reading.on_done = [&](Probe& self, const io::Completion&) {
    ++delivered;
    self.completions.clear();
    if (go_on) self.again();
  };
  reading.read_at(file, &byte, 1, 0);
  for (int i = 0; i < 10; ++i) {
    delivered = 0;
    driver.turn(1);
    CHECK(delivered <= io::Driver::kCompletionsMax);
  }
  go_on = false;
  REQUIRE(world->turn_until([&] { return reading.over(); }));
}

TIDEGATE_CONTRACT("a turn waits no longer than it may", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe receiving(driver);
  receiving.receive(one.socket);
  world->settle();
  const std::int64_t began_ms = driver.now_ms();
  while (driver.now_ms() - began_ms < 60) driver.turn(60 - (driver.now_ms() - began_ms));
  CHECK(driver.now_ms() - began_ms < 5000);
  const auto zero = Clock::now();
  for (int i = 0; i < 100; ++i) driver.turn(0);
  CHECK(Clock::now() - zero < std::chrono::seconds(5));
  // A long wait ends with the first event.
  REQUIRE(one.peer->write("x") == 1);
  REQUIRE(world->turn_until([&] { return receiving.data == "x"; }));
  world->end_driver();
}

TIDEGATE_CONTRACT("the hook runs once a turn, before the first completion", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  struct Seen {
    int hooks = 0;
    int hooks_at_completion = -1;
  } seen;
  driver.on_woke([](void* context) { ++static_cast<Seen*>(context)->hooks; }, &seen);
  const Pair one = world->pair();
  const sys::FileHandle file = world->make_file("0123456789");
  char byte = 0;
  for (int round = 0; round < 20; ++round) {
    Probe sending(driver);
    Probe reading(driver);
    sending.on_done = reading.on_done = [&](Probe&, const io::Completion&) { seen.hooks_at_completion = seen.hooks; };
    sending.send(one.socket, "x");
    if (round % 2 == 0) reading.read_at(file, &byte, 1, 0);
    while (sending.in_flight || reading.in_flight) {
      seen.hooks = 0;
      seen.hooks_at_completion = -1;
      driver.turn(1);
      CHECK(seen.hooks == 1);
      CHECK((seen.hooks_at_completion == -1 || seen.hooks_at_completion == 1));
    }
  }
  driver.on_woke(nullptr, nullptr);
}

namespace {

// A wait that only a lost wake makes last. In the simulation it is endless, so that time does not end it.
std::int64_t long_wait_ms(const io::Driver& driver) { return driver.name() == "sim" ? io::Driver::kForever : 5000; }

}  // namespace

TIDEGATE_CONTRACT("wake before the turn ends the turn's wait", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe receiving(driver);
  receiving.receive(one.socket);
  world->settle();
  const auto began = Clock::now();
  for (int i = 0; i < 10; ++i) {
    driver.wake();
    if (i % 2 == 0) driver.wake();
    driver.turn(long_wait_ms(driver));
  }
  CHECK(Clock::now() - began < std::chrono::seconds(4));
  CHECK(!receiving.over());
  world->end_driver();
}

TIDEGATE_CONTRACT("wake from other threads ends the wait, whenever it comes", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  driver.turn(0);
  constexpr int kThreads = 3;
  constexpr int kWakes = 300;
  std::atomic<int> asked{0};
  std::atomic<int> seen{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kWakes; ++i) {
        const int mine = asked.fetch_add(1) + 1;
        driver.wake();
        // The next one only when the loop has seen this one.
        while (seen.load() < mine) std::this_thread::yield();
      }
    });
  }
  int lost = 0;
  while (seen.load() < kThreads * kWakes) {
    const auto began = Clock::now();
    driver.turn(long_wait_ms(driver));
    if (Clock::now() - began > std::chrono::seconds(4)) ++lost;
    seen.store(asked.load());
  }
  CHECK(lost == 0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tidegate::contract
