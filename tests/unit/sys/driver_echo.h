// One client, one message, through a driver and back: shows that accept, receive, send and close work.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "io/driver.h"
#include "unit/sys/sockets.h"

namespace tidegate::test {

// Turns the driver until the condition holds; false when that takes longer than any machine needs.
inline bool turn_until(io::Driver& driver, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kWaitMost_ms);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    driver.turn(5);
  }
  return true;
}

// Returns what the client got back for `message`.
inline std::string echo(io::Driver& driver, std::string_view message) {
  struct Echo {
    io::Driver& driver;
    io::Op accepting = {};
    io::Op receiving = {};
    io::Op sending = {};
    std::string got = {};
    sys::Slice slice = {};
    bool ended = false;
  } state{.driver = driver};

  state.accepting.owner = state.receiving.owner = state.sending.owner = &state;
  state.accepting.verb = io::Verb::kAccept;
  state.accepting.done = [](io::Op& op, const io::Completion& completion) {
    auto& self = *static_cast<Echo*>(op.owner);
    if (completion.accepted == sys::kNoSocket) return;
    self.receiving.socket = self.sending.socket = self.driver.attach(completion.accepted).value();
    self.driver.submit(self.receiving);
  };
  state.receiving.verb = io::Verb::kReceive;
  state.receiving.done = [](io::Op& op, const io::Completion& completion) {
    auto& self = *static_cast<Echo*>(op.owner);
    self.ended = !completion.more;
    if (completion.bytes == 0) return self.driver.close(op.socket, false);
    self.got.assign(completion.buffer.data, completion.buffer.size);
    self.driver.buffers().release(completion.buffer);
    self.slice = {.data = self.got.data(), .size = self.got.size()};
    self.sending.arguments.send = {.slices = &self.slice, .count = 1, .more_follows = false};
    self.driver.submit(self.sending);
  };
  state.sending.verb = io::Verb::kSend;
  state.sending.done = [](io::Op&, const io::Completion& completion) { CHECK(!completion.error); };

  const auto listener = sys::listen_at(ip_endpoint("127.0.0.1"), {});
  REQUIRE(listener.has_value());
  const auto where_it_listens = sys::local_endpoint(*listener);
  REQUIRE(where_it_listens.has_value());
  state.accepting.socket = driver.attach(*listener).value();
  driver.submit(state.accepting);
  std::string answer;
  {
    const OwnedSocket client = connect(*where_it_listens);
    REQUIRE(send_text(client, message).has_value());
    CHECK(turn_until(driver, [&] {
      pollfd ready{.fd = client.number(), .events = POLLIN, .revents = 0};
      return ::poll(&ready, 1, 0) == 1;
    }));
    answer = next_of(client);
  }
  CHECK(turn_until(driver, [&] { return state.ended && !state.sending.in_flight; }));
  driver.close(state.accepting.socket, false);
  CHECK(turn_until(driver, [&] { return !state.accepting.in_flight; }));
  return answer;
}

}  // namespace tidegate::test
