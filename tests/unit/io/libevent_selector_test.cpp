// The libevent selector by itself; what it is worth under a driver is tested by the contract suite.
#include "io/portable/libevent_selector.h"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/slab.h"
#include "sys/socket.h"

namespace tidegate::io {

namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t key_of(std::uint32_t index, std::uint32_t generation = 1) { return base::Handle{index, generation}.packed(); }

struct Pair {
  sys::SocketHandle near = sys::kNoSocket;
  sys::SocketHandle far = sys::kNoSocket;

  Pair() {
    const auto listener = sys::listen_at({.address = {.family = base::Family::kIpv4, .ip = {127, 0, 0, 1}}}, {});
    REQUIRE(listener);
    const auto bound = sys::local_endpoint(*listener);
    REQUIRE(bound);
    near = sys::connect_to(*bound).value_or(sys::kNoSocket);
    REQUIRE(near != sys::kNoSocket);
    base::Result<sys::Accepted> accepted = std::unexpected(base::Error{});
    while (!accepted) accepted = sys::accept_from(*listener);
    far = accepted->socket;
    sys::close_socket(*listener, false);
  }
  ~Pair() {
    sys::close_socket(near, false);
    sys::close_socket(far, false);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void write() const {
    const sys::Slice byte{.data = "x", .size = 1};
    REQUIRE(sys::send(far, {&byte, 1}, false).value_or(0) == 1);
  }
  void drain() const {
    std::array<char, 64> bytes;
    while (sys::receive(near, bytes.data(), bytes.size()).value_or(0) > 0) {
    }
  }
};

std::unique_ptr<LibeventSelector> make(const char* method) {
  auto made = make_libevent_selector({.method = method});
  REQUIRE(made);
  return std::move(*made);
}

// The events of one wait.
std::vector<ReadyEvent> wait(Selector& selector, std::int64_t timeout_ms, std::size_t room = 64) {
  std::vector<ReadyEvent> events(room);
  events.resize(selector.wait(timeout_ms, events));
  return events;
}

// Waits until something is reported.
std::vector<ReadyEvent> wait_for_some(Selector& selector) {
  std::vector<ReadyEvent> events;
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (events.empty() && Clock::now() < deadline) events = wait(selector, 100);
  return events;
}

}  // namespace

TEST_CASE("libevent: the method can be chosen") {
  const auto poll = make("poll");
  CHECK(poll->name() == "libevent");
  CHECK(poll->method() == "poll");
  CHECK(!poll->edge_triggered());
#ifdef __linux__
  const auto best = make(nullptr);
  CHECK(best->method() == "epoll");
  CHECK(best->edge_triggered());
#endif
  const auto unknown = make_libevent_selector({.method = "carrier pigeon"});
  REQUIRE(!unknown);
  CHECK(unknown.error().code == base::Code::kNotSupported);
}

TEST_CASE("libevent: with edges an event is told once, and again after a change") {
  const auto selector = make(nullptr);
  if (!selector->edge_triggered()) return;
  const Pair pair;
  REQUIRE(!selector->add(pair.near, key_of(0)));
  CHECK(wait_for_some(*selector).at(0).writable);
  CHECK(wait(*selector, 0).empty());
  pair.write();
  const auto first = wait_for_some(*selector);
  REQUIRE(first.size() == 1);
  CHECK(first[0].key == key_of(0));
  CHECK(first[0].readable);
  CHECK(wait(*selector, 0).empty());
  pair.write();
  CHECK(wait_for_some(*selector).size() == 1);
  selector->remove(pair.near, key_of(0));
}

TEST_CASE("libevent: without edges a direction is told once each time it is wanted") {
  for (const char* method : {"poll", "select"}) {
    const auto selector = make(method);
    const Pair pair;
    REQUIRE(!selector->add(pair.near, key_of(3)));
    pair.write();
    CHECK(wait(*selector, 0).empty());  // nobody wants it
    selector->want(key_of(3), true, false);
    const auto read = wait_for_some(*selector);
    REQUIRE(read.size() == 1);
    CHECK(read[0].readable);
    CHECK(!read[0].writable);
    CHECK(wait(*selector, 0).empty());
    selector->want(key_of(3), true, true);
    const auto both = wait_for_some(*selector);
    REQUIRE(both.size() == 1);
    CHECK(both[0].readable);
    CHECK(both[0].writable);
    pair.drain();
    // One direction that comes leaves the other wanted.
    selector->want(key_of(3), true, true);
    const auto write = wait_for_some(*selector);
    REQUIRE(write.size() == 1);
    CHECK(!write[0].readable);
    CHECK(write[0].writable);
    CHECK(wait(*selector, 0).empty());
    pair.write();
    CHECK(wait_for_some(*selector).at(0).readable);
    selector->want(key_of(3), true, false);
    selector->want(key_of(3), false, false);
    CHECK(wait(*selector, 0).empty());
    selector->remove(pair.near, key_of(3));
  }
}

TEST_CASE("libevent: more events than there is room for come with the next waits") {
  for (const char* method : {"epoll", "poll"}) {
    const auto selector = make(method);
    std::vector<std::unique_ptr<Pair>> pairs;
    for (std::uint32_t i = 0; i < 20; ++i) {
      pairs.push_back(std::make_unique<Pair>());
      REQUIRE(!selector->add(pairs.back()->near, key_of(i)));
      selector->want(key_of(i), true, true);
      pairs.back()->write();
    }
    std::set<std::uint64_t> readable;
    for (int i = 0; i < 100 && readable.size() < 20; ++i) {
      const auto events = wait(*selector, 100, 3);
      CHECK(events.size() <= 3);
      for (const ReadyEvent& event : events) {
        if (event.readable) readable.insert(event.key);
      }
    }
    CHECK(readable.size() == 20);
    for (std::uint32_t i = 0; i < 20; ++i) selector->remove(pairs[i]->near, key_of(i));
  }
}

TEST_CASE("libevent: a removed socket is not told, nor its key for the next one in its place") {
  for (const char* method : {"epoll", "poll"}) {
    const auto selector = make(method);
    Pair first;
    Pair second;
    Pair third;
    REQUIRE(!selector->add(first.near, key_of(0)));
    REQUIRE(!selector->add(second.near, key_of(1)));
    selector->want(key_of(0), true, true);
    selector->want(key_of(1), true, true);
    // One of the two is told, the other is ready inside libevent, and goes.
    const auto told = wait(*selector, 1000, 1);
    REQUIRE(told.size() == 1);
    const bool first_told = told[0].key == key_of(0);
    const std::uint32_t other = first_told ? 1 : 0;
    selector->remove(first_told ? second.near : first.near, key_of(other));
    REQUIRE(!selector->add(third.near, key_of(other, 2)));
    selector->want(key_of(other), true, true);  // a stale key
    third.write();
    selector->want(key_of(other, 2), true, false);
    const auto events = wait_for_some(*selector);
    REQUIRE(events.size() == 1);
    CHECK(events[0].key == key_of(other, 2));
    CHECK(events[0].readable);
    selector->remove(third.near, key_of(other, 2));
    selector->remove(first_told ? first.near : second.near, key_of(first_told ? 0 : 1));
  }
}

TEST_CASE("libevent: a wait ends in time, and wake ends it early") {
  const auto selector = make(nullptr);
  auto began = Clock::now();
  while (Clock::now() - began < std::chrono::milliseconds(30)) {
    CHECK(wait(*selector, 30).empty());
  }
  CHECK(Clock::now() - began < std::chrono::seconds(5));

  // Before the wait, also twice; then the next one waits again.
  selector->wake();
  selector->wake();
  began = Clock::now();
  CHECK(wait(*selector, 10'000).empty());
  CHECK(Clock::now() - began < std::chrono::seconds(5));
  began = Clock::now();
  for (int i = 0; i < 1000 && Clock::now() - began < std::chrono::milliseconds(20); ++i) wait(*selector, 20);
  CHECK(Clock::now() - began >= std::chrono::milliseconds(20));

  for (int i = 0; i < 200; ++i) {
    std::thread waker([&selector] { selector->wake(); });
    began = Clock::now();
    CHECK(wait(*selector, -1).empty());
    waker.join();
  }
}

TEST_CASE("libevent: the end of the peer's stream is in sight with the data before it") {
  const auto selector = make(nullptr);
  if (!selector->edge_triggered()) return;
  const Pair pair;
  REQUIRE(!selector->add(pair.near, key_of(0)));
  wait_for_some(*selector);
  pair.write();
  sys::shutdown_send(pair.far);
  bool in_sight = false;
  for (int i = 0; i < 100 && !in_sight; ++i) {
    for (const ReadyEvent& event : wait(*selector, 100)) in_sight = in_sight || event.peer_closed;
  }
  CHECK(in_sight);
  selector->remove(pair.near, key_of(0));
}

}  // namespace tidegate::io
