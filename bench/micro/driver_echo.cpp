// What a poller costs alone: every piece that arrives on a connection is answered with the same 150 bytes, through
// the Driver interface and nothing else. No parsing, so use a load generator that sends one short request at a time.
//
// usage: micro_driver_echo POLLER PORT [SLICES]
//   POLLER  auto, io_uring, epoll or libevent
//   PORT    on 127.0.0.1; 0 takes a free one, which is printed
//   SLICES  into how many pieces the answer is cut for a gathering send (1 to 8, default 1)
// Runs until SIGINT or SIGTERM, then prints answers, turns, and CPU microseconds an answer of this process.
// Exit codes: 1 the system refused something; 2 usage.
#include <sys/resource.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string_view>

#include "base/intrusive_list.h"
#include "io/blocking_pool.h"
#include "platform/linux/poller_choice.h"

namespace tidegate::bench {
namespace {

constexpr std::uint16_t kBuffers = 1024;
constexpr std::uint32_t kBufferSize = 16384;
constexpr std::size_t kSlicesMax = 8;
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nServer: driver_echo\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 14\r\n"
    "X-Fill: 0123456789012345678901234\r\n\r\nHello, world!\n";
static_assert(kAnswer.size() == 150);

class Server;

class Connection : public base::Link {
 public:
  Connection(Server& server, io::SocketId socket, std::size_t slices);
  [[nodiscard]] bool ended() const { return closed_ && !receive_.in_flight && !send_.in_flight; }
  void close();

 private:
  void on_received(const io::Completion& done);
  void on_sent(const io::Completion& done);

  Server& server_;
  io::SocketId socket_;
  io::Op receive_;
  io::Op send_;
  std::array<sys::Slice, kSlicesMax> slices_;
  bool closed_ = false;
};

class Server {
 public:
  Server(io::Driver& driver, sys::SocketHandle listener, std::size_t slices);
  // Turns until stop(); then closes everything.
  void run();
  void stop() {
    stopping_ = 1;
    driver_.wake();
  }

  [[nodiscard]] io::Driver& driver() { return driver_; }
  void count_answer() {
    if (answers_++ == 0) began_us_ = cpu_us();
  }
  void bury(Connection& connection) {
    connection.unlink();
    ended_.push_back(connection);
  }
  void report() const;

 private:
  static std::int64_t cpu_us();
  void on_accepted(const io::Completion& done);
  void turn();

  io::Driver& driver_;
  io::Op accept_;
  std::size_t slices_;
  base::IntrusiveList<Connection> live_;
  base::IntrusiveList<Connection> ended_;  // destroyed when the turn is over
  std::uint64_t answers_ = 0;
  std::uint64_t turns_ = 0;
  std::int64_t began_us_ = 0;
  volatile std::sig_atomic_t stopping_ = 0;
};

Connection::Connection(Server& server, io::SocketId socket, std::size_t slices) : server_(server), socket_(socket) {
  const std::size_t part = kAnswer.size() / slices;
  for (std::size_t i = 0; i < slices; ++i) {
    const std::string_view piece = kAnswer.substr(i * part, i + 1 == slices ? kAnswer.npos : part);
    slices_[i] = {piece.data(), piece.size()};
  }
  receive_.socket = send_.socket = socket;
  receive_.owner = send_.owner = this;
  receive_.verb = io::Verb::kReceive;
  receive_.done = [](io::Op& op, const io::Completion& done) { static_cast<Connection*>(op.owner)->on_received(done); };
  send_.verb = io::Verb::kSend;
  send_.arguments.send = {slices_.data(), static_cast<std::uint32_t>(slices), false};
  send_.done = [](io::Op& op, const io::Completion& done) { static_cast<Connection*>(op.owner)->on_sent(done); };
  server.driver().submit(receive_);
}

void Connection::close() {
  if (!closed_) server_.driver().close(socket_, false);
  closed_ = true;
  if (ended()) server_.bury(*this);
}

void Connection::on_received(const io::Completion& done) {
  if (done.bytes > 0) {
    server_.driver().buffers().release(done.buffer);
    if (!closed_ && !send_.in_flight) server_.driver().submit(send_);
  } else if (done.error.code == base::Code::kNoBuffers && !closed_) {
    server_.driver().submit(receive_);
  } else {
    close();
  }
}

void Connection::on_sent(const io::Completion& done) {
  if (closed_ || done.error || done.bytes != kAnswer.size()) return close();  // so few bytes are not cut
  server_.count_answer();
}

Server::Server(io::Driver& driver, sys::SocketHandle listener, std::size_t slices) : driver_(driver), slices_(slices) {
  accept_.verb = io::Verb::kAccept;
  accept_.owner = this;
  accept_.done = [](io::Op& op, const io::Completion& done) { static_cast<Server*>(op.owner)->on_accepted(done); };
  if (const auto socket = driver.attach(listener)) {
    accept_.socket = *socket;
    driver.submit(accept_);
  }
}

void Server::on_accepted(const io::Completion& done) {
  if (done.accepted == sys::kNoSocket) return;
  const auto socket = driver_.attach(done.accepted);
  if (!socket) return sys::close_socket(done.accepted, true);
  live_.push_back(*std::make_unique<Connection>(*this, *socket, slices_).release());
}

void Server::turn() {
  driver_.turn(io::Driver::kForever);
  ++turns_;
  while (Connection* gone = ended_.pop_front()) std::unique_ptr<Connection>{gone}.reset();
}

void Server::run() {
  while (stopping_ == 0 && accept_.in_flight) turn();
  report();
  driver_.close(accept_.socket, false);
  live_.for_each([](Connection& connection) { connection.close(); });
  while (accept_.in_flight || !live_.empty()) turn();
}

std::int64_t Server::cpu_us() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

void Server::report() const {
  const double used_us = answers_ == 0 ? 0 : static_cast<double>(cpu_us() - began_us_);
  const auto answers = static_cast<double>(answers_ == 0 ? 1 : answers_);
  std::printf("%s: %llu answers, %.2f answers a turn, %.3f CPU us an answer\n", std::string(driver_.name()).c_str(),
              static_cast<unsigned long long>(answers_), answers / static_cast<double>(turns_ == 0 ? 1 : turns_),
              used_us / answers);
}

Server* g_server = nullptr;

int serve(std::string_view poller, std::uint16_t port, std::size_t slices) {
  io::BlockingPool blocking(1);
  const auto made = platform::make_driver(poller, blocking, {.buffer_count = kBuffers, .buffer_size = kBufferSize});
  if (!made) {
    std::fprintf(stderr, "driver_echo: %s\n", made.error().c_str());
    return 1;
  }
  base::Endpoint endpoint{.address = *base::parse_ip("127.0.0.1"), .unix_path = {}};
  endpoint.address.port = port;
  const auto listener = sys::listen_at(endpoint, {});
  const auto bound = listener ? sys::local_endpoint(*listener) : std::unexpected(listener.error());
  if (!bound) {
    std::fprintf(stderr, "driver_echo: cannot listen: %s\n", std::string(name_of(bound.error().code)).c_str());
    return 1;
  }
  std::printf("%s (%s) on %s\n", made->choice.name.c_str(), made->choice.reason.c_str(), base::format(*bound).c_str());
  std::fflush(stdout);
  Server server(*made->driver, *listener, slices);
  g_server = &server;
  const auto stop = [](int) { g_server->stop(); };  // a write to a descriptor: allowed in a signal's handler
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::signal(SIGPIPE, SIG_IGN);
  server.run();
  return 0;
}

bool parse(std::string_view text, std::size_t max, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value <= max;
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  std::size_t port = 0;
  std::size_t slices = 1;
  if (argc < 3 || argc > 4 || !tidegate::bench::parse(argv[2], 65535, port) ||
      (argc == 4 && (!tidegate::bench::parse(argv[3], tidegate::bench::kSlicesMax, slices) || slices == 0))) {
    std::fputs("usage: micro_driver_echo auto|io_uring|epoll|libevent PORT [SLICES]\n", stderr);
    return 2;
  }
  return tidegate::bench::serve(argv[1], static_cast<std::uint16_t>(port), slices);
}
