// Thousands of random operations against a model of what must come out: every byte in order and once, ends where they
// belong, errors only with a cause. A failure names its seed; TIDEGATE_SEED=n runs that one alone.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "contract/backends.h"
#include "contract/probe.h"
#include "io/sim/sim_faults.h"

namespace tidegate::contract {

namespace {

using base::Code;

constexpr int kOperations = 2000;
constexpr std::size_t kLines = 8;
constexpr std::uint64_t kFileSize = 100'000;

// What stands at a place of a stream: both ends can compute it.
char byte_at(std::uint64_t stream, std::uint64_t place) {
  return static_cast<char>(io::SimRandom(stream * 1'000'003 + place / 8).next() >> (place % 8 * 8));
}

std::string bytes_at(std::uint64_t stream, std::uint64_t place, std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = byte_at(stream, place + i);
  return bytes;
}

// A connection and what the model knows of it.
struct Line {
  Line(io::Driver& of, std::uint64_t number) : receiving(of), sending(of), in(2 * number), out(2 * number + 1) {}

  Pair pair;
  Probe receiving;
  Probe sending;
  std::uint64_t in;   // the stream from the peer
  std::uint64_t out;  // the stream to the peer
  std::uint64_t written = 0;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t read = 0;
  std::string sending_bytes;
  bool receive_cancelled = false;
  bool send_cancelled = false;
  bool peer_ended = false;  // half-closed
  bool peer_gone = false;   // closed or reset
  bool shut = false;        // the driver's side ended its sending
  bool closed = false;      // by the driver's side
  bool in_ended = false;    // the end or an error was delivered
};

class Model {
 public:
  Model(World& world, std::uint64_t seed) : world_(world), driver_(world.driver()), random_(seed) {
    file_ = world.make_file(bytes_at(1'000'000, 0, kFileSize));
    lines_.resize(kLines);
  }

  void run() {
    for (int i = 0; i < kOperations; ++i) {
      std::unique_ptr<Line>& line = lines_[random_.below(kLines)];
      if (line == nullptr) line = open();
      operate(*line);
      read_file();
      if (random_.chance(500)) driver_.turn(random_.chance(100) ? 1 : 0);
      if (line->closed && !line->receiving.in_flight && !line->sending.in_flight) line.reset();
    }
    for (std::unique_ptr<Line>& line : lines_) {
      if (line != nullptr) finish(*line);
    }
    REQUIRE(world_.turn_until([this] { return reading_ == nullptr || reading_->over(); }));
    check_file_read();
    lines_.clear();
    CHECK(driver_.buffers().lent() == 0);
  }

 private:
  std::unique_ptr<Line> open() {
    auto line = std::make_unique<Line>(driver_, ++opened_);
    line->pair = world_.pair({.tcp = random_.chance(500), .small_buffers = random_.chance(500)});
    Line& known = *line;
    line->receiving.on_done = [&known](Probe&, const io::Completion& completion) { on_received(known, completion); };
    line->sending.on_done = [&known](Probe&, const io::Completion& completion) { on_sent(known, completion); };
    return line;
  }

  void operate(Line& line) {
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2: return receive(line);
      case 3: return cancel_receive(line);
      case 4:
      case 5:
      case 6: return send(line);
      case 7: return cancel_send(line);
      case 8:
      case 9:
      case 10: return peer_writes(line);
      case 11:
      case 12:
      case 13: return peer_reads(line, random_.part_of(20'000));
      default: return end_something(line);
    }
  }

  void end_something(Line& line) {
    switch (random_.below(24)) {
      case 0:
        if (!line.peer_gone) line.pair.peer->half_close();
        line.peer_ended = true;
        return;
      case 1:
        line.pair.peer->reset();
        line.peer_gone = true;
        return;
      case 2:
        line.pair.peer->close();
        line.peer_gone = true;
        return;
      case 3:
      case 4: return close(line, random_.chance(500));
      case 5:
        if (line.sending.in_flight || line.closed) return;
        driver_.shutdown_send(line.pair.socket);
        line.shut = true;
        return;
      default: return;
    }
  }

  void receive(Line& line) {
    if (line.receiving.in_flight || line.closed || line.in_ended) return;
    line.receive_cancelled = false;
    line.receiving.receive(line.pair.socket);
  }
  void cancel_receive(Line& line) {
    driver_.cancel(line.receiving);
    line.receive_cancelled = true;
  }
  void send(Line& line) {
    if (line.sending.in_flight || line.closed || line.shut) return;
    line.send_cancelled = false;
    line.sending_bytes = bytes_at(line.out, line.sent, random_.part_of(20'000));
    line.sending.send(line.pair.socket, line.sending_bytes);
  }
  void cancel_send(Line& line) {
    driver_.cancel(line.sending);
    line.send_cancelled = true;
  }
  void close(Line& line, bool reset) {
    if (line.closed) return;
    line.closed = true;
    driver_.close(line.pair.socket, reset);
  }

  void peer_writes(Line& line) {
    if (line.peer_ended || line.peer_gone) return;
    line.written += line.pair.peer->write(bytes_at(line.in, line.written, random_.part_of(5000)));
  }
  void peer_reads(Line& line, std::size_t most) {
    if (line.peer_gone) return;
    const std::string got = line.pair.peer->read(most);
    CHECK(got == bytes_at(line.out, line.read, got.size()));
    line.read += got.size();
  }

  static void on_received(Line& line, const io::Completion& completion) {
    std::string& fresh = line.receiving.data;
    CHECK(!(line.closed && !fresh.empty()));
    CHECK(fresh == bytes_at(line.in, line.received, fresh.size()));
    line.received += fresh.size();
    CHECK(line.received <= line.written);
    fresh.clear();
    if (completion.more) return;
    switch (completion.error.code) {
      case Code::kNone:
        CHECK((line.peer_ended || line.peer_gone));
        if (!line.peer_gone) CHECK(line.received == line.written);
        line.in_ended = true;
        break;
      case Code::kReset:
        CHECK(line.peer_gone);
        line.in_ended = true;
        break;
      case Code::kCancelled: CHECK((line.receive_cancelled || line.closed)); break;
      case Code::kNoBuffers: break;
      default: FAIL_CHECK("a receive ended with " << std::string(base::name_of(completion.error.code)));
    }
  }

  static void on_sent(Line& line, const io::Completion& completion) {
    CHECK(!completion.more);
    CHECK(completion.bytes <= line.sending_bytes.size());
    line.sent += completion.bytes;
    switch (completion.error.code) {
      case Code::kNone: CHECK(completion.bytes > 0); break;
      case Code::kReset: CHECK(line.peer_gone); break;
      case Code::kCancelled: CHECK((line.send_cancelled || line.closed)); break;
      default: FAIL_CHECK("a send ended with " << std::string(base::name_of(completion.error.code)));
    }
  }

  void read_file() {
    if (reading_ != nullptr && reading_->in_flight) return;
    check_file_read();
    if (!random_.chance(200)) return;
    if (reading_ == nullptr) reading_ = std::make_unique<Probe>(driver_);
    file_bytes_.assign(random_.part_of(10'000), '\0');
    file_offset_ = random_.below(kFileSize + 1000);
    reading_->read_at(file_, file_bytes_.data(), file_bytes_.size(), file_offset_);
  }
  void check_file_read() {
    if (reading_ == nullptr || reading_->completions.empty()) return;
    CHECK(reading_->code() == Code::kNone);
    CHECK((reading_->bytes() > 0) == (file_offset_ < kFileSize));
    file_bytes_.resize(reading_->bytes());
    CHECK(file_bytes_ == bytes_at(1'000'000, file_offset_, file_bytes_.size()));
    reading_->completions.clear();
  }

  // Lets everything come through that was sent, in both directions, and both streams end.
  void finish(Line& line) {
    if (!line.closed && !line.peer_gone) {
      line.pair.peer->half_close();
      line.peer_ended = true;
      REQUIRE(world_.turn_until([&] {
        receive(line);
        peer_reads(line, 100'000);
        return line.in_ended && !line.sending.in_flight && line.read == line.sent;
      }));
      CHECK(line.received == line.written);
      driver_.shutdown_send(line.pair.socket);
      REQUIRE(world_.turn_until([&] {
        peer_reads(line, 1000);
        return line.pair.peer->ended();
      }));
      CHECK(line.read == line.sent);
    }
    close(line, false);
    REQUIRE(world_.turn_until([&] { return !line.receiving.in_flight && !line.sending.in_flight; }));
  }

  World& world_;
  io::Driver& driver_;
  io::SimRandom random_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::uint64_t opened_ = 0;
  sys::FileHandle file_ = sys::kNoFile;
  std::unique_ptr<Probe> reading_;
  std::string file_bytes_;
  std::uint64_t file_offset_ = 0;
};

}  // namespace

TIDEGATE_CONTRACT("2,000 random operations do what the model says", TIDEGATE_ALL_BACKENDS) {
  std::vector<std::uint64_t> seeds = {1, 2, 3};
  if (const char* wanted = std::getenv("TIDEGATE_SEED")) seeds = {std::strtoull(wanted, nullptr, 10)};
  for (const std::uint64_t seed : seeds) {
    INFO("seed " << seed);
    TIDEGATE_WORLD(.buffer_count = 6, .buffer_size = 1500, .seed = seed);
    Model(*world, seed).run();
  }
}

}  // namespace tidegate::contract
