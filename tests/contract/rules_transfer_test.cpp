// Rules 4 and 5, and what transfers must do besides: streams that end, files, connections.
#include <string>
#include <vector>

#include "contract/backends.h"
#include "contract/probe.h"

namespace tidegate::contract {

namespace {

// Bytes that tell their place.
std::string pattern(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + (i * 31 + i / 251) % 26);
  return bytes;
}

}  // namespace

TIDEGATE_CONTRACT("rule 4: a send may be short, and the rest can be sent", TIDEGATE_ALL_BACKENDS) {
  for (const bool tcp : {true, false}) {
    TIDEGATE_WORLD();
    const Pair one = world->pair({.tcp = tcp, .small_buffers = true});
    const std::string out = pattern(1 << 20);
    std::size_t sent = 0;
    int sends = 0;
    std::string got;
    Probe sending(driver);
    sending.on_done = [&](Probe&, const io::Completion& completion) {
      CHECK(!completion.error);
      CHECK(completion.bytes > 0);
      CHECK(completion.bytes <= out.size() - sent);
      sent += completion.bytes;
    };
    REQUIRE(world->turn_until([&] {
      if (!sending.in_flight && sent < out.size()) {
        sending.send(one.socket, std::string_view(out).substr(sent));
        ++sends;
      }
      got += one.peer->read(3000);
      return got.size() == out.size();
    }));
    CHECK(got == out);
    CHECK(sends > 1);
    world->end_driver();
  }
}

TIDEGATE_CONTRACT("rule 4: a send of thousands of slices gets through", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  const std::string out = pattern(5000 * 7);
  std::string got;
  Probe sending(driver);
  REQUIRE(world->turn_until([&] {
    if (!sending.in_flight && sending.total < out.size()) {
      sending.slices.clear();
      for (std::size_t at = sending.total; at < out.size(); at += 7) {
        sending.slices.push_back({.data = out.data() + at, .size = std::min<std::size_t>(7, out.size() - at)});
      }
      sending.send_slices(one.socket);
    }
    got += one.peer->read(64 * 1024);
    return got.size() >= out.size() && !sending.in_flight;
  }));
  CHECK(got == out);
  world->end_driver();
}

TIDEGATE_CONTRACT("a send of nothing completes with nothing", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe sending(driver);
  sending.send(one.socket, "");
  REQUIRE(world->turn_until([&] { return sending.over(); }));
  CHECK(!sending.completions.back().error);
  CHECK(sending.bytes() == 0);
}

TIDEGATE_CONTRACT("rule 5: a buffer is the receiver's until released, an empty pool ends the receive", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD(.buffer_count = 4, .buffer_size = 1000);
  const Pair one = world->pair();
  const std::string in = pattern(20'000);
  std::size_t written = 0;
  Probe receiving(driver);
  receiving.keep_buffers = true;
  receiving.receive(one.socket);
  REQUIRE(world->turn_until([&] {
    if (written < in.size()) written += one.peer->write(std::string_view(in).substr(written, 3000));
    return receiving.over();
  }));
  CHECK(receiving.code() == base::Code::kNoBuffers);
  CHECK(driver.buffers().lent() == 4);
  CHECK(receiving.kept.size() == 4);
  // Nobody writes into lent buffers, whatever else arrives.
  while (written < in.size()) {
    const std::size_t more = one.peer->write(std::string_view(in).substr(written));
    if (more == 0) break;
    written += more;
  }
  const Pair two = world->pair();
  REQUIRE(two.peer->write("other") == 5);
  Probe starved(driver);
  starved.receive(two.socket);
  REQUIRE(world->turn_until([&] { return starved.over(); }));
  CHECK(starved.code() == base::Code::kNoBuffers);
  std::string kept;
  for (const io::Buffer& buffer : receiving.kept) kept.append(buffer.data, buffer.size);
  CHECK(kept == receiving.data);
  CHECK(kept == in.substr(0, kept.size()));

  // Buffers come back: both go on, and nothing was lost.
  for (const io::Buffer& buffer : receiving.kept) driver.buffers().release(buffer);
  receiving.kept.clear();
  receiving.keep_buffers = false;
  const auto go_on = [](Probe& self, const io::Completion& completion) {
    if (!completion.more && completion.error.code == base::Code::kNoBuffers) self.again();
  };
  receiving.on_done = starved.on_done = go_on;
  receiving.again();
  starved.again();
  REQUIRE(world->turn_until([&] {
    if (written < in.size()) written += one.peer->write(std::string_view(in).substr(written));
    return receiving.data.size() == in.size() && starved.data.size() == 5;
  }));
  CHECK(receiving.data == in);
  CHECK(starved.data == "other");
  CHECK(driver.buffers().lent() == 0);
  world->end_driver();
}

TIDEGATE_CONTRACT("rule 5: idle connections hold no buffer", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD(.buffer_count = 4);
  std::vector<Pair> pairs;
  std::vector<std::unique_ptr<Probe>> receivers;
  for (int i = 0; i < 100; ++i) {
    pairs.push_back(world->pair({.tcp = false}));
    receivers.push_back(std::make_unique<Probe>(driver));
    receivers.back()->receive(pairs.back().socket);
  }
  world->settle();
  CHECK(driver.buffers().lent() == 0);
  for (const auto& receiver : receivers) CHECK(!receiver->over());
  world->end_driver();
}

TIDEGATE_CONTRACT("the end of the stream completes a receive with 0 bytes", TIDEGATE_BACKENDS) {
  for (const bool tcp : {true, false}) {
    TIDEGATE_WORLD();
    const Pair one = world->pair({.tcp = tcp});
    Probe receiving(driver);
    receiving.receive(one.socket);
    world->settle();
    REQUIRE(one.peer->write("last words") == 10);
    one.peer->half_close();
    REQUIRE(world->turn_until([&] { return receiving.over(); }));
    CHECK(receiving.ended_in_order());
    CHECK(receiving.bytes() == 0);
    CHECK(receiving.data == "last words");
    // It stays ended, and the other direction lives on.
    receiving.again();
    Probe sending(driver);
    sending.send(one.socket, "answer");
    std::string got;
    REQUIRE(world->turn_until([&] { return receiving.over() && (got += one.peer->read(100)) == "answer"; }));
    CHECK(receiving.ended_in_order());
    world->end_driver();
  }
}

TIDEGATE_CONTRACT("shutdown_send ends the stream for the peer, receiving goes on", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  Probe sending(driver);
  Probe receiving(driver);
  receiving.receive(one.socket);
  sending.send(one.socket, "bye");
  REQUIRE(world->turn_until([&] { return sending.over(); }));
  driver.shutdown_send(one.socket);
  std::string got;
  REQUIRE(world->turn_until([&] {
    got += one.peer->read(100);
    return one.peer->ended();
  }));
  CHECK(got == "bye");
  CHECK(!receiving.over());
  REQUIRE(one.peer->write("still here") == 10);
  REQUIRE(world->turn_until([&] { return receiving.data == "still here"; }));
  world->end_driver();
}

TIDEGATE_CONTRACT("a reset ends the receive with kReset, also behind data", TIDEGATE_BACKENDS) {
  for (const bool with_data : {false, true}) {
    for (const bool armed_before : {false, true}) {
      TIDEGATE_WORLD();
      const Pair one = world->pair();
      Probe receiving(driver);
      if (armed_before) {
        receiving.receive(one.socket);
        world->settle();
      }
      if (with_data) REQUIRE(one.peer->write("cut") == 3);
      one.peer->reset();
      if (!armed_before) receiving.receive(one.socket);
      REQUIRE(world->turn_until([&] { return receiving.over(); }));
      CHECK(receiving.code() == base::Code::kReset);
      world->end_driver();
    }
  }
}

TIDEGATE_CONTRACT("a send that waits ends when the peer breaks the connection", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair({.small_buffers = true});
  const std::string much(1 << 22, 'x');
  Probe sending(driver);
  // Until the system takes no more.
  for (int quiet = 0; quiet < 20; ++quiet) {
    if (!sending.in_flight) {
      REQUIRE(sending.total < much.size());
      sending.send(one.socket, std::string_view(much).substr(sending.total));
      quiet = 0;
    }
    driver.turn(1);
  }
  one.peer->reset();
  REQUIRE(world->turn_until([&] { return sending.over(); }));
  CHECK(sending.code() == base::Code::kReset);
}

TIDEGATE_CONTRACT("kSendFile sends a range at its offset", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  const std::string content = pattern(100'000);
  const sys::FileHandle file = world->make_file(content);
  std::string got;
  const std::uint64_t begin = 12'345;
  const std::uint64_t size = 65'432;
  Probe sending(driver);
  REQUIRE(world->turn_until([&] {
    if (!sending.in_flight && sending.total < size) {
      CHECK(sending.code() == base::Code::kNone);
      sending.send_file(one.socket, file, begin + sending.total, size - sending.total);
    }
    got += one.peer->read(64 * 1024);
    return got.size() >= size && !sending.in_flight;
  }));
  world->settle();
  got += one.peer->read(64 * 1024);
  CHECK(got == content.substr(begin, size));
}

TIDEGATE_CONTRACT("kSendFile completes with 0 bytes behind the end of a file that shrank", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair();
  const sys::FileHandle file = world->make_file(pattern(10'000));
  world->resize_file(file, 4000);
  Probe sending(driver);
  REQUIRE(world->turn_until([&] {
    if (sending.in_flight) return false;
    if (sending.submissions > 0 && sending.bytes() == 0) return true;
    sending.send_file(one.socket, file, sending.total, 10'000 - sending.total);
    return false;
  }));
  CHECK(sending.total == 4000);
  CHECK(!sending.completions.back().error);
  std::string got;
  REQUIRE(world->turn_until([&] { return (got += one.peer->read(20'000)).size() == 4000; }));
  CHECK(got == pattern(4000));
}

TIDEGATE_CONTRACT("kSendFile sends 5 MiB through a slow reader", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const Pair one = world->pair({.small_buffers = true});
  const std::string content = pattern(5 << 20);
  const sys::FileHandle file = world->make_file(content);
  std::string got;
  Probe sending(driver);
  REQUIRE(world->turn_until([&] {
    if (!sending.in_flight && sending.total < content.size()) {
      sending.send_file(one.socket, file, sending.total, content.size() - sending.total);
    }
    got += one.peer->read(5000);
    return got.size() >= content.size() && !sending.in_flight;
  }));
  CHECK(got.size() == content.size());
  CHECK(got == content);
}

TIDEGATE_CONTRACT("kReadAt reads at an offset, and 0 bytes at the end", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const std::string content = pattern(50'000);
  const sys::FileHandle file = world->make_file(content);
  std::string into(50'000, '\0');
  Probe reading(driver);
  reading.read_at(file, into.data(), into.size(), 10'000);
  REQUIRE(world->turn_until([&] { return reading.over(); }));
  CHECK(!reading.completions.back().error);
  REQUIRE(reading.bytes() > 0);
  CHECK(into.substr(0, reading.bytes()) == content.substr(10'000, reading.bytes()));
  reading.read_at(file, into.data(), into.size(), 50'000);
  REQUIRE(world->turn_until([&] { return reading.over(); }));
  CHECK(reading.ended_in_order());
  CHECK(reading.bytes() == 0);
}

TIDEGATE_CONTRACT("kConnect tells success, whether it is asked before or after", TIDEGATE_ALL_BACKENDS) {
  for (const bool known_before : {false, true}) {
    TIDEGATE_WORLD();
    const io::SocketId listener = world->listen();
    const auto client = driver.attach(world->start_connecting(true));
    REQUIRE(client);
    // The system may have told the driver before anybody asked it.
    if (known_before) world->settle();
    Probe connecting(driver);
    connecting.connect(*client);
    REQUIRE(world->turn_until([&] { return connecting.over(); }));
    CHECK(connecting.code() == base::Code::kNone);

    // The connection works.
    sys::SocketHandle accepted = sys::kNoSocket;
    Probe accepting(driver);
    accepting.on_done = [&](Probe& self, const io::Completion& completion) {
      if (completion.accepted != sys::kNoSocket) accepted = completion.accepted;
      if (!completion.more && completion.error.code == base::Code::kNoDescriptors) self.again();
    };
    accepting.accept(listener);
    REQUIRE(world->turn_until([&] { return accepted != sys::kNoSocket; }));
    const auto server = driver.attach(accepted);
    REQUIRE(server);
    Probe sending(driver);
    Probe receiving(driver);
    sending.send(*client, "h");
    receiving.receive(*server);
    REQUIRE(world->turn_until([&] {
      if (receiving.ended_with(base::Code::kNoBuffers)) receiving.again();
      return receiving.data == "h" && sending.over();
    }));
    world->end_driver();
  }
}

TIDEGATE_CONTRACT("kConnect tells refusal", TIDEGATE_ALL_BACKENDS) {
  TIDEGATE_WORLD();
  const auto client = driver.attach(world->start_connecting(false));
  REQUIRE(client);
  Probe connecting(driver);
  connecting.connect(*client);
  CHECK(!connecting.over());
  REQUIRE(world->turn_until([&] { return connecting.over(); }));
  CHECK(connecting.code() == base::Code::kRefused);
}

TIDEGATE_CONTRACT("kConnect can be cancelled and closed", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const auto one = driver.attach(world->start_connecting(false));
  const auto two = driver.attach(world->start_connecting(false));
  REQUIRE(one);
  REQUIRE(two);
  Probe cancelled(driver);
  Probe closed(driver);
  cancelled.connect(*one);
  closed.connect(*two);
  driver.cancel(cancelled);
  driver.close(*two, false);
  REQUIRE(world->turn_until([&] { return cancelled.over() && closed.over(); }));
  CHECK((cancelled.code() == base::Code::kCancelled || cancelled.code() == base::Code::kRefused));
  CHECK(closed.code() == base::Code::kCancelled);
}

TIDEGATE_CONTRACT("a multishot accept takes 500 connections", TIDEGATE_BACKENDS) {
  TIDEGATE_WORLD();
  const io::SocketId listener = world->listen();
  std::vector<io::SocketId> accepted;
  Probe accepting(driver);
  accepting.on_done = [&](Probe&, const io::Completion& completion) {
    REQUIRE(completion.accepted != sys::kNoSocket);
    CHECK(completion.more);
    CHECK(completion.peer.family == base::Family::kIpv4);
    CHECK(completion.peer.port != 0);
    const auto id = driver.attach(completion.accepted);
    REQUIRE(id);
    accepted.push_back(*id);
  };
  accepting.accept(listener);
  std::vector<std::unique_ptr<Peer>> clients;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 100; ++i) clients.push_back(world->connect());
    if (round % 2 == 0) driver.turn(1);
  }
  REQUIRE(world->turn_until([&] { return accepted.size() == 500; }));
  accepting.on_done = nullptr;
  CHECK(!accepting.over());
  // Each is a connection of its own.
  Probe sending(driver);
  for (const io::SocketId id : accepted) {
    sending.send(id, "!");
    REQUIRE(world->turn_until([&] { return sending.over(); }));
  }
  std::size_t greeted = 0;
  REQUIRE(world->turn_until([&] {
    for (auto& client : clients) greeted += client->read(10).size();
    return greeted == 500;
  }));
  driver.cancel(accepting);
  REQUIRE(world->turn_until([&] { return accepting.over(); }));
  CHECK(accepting.code() == base::Code::kCancelled);
  world->end_driver();
}

}  // namespace tidegate::contract
