// The readiness driver over a scripted selector: events that are late, doubled, spurious or for somebody else.
#include "io/readiness/readiness_driver.h"

#include <doctest/doctest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "contract/probe.h"
#include "sys/socket.h"

namespace tidegate::io {

namespace {

using contract::Probe;

struct Script {
  std::deque<std::vector<ReadyEvent>> waits;  // what each wait reports; nothing when used up
  std::vector<std::int64_t> timeouts;
  std::vector<std::string> calls;
};

class ScriptedSelector final : public Selector {
 public:
  explicit ScriptedSelector(Script& script) : script_(script) {}
  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  [[nodiscard]] base::Error add(sys::SocketHandle, std::uint64_t) override {
    return fail_next_add ? base::Error{.code = base::Code::kNoMemory} : base::Error{};
  }
  void remove(sys::SocketHandle, std::uint64_t) override { script_.calls.emplace_back("remove"); }
  void want(std::uint64_t, bool read, bool write) override {
    script_.calls.push_back(std::string("want") + (read ? " read" : "") + (write ? " write" : ""));
  }
  std::size_t wait(std::int64_t timeout_ms, std::span<ReadyEvent> events) override {
    script_.timeouts.push_back(timeout_ms);
    if (script_.waits.empty()) return 0;
    std::size_t used = 0;
    for (const ReadyEvent& event : script_.waits.front()) events[used++] = event;
    script_.waits.pop_front();
    return used;
  }
  void wake() override {}

  bool fail_next_add = false;

 private:
  Script& script_;
};

// A driver over the script, and TCP connections on loopback made with sys/socket.h alone.
struct Fixture {
  Script script;
  BlockingPool pool{1};
  ScriptedSelector* selector = nullptr;
  ReadinessDriver driver{make_selector(), pool, std::uint16_t{8}, 16U};

  std::unique_ptr<Selector> make_selector() {
    auto made = std::make_unique<ScriptedSelector>(script);
    selector = made.get();
    return made;
  }

  struct Connection {
    SocketId id;
    sys::SocketHandle peer;
  };
  Connection connect() {
    const auto listener = sys::listen_at({.address = {.family = base::Family::kIpv4, .ip = {127, 0, 0, 1}}}, {});
    REQUIRE(listener);
    const auto bound = sys::local_endpoint(*listener);
    REQUIRE(bound);
    const auto peer = sys::connect_to(*bound);
    REQUIRE(peer);
    base::Result<sys::Accepted> accepted = std::unexpected(base::Error{});
    while (!accepted) accepted = sys::accept_from(*listener);
    sys::close_socket(*listener, false);
    const auto id = driver.attach(accepted->socket);
    REQUIRE(id);
    return {.id = *id, .peer = *peer};
  }
  void will_report(const ReadyEvent& event) { script.waits.push_back({event}); }
};

void send_all(sys::SocketHandle to, std::string_view bytes) {
  const sys::Slice slice{.data = bytes.data(), .size = bytes.size()};
  REQUIRE(sys::send(to, {&slice, 1}, false).value_or(0) == bytes.size());
}

}  // namespace

TEST_CASE("rule 8: doubled and spurious events complete nothing twice") {
  Fixture world;
  const auto one = world.connect();
  const std::uint64_t key = one.id.packed();
  Probe receiving(world.driver);
  receiving.receive(one.id);
  world.will_report({.key = key, .readable = true, .writable = true});  // spurious: nothing has come
  world.driver.turn(0);
  CHECK(receiving.completions.empty());
  send_all(one.peer, "hi");
  world.script.waits.push_back({{.key = key, .readable = true}, {.key = key, .readable = true, .writable = true}});
  world.driver.turn(0);
  CHECK(receiving.completions.size() == 1);
  CHECK(receiving.data == "hi");
  world.will_report({.key = key, .readable = true});
  world.driver.turn(0);
  CHECK(receiving.completions.size() == 1);

  // An event for an op that is queued already, and one that comes after its cancel.
  world.driver.cancel(receiving);
  world.script.waits.push_back({{.key = key, .readable = true}});
  world.driver.turn(0);
  CHECK(receiving.finals == 1);
  world.will_report({.key = key, .readable = true, .writable = true});
  world.driver.turn(0);
  CHECK(receiving.finals == 1);
  sys::close_socket(one.peer, false);
}

TEST_CASE("events of a socket that was closed do not reach the one in its place") {
  Fixture world;
  const auto old = world.connect();
  const auto stale = old.id.packed();
  world.driver.close(old.id, false);
  const auto fresh = world.connect();
  CHECK(fresh.id.index == old.id.index);
  Probe receiving(world.driver);
  receiving.receive(fresh.id);
  const auto before = world.script.calls.size();
  world.will_report({.key = stale, .readable = true, .writable = true, .peer_closed = true});
  world.driver.turn(0);
  CHECK(world.script.calls.size() == before);  // it was not even tried
  CHECK(receiving.completions.empty());
  world.driver.close(fresh.id, false);
  world.driver.turn(0);
  sys::close_socket(old.peer, false);
  sys::close_socket(fresh.peer, false);
}

TEST_CASE("an event that was reported before the op came is remembered, for connect too") {
  Fixture world;
  const auto one = world.connect();
  send_all(one.peer, "early");
  world.will_report({.key = one.id.packed(), .readable = true, .writable = true});
  world.driver.turn(0);
  Probe receiving(world.driver);
  Probe connecting(world.driver);
  receiving.receive(one.id);
  connecting.connect(one.id);
  world.driver.turn(0);  // no further event comes
  CHECK(receiving.data == "early");
  CHECK(connecting.ended_in_order());
  world.driver.close(one.id, false);
  world.driver.turn(0);
  sys::close_socket(one.peer, false);
}

TEST_CASE("a short read waits for the next event, unless the end is in sight") {
  for (const bool in_sight : {false, true}) {
    Fixture world;
    const auto one = world.connect();
    Probe receiving(world.driver);
    receiving.receive(one.id);
    send_all(one.peer, "last");
    sys::shutdown_send(one.peer);
    world.will_report({.key = one.id.packed(), .readable = true, .peer_closed = in_sight});
    world.driver.turn(0);
    CHECK(receiving.data == "last");
    CHECK(receiving.over() == in_sight);
    world.driver.close(one.id, false);
    world.driver.turn(0);
    sys::close_socket(one.peer, false);
  }
}

TEST_CASE("the end in sight is forgotten when a read finds nothing") {
  Fixture world;
  const auto one = world.connect();
  Probe receiving(world.driver);
  receiving.receive(one.id);
  send_all(one.peer, "a");
  world.will_report({.key = one.id.packed(), .readable = true, .peer_closed = true});  // a false alarm
  world.driver.turn(0);
  const auto wants = world.script.calls.size();
  send_all(one.peer, "b");
  world.will_report({.key = one.id.packed(), .readable = true});
  world.driver.turn(0);
  CHECK(receiving.data == "ab");
  CHECK(world.script.calls.size() == wants + 1);  // armed after one short read, without a second one
  world.driver.close(one.id, false);
  world.driver.turn(0);
  sys::close_socket(one.peer, false);
}

TEST_CASE("selectors without edges are told what is waited for") {
  Fixture world;
  const auto one = world.connect();
  Probe receiving(world.driver);
  receiving.receive(one.id);
  CHECK(world.script.calls.back() == "want read");
  // Fill the connection, so that a send must wait too.
  const std::string much(1 << 22, 'x');
  Probe sending(world.driver);
  for (int i = 0; i < 1000 && world.script.calls.back() != "want read write"; ++i) {
    if (!sending.in_flight) sending.send(one.id, much);
    world.driver.turn(0);
  }
  CHECK(world.script.calls.back() == "want read write");
  world.will_report({.key = one.id.packed(), .writable = true});
  world.driver.turn(0);
  CHECK(world.script.calls.back() == "want read write");  // still full: asked again, for both
  world.driver.close(one.id, false);
  CHECK(world.script.calls.back() == "remove");
  world.driver.turn(0);
  sys::close_socket(one.peer, false);
}

TEST_CASE("a turn with something to try does not wait, and the others wait as told") {
  Fixture world;
  const auto one = world.connect();
  world.driver.turn(50);
  CHECK(world.script.timeouts.back() == 50);
  Probe sending(world.driver);
  sending.send(one.id, "x");
  world.driver.turn(50);
  CHECK(world.script.timeouts.back() == 0);
  CHECK(sending.over());
  world.driver.turn(Driver::kForever);
  CHECK(world.script.timeouts.back() == Driver::kForever);
  world.driver.close(one.id, false);
  sys::close_socket(one.peer, false);
}

TEST_CASE("a failed attach leaves the socket to the caller") {
  Fixture world;
  const auto one = world.connect();
  world.selector->fail_next_add = true;
  const auto failed = world.driver.attach(one.peer);
  REQUIRE(!failed);
  CHECK(failed.error().code == base::Code::kNoMemory);
  world.selector->fail_next_add = false;
  send_all(one.peer, "still ours");
  world.driver.close(one.id, false);
  sys::close_socket(one.peer, false);
}

}  // namespace tidegate::io
