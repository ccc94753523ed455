// The real connections, codec and pipeline over a simulated kernel: many seeds, short sends, split input, empty pools,
// late completions, broken connections. Every failure names its seed.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "handlers/respond.h"
#include "io/blocking_pool.h"
#include "io/sim/sim_driver.h"
#include "io/sim/sim_network.h"
#include "io/sim/sim_peer.h"
#include "io/sim/sim_runner.h"
#include "server/connection_host.h"
#include "sim/echo_handler.h"

namespace {

using namespace tidegate;

constexpr std::uint64_t kSeeds = 60;

// The shortages are simulated: their log lines are of no use.
class NoErrors final : public base::LogSink {
 public:
  void write(base::LogLevel, std::string_view, std::string_view) override {}
};
NoErrors no_errors;

class Observer final : public pipeline::ExchangeObserver {
 public:
  std::size_t finished = 0;
  std::size_t abandoned = 0;
  void on_exchange(const pipeline::RoutedExchange& exchange) override {
    ++finished;
    if (exchange.abandoned) ++abandoned;
  }
  std::int64_t start_time_us() override { return 0; }
};

// A server in the simulated world: /fixed answers "pong", /big a body of 200,000 bytes, everything else is echoed.
class World {
 public:
  World(std::uint64_t seed, const io::SimFaults& faults)
      : network(seed, faults), loop(std::make_unique<io::SimDriver>(network, std::uint16_t{8}, 512U)), runner(network) {
    base::set_log_sink(&no_errors);
    runner.add(loop);
    host = std::make_unique<server::ConnectionHost>(loop, observer, "sim");
    host->publish(*make_snapshot().release());
    const auto socket = network.listen_at({.address = {.family = base::Family::kIpv4, .port = 80, .ip = {127, 0, 0, 1}}});
    REQUIRE(socket.has_value());
    endpoint = network.local_endpoint(*socket);
    host->open_listener(0, *socket);
  }

  // Ends everything; nothing may be left.
  void end() {
    host->kill();
    CHECK(runner.run_until([&] { return host->empty(); }, 60'000));
    CHECK(host->runner().in_flight() == 0);
    host.reset();
  }

  io::SimNetwork network;
  io::Loop loop;
  io::SimRunner runner;
  Observer observer;
  base::Endpoint endpoint;
  std::unique_ptr<server::ConnectionHost> host;

 private:
  std::unique_ptr<pipeline::Snapshot> make_snapshot() {
    auto snapshot = std::make_unique<pipeline::Snapshot>();
    auto site = std::make_unique<pipeline::SitePlan>();
    add_respond(*snapshot, *site, "/fixed", "pong");
    add_respond(*snapshot, *site, "/big", std::string(200'000, 'b'));
    pipeline::RoutePlan echo;
    echo.handler = {&tests::Echo::run, nullptr};
    site->routes.push_back(std::move(echo));
    auto listener = std::make_unique<pipeline::ListenerPlan>();
    listener->fallback = site.get();
    snapshot->listeners.push_back(std::move(listener));
    snapshot->sites.push_back(std::move(site));
    return snapshot;
  }

  static void add_respond(pipeline::Snapshot& snapshot, pipeline::SitePlan& site, std::string path, std::string body) {
    handlers::RespondSettings settings;
    settings.body = std::move(body);
    auto handler = std::make_unique<handlers::RespondHandler>(settings);
    pipeline::RoutePlan plan;
    plan.match.path.kind = pipeline::PathPattern::Kind::kExact;
    plan.match.path.literal = std::move(path);
    plan.handler = handler->step();
    snapshot.settings.push_back(std::move(handler));
    site.routes.push_back(std::move(plan));
  }
};

struct Answer {
  std::string head;
  std::string content;
  std::string trailers;
};

// Takes one complete answer off the front of `bytes`; false when it is not complete.
bool take_answer(std::string& bytes, Answer& answer) {
  const auto head_end = bytes.find("\r\n\r\n");
  if (head_end == std::string::npos) return false;
  answer = {bytes.substr(0, head_end + 2), {}, {}};
  std::size_t at = head_end + 4;
  if (const auto length = answer.head.find("Content-Length: "); length != std::string::npos) {
    const std::size_t size = std::stoul(answer.head.substr(length + 16));
    if (bytes.size() < at + size) return false;
    answer.content = bytes.substr(at, size);
    bytes.erase(0, at + size);
    return true;
  }
  REQUIRE(answer.head.find("Transfer-Encoding: chunked") != std::string::npos);
  while (true) {
    const auto line_end = bytes.find("\r\n", at);
    if (line_end == std::string::npos) return false;
    const std::size_t size = std::stoul(bytes.substr(at, line_end - at), nullptr, 16);
    at = line_end + 2;
    if (size == 0) break;
    if (bytes.size() < at + size + 2) return false;
    answer.content += bytes.substr(at, size);
    REQUIRE(bytes.substr(at + size, 2) == "\r\n");
    at += size + 2;
  }
  const auto end = bytes.compare(at, 2, "\r\n") == 0 ? at : bytes.find("\r\n\r\n", at);
  if (end == std::string::npos || bytes.size() < end + 2) return false;
  if (end != at) answer.trailers = bytes.substr(at, end + 2 - at);
  bytes.erase(0, end == at ? at + 2 : end + 4);
  return true;
}

std::string chunked(const std::string& content, std::size_t piece) {
  std::string out;
  char size[20];
  for (std::size_t at = 0; at < content.size(); at += piece) {
    const std::string part = content.substr(at, piece);
    std::snprintf(size, sizeof size, "%zx\r\n", part.size());
    out += size + part + "\r\n";
  }
  return out + "0\r\nX-Sum: 42\r\n\r\n";
}

// What one client asks, pipelined in one go, and what it must get.
struct Conversation {
  std::string bytes;
  std::vector<std::pair<std::string, std::string>> expected;  // content, trailers

  explicit Conversation(io::SimRandom& random) {
    const std::size_t requests = 1 + random.below(12);
    for (std::size_t i = 0; i < requests; ++i) add(random);
  }

  void add(io::SimRandom& random) {
    const std::string rest = " HTTP/1.1\r\nHost: sim\r\n";
    std::string content;
    for (std::size_t size = random.below(30'000); content.size() < size;) content += std::to_string(random.next());
    switch (random.below(4)) {
      case 0:
        bytes += "GET /fixed" + rest + "\r\n";
        expected.emplace_back("pong", "");
        break;
      case 1:
        bytes += "GET /big" + rest + "\r\n";
        expected.emplace_back(std::string(200'000, 'b'), "");
        break;
      case 2:
        bytes += "POST /echo" + rest + "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
        expected.emplace_back(content, "");
        break;
      default:
        bytes += "POST /echo" + rest + "Transfer-Encoding: chunked\r\n\r\n" + chunked(content, 1 + random.below(4000));
        expected.emplace_back(content, "X-Sum: 42\r\n");
    }
  }
};

// Each answer in order and whole; the last may be missing when the connection broke.
std::size_t check_answers(std::string received, const Conversation& said) {
  std::size_t count = 0;
  Answer answer;
  while (count < said.expected.size() && take_answer(received, answer)) {
    CHECK(answer.head.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(answer.content == said.expected[count].first);
    CHECK(answer.trailers == said.expected[count].second);
    ++count;
  }
  if (count == said.expected.size()) CHECK(received.empty());
  return count;
}

TEST_CASE("over a rough kernel every answer arrives, in order and whole") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    World world(seed, io::SimFaults::rough());
    io::SimRandom random(seed * 977);
    std::vector<Conversation> said;
    std::vector<std::unique_ptr<io::SimPeer>> clients;
    for (int i = 0; i < 6; ++i) {
      said.emplace_back(random);
      clients.push_back(std::make_unique<io::SimPeer>(world.network, world.endpoint));
      if (random.chance(300)) clients.back()->set_read_max(1 + random.below(3000));
      clients.back()->send(said.back().bytes);
      if (random.chance(500)) clients.back()->half_close();
    }
    const auto complete = [&] {
      for (std::size_t i = 0; i < clients.size(); ++i) {
        std::string copy = clients[i]->received();
        Answer answer;
        std::size_t count = 0;
        while (take_answer(copy, answer)) ++count;
        if (count < said[i].expected.size()) return false;
      }
      return true;
    };
    CHECK(world.runner.run_until(complete, 55'000));
    for (std::size_t i = 0; i < clients.size(); ++i) CHECK(check_answers(clients[i]->received(), said[i]) == said[i].expected.size());
    CHECK(world.observer.abandoned == 0);
    clients.clear();
    world.end();
  }
}

TEST_CASE("over a hostile kernel nothing is wrong, only missing") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    World world(seed, io::SimFaults::hostile());
    io::SimRandom random(seed * 131);
    std::vector<Conversation> said;
    std::vector<std::unique_ptr<io::SimPeer>> clients;
    for (int i = 0; i < 8; ++i) {
      said.emplace_back(random);
      clients.push_back(std::make_unique<io::SimPeer>(world.network, world.endpoint));
      clients.back()->send(said.back().bytes);
      world.runner.run_for(static_cast<std::int64_t>(random.below(20)));
      if (random.chance(200)) clients[random.below(clients.size())]->reset();
    }
    world.runner.run_for(5'000);
    for (std::size_t i = 0; i < clients.size(); ++i) check_answers(clients[i]->received(), said[i]);
    clients.clear();
    world.end();
  }
}

TEST_CASE("a client that stops reading is cut after the idle limit, and only that one") {
  World world(7, {});
  io::SimPeer stalled(world.network, world.endpoint);
  io::SimPeer lively(world.network, world.endpoint);
  stalled.set_reading(false);
  stalled.send("GET /big HTTP/1.1\r\nHost: sim\r\n\r\n");
  lively.send("GET /fixed HTTP/1.1\r\nHost: sim\r\n\r\n");
  world.runner.run_for(5'000);
  CHECK(lively.received().ends_with("\r\n\r\npong"));
  CHECK(world.host->connections() == 2);
  const http::Limits limits;
  world.runner.run_for(2 * limits.rate_grace_ms);
  CHECK(world.host->connections() == 1);
  CHECK(world.observer.abandoned == 1);
  world.end();
}

TEST_CASE("an idle connection ends after the idle limit") {
  World world(3, {});
  io::SimPeer client(world.network, world.endpoint);
  client.send("GET /fixed HTTP/1.1\r\nHost: sim\r\n\r\n");
  const http::Limits limits;
  world.runner.run_for(limits.idle_timeout_ms - 1'000);
  CHECK(!client.ended());
  world.runner.run_for(2'000);
  CHECK(client.ended());
  CHECK(world.host->connections() == 0);
  world.end();
}

TEST_CASE("a head that comes too slowly is answered with 408") {
  World world(5, {});
  io::SimPeer client(world.network, world.endpoint);
  client.send("GET /fixed HTTP/1.1\r\nHo");
  const http::Limits limits;
  world.runner.run_for(limits.header_timeout_ms + 1'000);
  CHECK(client.received().starts_with("HTTP/1.1 408 "));
  CHECK(client.ended());
  world.end();
}

}  // namespace
