// Rules 6, 7 and 10: cancel, close, and whose a socket is.
#include <memory>
#include <string>
#include <vector>

#include "contract/backends.h"
#include "contract/probe.h"

namespace tidegate::contract {

TIDEGATE_CONTRACT("rule 6: cancel ends an op that waits, and what comes later is not lost", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe receiving(driver);
  receiving.receive(one.socket);
  world->settle();
  driver.cancel(receiving);
  CHECK(!receiving.over());  // not inside cancel
  driver.cancel(receiving);  // twice is once
  REQUIRE(world->turn_until([&] { return receiving.over(); }));
  CHECK(receiving.code() == base::Code::kCancelled);
  driver.cancel(receiving);  // too late: harmless
  REQUIRE(one.peer->write("later") == 5);
  world->settle();
  CHECK(receiving.data.empty());
  receiving.again();
  REQUIRE(world->turn_until([&] { return receiving.data == "later"; }));
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 6: a cancel that races data loses no byte", TIDEGATE_ALL_BACKENDS) {
  for (int turns_before_cancel = 0; turns_before_cancel < 3; ++turns_before_cancel) {
    TIDEGATE_WORLD(.buffer_size = 16);
    const Pair one = world->pair();
    std::string in;
    Probe receiving(driver);
    for (int round = 0; round < 50; ++round) {
      const std::string text = "message " + std::to_string(round) + " with more bytes than a buffer holds;";
      receiving.receive(one.socket);
      if (round % 3 == 0) driver.turn(0);
      REQUIRE(one.peer->write(text) == text.size());
      in += text;
      for (int i = 0; i < turns_before_cancel; ++i) driver.turn(0);
      driver.cancel(receiving);
      REQUIRE(world->turn_until([&] { return receiving.over(); }));
      CHECK((receiving.code() == base::Code::kCancelled || receiving.code() == base::Code::kNoBuffers));
      CHECK(in.starts_with(receiving.data));
    }
    receiving.on_done = [](Probe& self, const io::Completion& completion) {
      if (!completion.more && completion.error.code == base::Code::kNoBuffers) self.again();
    };
    receiving.receive(one.socket);
    REQUIRE(world->turn_until([&] { return receiving.data.size() == in.size(); }));
    CHECK(receiving.data == in);
    world->end_driver();
  }
}

TIDEGATE_CONTRACT("rule 6: cancel in a completion of the op itself", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD(.buffer_size = 8);
  const Pair one = world->pair();
  Probe receiving(driver);
  receiving.on_done = [&](Probe& self, const io::Completion& completion) {
    if (completion.more) driver.cancel(self);
  };
  REQUIRE(one.peer->write("more than one buffer of bytes") == 29);
  int ended = 0;
  while (receiving.data.size() < 29 && ended < 40) {
    receiving.receive(one.socket);
    REQUIRE(world->turn_until([&] { return receiving.over(); }));
    CHECK(receiving.code() == base::Code::kCancelled);
    ++ended;
  }
  CHECK(receiving.data == "more than one buffer of bytes");

  const io::SocketId listener = world->listen();
  std::vector<std::unique_ptr<Peer>> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(world->connect());
  world->settle();
  Probe accepting(driver);
  std::vector<io::SocketId> accepted;
  accepting.on_done = [&](Probe& self, const io::Completion& completion) {
    if (completion.accepted != sys::kNoSocket) {
      const auto id = driver.attach(completion.accepted);
      REQUIRE(id);
      accepted.push_back(*id);
    }
    if (completion.more) driver.cancel(self);
  };
  for (int round = 0; round < 10 && accepted.size() < 3; ++round) {
    accepting.accept(listener);
    REQUIRE(world->turn_until([&] { return accepting.over(); }));
    CHECK(accepting.code() == base::Code::kCancelled);
  }
  CHECK(accepted.size() == 3);
}

TIDEGATE_CONTRACT("rule 6: a cancelled send has sent nothing", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair({.small_buffers = true});
  const std::string out = [] {
    std::string bytes(1 << 20, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 253);
    return bytes;
  }();
  std::string got;
  Probe sending(driver);
  int cancelled = 0;
  for (int round = 0; round < 200; ++round) {
    sending.send(one.socket, std::string_view(out).substr(sending.total, 10'000));
    for (int i = 0; i < round % 3; ++i) driver.turn(0);
    driver.cancel(sending);
    REQUIRE(world->turn_until([&] { return sending.over(); }));
    if (sending.code() == base::Code::kCancelled) {
      ++cancelled;
      CHECK(sending.bytes() == 0);
    } else {
      CHECK(!sending.completions.back().error);
    }
    if (round % 8 == 0) got += one.peer->read(6000);
  }
  CHECK(cancelled > 0);
  REQUIRE(world->turn_until([&] {
    got += one.peer->read(64 * 1024);
    return got.size() >= sending.total;
  }));
  world->settle();
  got += one.peer->read(64 * 1024);
  CHECK(got == out.substr(0, sending.total));
}

TIDEGATE_CONTRACT("rule 7: close invalidates at once and cancels what is in flight, later", TIDEGATE_ALL_BACKENDS) {
  for (const bool reset : {false, true}) {
    TIDEGATE_WORLD();
    const Pair one = world->pair({.small_buffers = true});
    const std::string much(4 << 20, 'x');
    Probe receiving(driver);
    Probe sending(driver);
    receiving.receive(one.socket);
    for (int quiet = 0; quiet < 20; ++quiet) {
      if (!sending.in_flight) {
        sending.send(one.socket, std::string_view(much).substr(sending.total));
        quiet = 0;
      }
      driver.turn(1);
    }
    driver.close(one.socket, reset);
    CHECK(driver.handle_of(one.socket) == sys::kNoSocket);
    CHECK(!receiving.over());
    CHECK(!sending.over());
    REQUIRE(world->turn_until([&] { return receiving.over() && sending.over(); }));
    CHECK(receiving.code() == base::Code::kCancelled);
    CHECK(sending.code() == base::Code::kCancelled);
    CHECK(receiving.data.empty());
    std::string got;
    REQUIRE(world->turn_until([&] {
      got += one.peer->read(64 * 1024);
      return one.peer->ended() || one.peer->was_reset();
    }));
    CHECK(one.peer->was_reset() == reset);
    if (!reset) CHECK(got.size() == sending.total);
  }
}

TIDEGATE_CONTRACT("rule 7: after close no data is delivered any more", TIDEGATE_ALL_BACKENDS) {
  for (int turns_before_close = 0; turns_before_close < 3; ++turns_before_close) {
    TIDEGATE_WORLD();
    for (int round = 0; round < 20; ++round) {
      const Pair one = world->pair();
      Probe receiving(driver);
      bool closed = false;
      receiving.on_done = [&](Probe&, const io::Completion& completion) {
        if (!closed) return;
        CHECK(!completion.more);
        CHECK(completion.bytes == 0);
      };
      receiving.receive(one.socket);
      driver.turn(0);
      REQUIRE(one.peer->write("data that nobody wants any more") > 0);
      for (int i = 0; i < turns_before_close; ++i) driver.turn(0);
      driver.close(one.socket, false);
      const bool was_over = receiving.over();
      closed = true;
      REQUIRE(world->turn_until([&] { return receiving.over(); }));
      if (!was_over) CHECK(receiving.code() == base::Code::kCancelled);
    }
    world->settle();
    CHECK(driver.buffers().lent() == 0);
  }
}

TIDEGATE_CONTRACT("rule 7: close in a completion of the socket itself", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD(.buffer_size = 4);
  const Pair one = world->pair();
  Probe receiving(driver);
  Probe sending(driver);
  receiving.on_done = [&](Probe&, const io::Completion& completion) {
    if (completion.more) driver.close(one.socket, false);
  };
  const std::string much(1 << 20, 'x');
  REQUIRE(one.peer->write("several buffers") == 15);
  receiving.receive(one.socket);
  REQUIRE(world->turn_until([&] { return receiving.over(); }));
  CHECK(receiving.data == "seve");
  CHECK(receiving.code() == base::Code::kCancelled);
  CHECK(driver.handle_of(one.socket) == sys::kNoSocket);

  const Pair two = world->pair();
  sending.on_done = [&](Probe&, const io::Completion&) { driver.close(two.socket, false); };
  Probe other(driver);
  other.receive(two.socket);
  sending.send(two.socket, much);
  REQUIRE(world->turn_until([&] { return sending.over() && other.over(); }));
  CHECK(other.code() == base::Code::kCancelled);

  const io::SocketId listener = world->listen();
  Probe accepting(driver);
  std::vector<std::unique_ptr<Peer>> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(world->connect());
  accepting.on_done = [&](Probe&, const io::Completion& completion) {
    if (completion.accepted == sys::kNoSocket) return;
    const auto id = driver.attach(completion.accepted);
    REQUIRE(id);
    driver.close(*id, true);
    driver.close(listener, false);
  };
  accepting.accept(listener);
  REQUIRE(world->turn_until([&] { return accepting.over(); }));
  CHECK(accepting.code() == base::Code::kCancelled);
}

TIDEGATE_CONTRACT("rule 7: stale ids are harmless everywhere", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  driver.close(one.socket, false);
  const Pair two = world->pair();  // most likely in the same place
  driver.close(one.socket, true);
  driver.shutdown_send(one.socket);
  CHECK(driver.handle_of(one.socket) == sys::kNoSocket);
  CHECK(driver.handle_of({}) == sys::kNoSocket);
  driver.close({}, false);
  driver.shutdown_send({});
  CHECK(driver.handle_of(two.socket) != sys::kNoSocket);
  Probe receiving(driver);
  receiving.receive(two.socket);
  REQUIRE(two.peer->write("alive") == 5);
  REQUIRE(world->turn_until([&] { return receiving.data == "alive"; }));
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 7: a socket in the place of another does not get its events", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  for (int round = 0; round < 30; ++round) {
    const Pair old = world->pair();
    Probe before(driver);
    before.receive(old.socket);
    if (round % 2 == 0) driver.turn(0);
    REQUIRE(old.peer->write("for the old one") > 0);
    if (round % 3 == 0) old.peer->half_close();
    driver.close(old.socket, false);
    const Pair fresh = world->pair();
    CHECK(!(fresh.socket == old.socket));
    Probe after(driver);
    after.receive(fresh.socket);
    world->settle();
    CHECK(before.ended_with(base::Code::kCancelled));
    CHECK(after.completions.empty());
    REQUIRE(fresh.peer->write("new") == 3);
    REQUIRE(world->turn_until([&] { return after.data == "new"; }));
    driver.close(fresh.socket, false);
    REQUIRE(world->turn_until([&] { return after.over(); }));
  }
}

TIDEGATE_CONTRACT("rule 10: an attached socket is the driver's, which closes it in the end", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  CHECK(driver.handle_of(one.socket) != sys::kNoSocket);
  world->end_driver();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!one.peer->ended() && std::chrono::steady_clock::now() < deadline) one.peer->read(10);
  CHECK(one.peer->ended());
}

}  // namespace tidegate::contract
