// Rules 1 to 3: how an op begins and ends. Every Probe checks rules 1 and 2 by itself; these tests bring it into the
// situations where a driver could be tempted.
#include <memory>
#include <string>
#include <vector>

#include "contract/backends.h"
#include "contract/probe.h"

namespace tidegate::contract {

TEST_CASE("which backends run") {
  const WorldOptions options;
  const auto tell = [&](const char* name, const std::unique_ptr<World>& world) {
    if (world == nullptr) MESSAGE("not available here: " << std::string(name));
  };
  const auto edge = LibeventEdge::make(options);
  REQUIRE(edge != nullptr);
  CHECK(edge->driver().name() == "libevent");
  CHECK(LibeventPoll::make(options) != nullptr);
  CHECK(LibeventSelect::make(options) != nullptr);
  CHECK(Simulated::make(options)->driver().name() == "sim");
#ifdef __linux__
  const auto epoll = Epoll::make(options);
  REQUIRE(epoll != nullptr);
  CHECK(epoll->driver().name() == "epoll");
#endif
#ifdef TIDEGATE_HAS_URING
  const auto uring = Uring::make(options);
  tell(Uring::kName, uring);
  if (uring != nullptr) CHECK(uring->driver().name() == "io_uring");
#else
  tell("io_uring (not built)", nullptr);
#endif
}

TIDEGATE_CONTRACT("rule 1: submit never completes inline, however ready the socket is", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  REQUIRE(one.peer->write("hello") == 5);
  const sys::FileHandle file = world->make_file("0123456789");
  const io::SocketId listener = world->listen();
  const auto client = world->connect();
  world->settle();  // readiness is known by now

  Probe receiving(driver);
  Probe sending(driver);
  Probe accepting(driver);
  Probe reading(driver);
  char bytes[4] = {};
  receiving.receive(one.socket);
  sending.send(one.socket, "world");
  accepting.accept(listener);
  reading.read_at(file, bytes, sizeof bytes, 2);
  REQUIRE(world->turn_until([&] {
    return receiving.data == "hello" && sending.over() && !accepting.completions.empty() && reading.over();
  }));
  CHECK(sending.bytes() == 5);
  CHECK(std::string(bytes, sizeof bytes) == "2345");
  REQUIRE(accepting.completions[0].accepted != sys::kNoSocket);
  const auto accepted = driver.attach(accepting.completions[0].accepted);
  REQUIRE(accepted);
  driver.close(*accepted, false);
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 1: a failure is a completion, never a result of submit", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair stale = world->pair();
  driver.close(stale.socket, false);
  Probe receiving(driver);
  Probe sending(driver);
  Probe file_sending(driver);
  receiving.receive(stale.socket);
  sending.send(stale.socket, "x");
  REQUIRE(world->turn_until([&] { return receiving.over() && sending.over(); }));
  CHECK(receiving.code() == base::Code::kCancelled);
  CHECK(sending.code() == base::Code::kCancelled);
  file_sending.send_file(stale.socket, world->make_file("x"), 0, 1);
  REQUIRE(world->turn_until([&] { return file_sending.over(); }));
  CHECK(file_sending.code() == base::Code::kCancelled);

  const Pair broken = world->pair();
  broken.peer->reset();
  Probe from_broken(driver);
  from_broken.receive(broken.socket);
  REQUIRE(world->turn_until([&] { return from_broken.over(); }));
  CHECK(from_broken.code() == base::Code::kReset);
  Probe to_broken(driver);
  to_broken.send(broken.socket, "x");
  REQUIRE(world->turn_until([&] { return to_broken.over(); }));
  CHECK(to_broken.code() == base::Code::kReset);

  Probe unreadable(driver);
  char byte = 0;
  unreadable.read_at(sys::kNoFile, &byte, 1, 0);
  REQUIRE(world->turn_until([&] { return unreadable.over(); }));
  CHECK(unreadable.code() != base::Code::kNone);
}

TIDEGATE_CONTRACT("rule 2: an op may be submitted again, or freed, in its final completion", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe sending(driver);
  std::string got;
  const std::string text = "ping ";
  sending.on_done = [&](Probe& self, const io::Completion& completion) {
    CHECK(!completion.error);
    if (self.submissions < 100) self.send(one.socket, text);
  };
  sending.send(one.socket, text);
  REQUIRE(world->turn_until([&] {
    got += one.peer->read(4096);
    return sending.over() && sending.submissions == 100;
  }));
  REQUIRE(world->turn_until([&] { return (got += one.peer->read(4096)).size() >= sending.total; }));
  CHECK(got.size() == sending.total);

  auto freed = std::make_unique<Probe>(driver);
  freed->on_done = [&](Probe&, const io::Completion& completion) {
    if (!completion.more) freed.reset();  // the sanitizer sees a driver that looks at it again
  };
  freed->receive(one.socket);
  driver.cancel(*freed);
  REQUIRE(world->turn_until([&] { return freed == nullptr; }));
  world->settle();
}

TIDEGATE_CONTRACT("rule 2: the destructor of the driver completes what is in flight", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair({.small_buffers = true});
  const Pair two = world->pair();
  const io::SocketId listener = world->listen();
  const sys::FileHandle file = world->make_file("0123456789");
  Probe receiving(driver);
  Probe sending(driver);
  Probe idle(driver);
  Probe accepting(driver);
  Probe reading(driver);
  const std::string much(4 << 20, 'x');
  char bytes[10];
  receiving.receive(one.socket);
  sending.send(one.socket, much);
  idle.receive(two.socket);
  accepting.accept(listener);
  world->settle();
  reading.read_at(file, bytes, sizeof bytes, 0);
  world->end_driver();
  CHECK(receiving.ended_with(base::Code::kCancelled));
  CHECK(sending.over());  // with a part, or cancelled before the first byte
  CHECK(idle.ended_with(base::Code::kCancelled));
  CHECK(accepting.over());
  CHECK(reading.over());
}

TIDEGATE_CONTRACT("rule 3: one op a direction, both directions at once", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  const std::string out(1 << 20, 'o');
  const std::string in(1 << 20, 'i');
  std::size_t written = 0;
  std::string got;
  Probe receiving(driver);
  Probe sending(driver);
  receiving.on_done = [&](Probe& self, const io::Completion& completion) {
    if (!completion.more && completion.error.code == base::Code::kNoBuffers) self.again();
  };
  receiving.receive(one.socket);
  REQUIRE(world->turn_until([&] {
    if (!sending.in_flight && sending.total < out.size()) {
      sending.send(one.socket, std::string_view(out).substr(sending.total));
    }
    if (written < in.size()) written += one.peer->write(std::string_view(in).substr(written));
    got += one.peer->read(64 * 1024);
    return got.size() == out.size() && receiving.data.size() == in.size();
  }));
  CHECK(got == out);
  CHECK(receiving.data == in);
  world->end_driver();
}

}  // namespace tidegate::contract
