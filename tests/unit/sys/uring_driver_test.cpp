// What the io_uring driver promises beyond the contract that all drivers share (tests/contract): threads, queues that
// are too small, descriptors that are not used again too early.
#include "platform/linux/uring_driver.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "unit/sys/driver_echo.h"

namespace tidegate {
namespace {

using platform::UringDriver;

// The driver, or nothing where io_uring cannot be had; the tests then have nothing to test.
std::unique_ptr<UringDriver> make(platform::UringQueueSizes sizes = {}, std::uint16_t buffer_count = 256) {
  auto made = UringDriver::create(buffer_count, 512, sizes);
  if (!made) MESSAGE("no io_uring here: nothing tested");
  return made ? *std::move(made) : nullptr;
}

struct Pair {
  int ours = -1;
  std::optional<test::OwnedSocket> theirs;
};

Pair make_pair() {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  return {.ours = ends[0], .theirs = test::OwnedSocket(ends[1])};
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }

// Counts completions and keeps the bytes of a receive.
struct Recorder : io::Op {
  explicit Recorder(io::Driver& of) : driver(&of) {
    done = [](io::Op& op, const io::Completion& completion) {
      auto& self = static_cast<Recorder&>(op);
      self.last = completion.error;
      if (!completion.more) ++self.finals;
      if (completion.bytes == 0 || !completion.buffer) return;
      self.data.append(completion.buffer.data, completion.buffer.size);
      self.driver->buffers().release(completion.buffer);
    };
  }
  void start(io::Verb what, io::SocketId on) {
    verb = what;
    socket = on;
    driver->submit(*this);
  }
  void send(io::SocketId to, std::string_view bytes) {
    slice = {.data = bytes.data(), .size = bytes.size()};
    arguments.send = {.slices = &slice, .count = 1, .more_follows = false};
    start(io::Verb::kSend, to);
  }

  io::Driver* driver;
  sys::Slice slice = {};
  std::string data = {};
  base::Error last = {};
  int finals = 0;
};

}  // namespace

TEST_CASE("io_uring: a driver made here serves on another thread") {
  std::unique_ptr<UringDriver> driver = make();
  if (driver == nullptr) return;
  const Pair pair = make_pair();
  const io::SocketId id = driver->attach(pair.ours).value();
  auto receiving = std::make_unique<Recorder>(*driver);
  receiving->start(io::Verb::kReceive, id);  // before the driver knows its thread
  std::atomic<bool> stop{false};
  std::atomic<bool> woken{false};
  io::Driver& shared = *driver;
  std::string echoed;
  std::thread worker([&, mine = std::move(driver)]() mutable {
    while (!stop.load()) mine->turn(io::Driver::kForever);
    echoed = test::echo(*mine, "on the worker's thread");
    while (!woken.load()) std::this_thread::yield();  // wake() has returned: the driver may go
    mine.reset();
  });
  REQUIRE(test::send_text(*pair.theirs, "from outside").has_value());
  stop.store(true);
  shared.wake();
  woken.store(true);
  worker.join();
  CHECK(echoed == "on the worker's thread");
  CHECK(receiving->data == "from outside");
  CHECK(receiving->finals == 1);
  CHECK(receiving->last.code == base::Code::kCancelled);
  CHECK(!is_open(pair.ours));
}

TEST_CASE("io_uring: what is in flight when the driver's thread has ended is told by the destructor") {
  std::unique_ptr<UringDriver> driver = make();
  if (driver == nullptr) return;
  const Pair pair = make_pair();
  const Pair other = make_pair();
  const auto listener = sys::listen_at(test::ip_endpoint("127.0.0.1"), {});
  REQUIRE(listener.has_value());
  const std::string much(4 << 20, 'x');
  std::string into(64, '\0');
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  REQUIRE(file >= 0);
  Recorder receiving(*driver);
  Recorder sending(*driver);
  Recorder accepting(*driver);
  Recorder reading(*driver);
  Recorder file_sending(*driver);
  std::thread([&] {
    const io::SocketId id = driver->attach(pair.ours).value();
    receiving.start(io::Verb::kReceive, id);
    sending.send(id, much);
    accepting.start(io::Verb::kAccept, driver->attach(*listener).value());
    while (sending.finals == 0) driver->turn(1);  // a short send: the socket is full now
    sending.send(id, much);
    driver->turn(1);
    // Submitted, but no turn comes that would hand them to the kernel.
    reading.arguments.file = {.file = file, .offset = 0, .size = into.size(), .into = into.data()};
    reading.start(io::Verb::kReadAt, {});
    file_sending.arguments.file = {.file = file, .offset = 0, .size = 100, .into = nullptr};
    file_sending.start(io::Verb::kSendFile, driver->attach(other.ours).value());
  }).join();
  CHECK(sending.finals == 1);
  driver.reset();
  CHECK(sending.finals == 2);
  for (const Recorder* op : {&receiving, &sending, &accepting, &reading, &file_sending}) {
    CHECK(!op->in_flight);
    CHECK(op->last.code == base::Code::kCancelled);
  }
  CHECK(receiving.finals == 1);
  CHECK(accepting.finals == 1);
  CHECK(reading.finals == 1);
  CHECK(!is_open(pair.ours));
  CHECK(!is_open(static_cast<int>(*listener)));
  // The kernel lets go of the connection soon after: the peer sees its end behind what was sent.
  for (std::string next; next != "end";) next = test::next_of(*pair.theirs);
  ::close(file);
}

TEST_CASE("io_uring: more ops than the queues hold lose nothing") {
  for (const bool before_first_turn : {true, false}) {
    std::unique_ptr<UringDriver> driver = make({.submissions = 4, .completions = 8});
    if (driver == nullptr) return;
    if (!before_first_turn) driver->turn(0);
    constexpr int kPairs = 100;
    constexpr int kMessages = 5;
    std::vector<Pair> pairs;
    std::vector<std::unique_ptr<Recorder>> receiving;
    std::vector<std::unique_ptr<Recorder>> sending;
    for (int i = 0; i < kPairs; ++i) {
      pairs.push_back(make_pair());
      const io::SocketId id = driver->attach(pairs.back().ours).value();
      receiving.push_back(std::make_unique<Recorder>(*driver));
      receiving.back()->start(io::Verb::kReceive, id);
      sending.push_back(std::make_unique<Recorder>(*driver));
      sending.back()->send(id, "from the driver");
    }
    std::string sent;
    for (int round = 0; round < kMessages; ++round) {
      const std::string text = "message " + std::to_string(round) + ";";
      for (const Pair& pair : pairs) REQUIRE(test::send_text(*pair.theirs, text).has_value());
      sent += text;
      if (round == 2) driver->turn(0);
    }
    for (int i = 0; i < kPairs; ++i) {
      Recorder& one = *receiving[static_cast<std::size_t>(i)];
      CHECK(test::turn_until(*driver, [&] { return one.data.size() == sent.size(); }));
      CHECK(one.data == sent);
      CHECK(one.finals == 0);
      CHECK(test::turn_until(*driver, [&] { return sending[static_cast<std::size_t>(i)]->finals == 1; }));
      CHECK(test::next_of(*pairs[static_cast<std::size_t>(i)].theirs) == "from the driver");
    }
    driver.reset();
    for (const auto& one : receiving) CHECK(one->finals == 1);
  }
}

TEST_CASE("io_uring: a burst larger than the kernel's share of the buffers is served from the reserve") {
  std::unique_ptr<UringDriver> driver = make({}, 300);
  if (driver == nullptr) return;
  std::vector<Pair> pairs;
  std::vector<std::unique_ptr<Recorder>> receiving;
  for (int i = 0; i < 250; ++i) {
    pairs.push_back(make_pair());
    receiving.push_back(std::make_unique<Recorder>(*driver));
    receiving.back()->start(io::Verb::kReceive, driver->attach(pairs.back().ours).value());
    REQUIRE(test::send_text(*pairs.back().theirs, "all at once").has_value());
  }
  for (const auto& one : receiving) {
    CHECK(test::turn_until(*driver, [&] { return one->data == "all at once"; }));
    CHECK(one->finals == 0);  // none ended with kNoBuffers
  }
  CHECK(driver->buffers().lent() == 0);
  driver.reset();
}

TEST_CASE("io_uring: a descriptor is closed only when the kernel has nothing in flight on it") {
  std::unique_ptr<UringDriver> driver = make();
  if (driver == nullptr) return;
  const Pair pair = make_pair();
  const io::SocketId id = driver->attach(pair.ours).value();
  Recorder receiving(*driver);
  receiving.start(io::Verb::kReceive, id);
  driver->turn(0);
  driver->close(id, false);
  CHECK(driver->handle_of(id) == sys::kNoSocket);
  CHECK(is_open(pair.ours));  // so that no new socket gets its number
  CHECK(receiving.finals == 0);
  REQUIRE(test::turn_until(*driver, [&] { return receiving.finals == 1; }));
  CHECK(!is_open(pair.ours));

  const Pair idle = make_pair();
  driver->close(driver->attach(idle.ours).value(), false);
  CHECK(!is_open(idle.ours));  // nothing to wait for
}

TEST_CASE("io_uring: ops of a close inside a completion end in a later turn") {
  std::unique_ptr<UringDriver> driver = make();
  if (driver == nullptr) return;
  const Pair pair = make_pair();
  const io::SocketId id = driver->attach(pair.ours).value();
  Recorder sending(*driver);
  struct Closing : io::Op {
    io::Driver* driver = nullptr;
  } receiving;
  receiving.driver = driver.get();
  receiving.verb = io::Verb::kReceive;
  receiving.socket = id;
  receiving.done = [](io::Op& op, const io::Completion& completion) {
    io::Driver& its = *static_cast<Closing&>(op).driver;
    if (completion.buffer) its.buffers().release(completion.buffer);
    if (completion.more) its.close(op.socket, false);
  };
  REQUIRE(test::send_text(*pair.theirs, "x").has_value());
  driver->submit(receiving);
  driver->turn(0);  // armed; the byte may already be on its way to the next turn
  REQUIRE(receiving.in_flight);
  for (int turns = 0; driver->handle_of(id) != sys::kNoSocket; ++turns) {
    REQUIRE(turns < 100);
    if (!sending.in_flight) sending.send(id, "y");  // its completion lies behind the one that closes
    const int finals = sending.finals;
    driver->turn(5);
    if (driver->handle_of(id) == sys::kNoSocket && sending.in_flight) CHECK(sending.finals == finals);
  }
  REQUIRE(test::turn_until(*driver, [&] { return !receiving.in_flight && !sending.in_flight; }));
}

}  // namespace tidegate
