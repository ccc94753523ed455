// Stream sockets on loopback: connections, transfers, ends and failures.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "unit/sys/sockets.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using base::Code;
using base::Family;
using test::connected;
using test::ip_endpoint;
using test::next_of;
using test::OwnedSocket;
using test::Pair;
using test::send_text;
using test::TempDir;

int option(const OwnedSocket& socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  REQUIRE(::getsockopt(socket.number(), level, name, &value, &size) == 0);
  return value;
}

void check_flags(const OwnedSocket& socket) {
  CHECK((::fcntl(socket.number(), F_GETFL) & O_NONBLOCK) != 0);
  CHECK((::fcntl(socket.number(), F_GETFD) & FD_CLOEXEC) != 0);
}

TEST_CASE("IPv4: addresses, flags, nothing to accept or to read yet") {
  const OwnedSocket listener = test::listen(ip_endpoint("127.0.0.1"));
  check_flags(listener);
  const base::Endpoint bound = test::where(listener);
  CHECK(bound.address.family == Family::kIpv4);
  CHECK(bound.address.port != 0);
  CHECK(base::format_ip(bound.address) == "127.0.0.1");
  CHECK(sys::accept_from(listener.get()).error().code == Code::kWouldBlock);

  const OwnedSocket client = test::connect(bound);
  check_flags(client);
  test::wait_for(listener, POLLIN);
  const auto accepted = sys::accept_from(listener.get());
  REQUIRE(accepted.has_value());
  const OwnedSocket server(accepted->socket);
  check_flags(server);
  CHECK(accepted->peer == test::where(client).address);
  CHECK(option(listener, IPPROTO_TCP, TCP_NODELAY) == 1);
  CHECK(option(server, IPPROTO_TCP, TCP_NODELAY) == 1);
  CHECK(option(client, IPPROTO_TCP, TCP_NODELAY) == 1);
  char byte = 0;
  CHECK(sys::receive(server.get(), &byte, 1).error().code == Code::kWouldBlock);
}

TEST_CASE("IPv6: the peer's address, and IPv4 peers only where asked for") {
  const auto probe = sys::listen_at(ip_endpoint("::1"), {});
  if (!probe) {
    MESSAGE("no IPv6 here");
    return;
  }
  sys::close_socket(*probe, false);
  const Pair pair = connected(ip_endpoint("::1"));
  CHECK(pair.peer == test::where(pair.client).address);
  CHECK(base::format_ip(pair.peer) == "::1");

  const OwnedSocket only6 = test::listen(ip_endpoint("::"), {.ipv6_only = true});
  CHECK(option(only6, IPPROTO_IPV6, IPV6_V6ONLY) == 1);
  const OwnedSocket both = test::listen(ip_endpoint("::"), {.ipv6_only = false});
  CHECK(option(both, IPPROTO_IPV6, IPV6_V6ONLY) == 0);
  const OwnedSocket client = test::connect(ip_endpoint("127.0.0.1", test::where(both).address.port));
  test::wait_for(both, POLLIN);
  const auto accepted = sys::accept_from(both.get());
  REQUIRE(accepted.has_value());
  const OwnedSocket server(accepted->socket);
  CHECK(accepted->peer.family == Family::kIpv6);
  CHECK(base::format_ip(accepted->peer) == "127.0.0.1");
}

TEST_CASE("bytes go both ways, and slices arrive in order") {
  const TempDir dir;
  for (const base::Endpoint& endpoint : {ip_endpoint("127.0.0.1"), test::unix_endpoint(dir / "socket")}) {
    const Pair pair = connected(endpoint);
    CHECK(send_text(pair.client, "hello") == 5U);
    CHECK(next_of(pair.server) == "hello");
    const sys::Slice slices[] = {{"one ", 4}, {"", 0}, {"two ", 4}, {"three", 5}};
    CHECK(sys::send(pair.server.get(), slices, false) == 13U);
    CHECK(next_of(pair.client) == "one two three");
    CHECK(sys::send(pair.server.get(), {}, false) == 0U);
  }
}

TEST_CASE("more slices than the kernel takes at once are sent in part") {
  const Pair pair = connected(ip_endpoint("127.0.0.1"));
  const std::vector<sys::Slice> slices(3000, sys::Slice{"x", 1});
  const auto sent = sys::send(pair.client.get(), slices, false);
  REQUIRE(sent.has_value());
  CHECK(*sent == 1024);
}

TEST_CASE("what more follows waits for it") {
  const Pair pair = connected(ip_endpoint("127.0.0.1"));
  const auto start = std::chrono::steady_clock::now();
  CHECK(send_text(pair.client, "head ", true) == 5U);
  char byte = 0;
  const auto early = sys::receive(pair.server.get(), &byte, 1);
  // The kernel gives up holding back after 200 ms; a machine that stood still so long proves nothing.
  if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(150)) {
    REQUIRE(!early.has_value());
    CHECK(early.error().code == Code::kWouldBlock);
    CHECK(send_text(pair.client, "body") == 4U);
    CHECK(next_of(pair.server) == "head body");
  }
}

TEST_CASE("a full connection would block, and sends what fits before") {
  const Pair pair = connected(ip_endpoint("127.0.0.1"));
  const std::string block(1 << 20, 'x');
  std::size_t sent = 0;
  for (;;) {
    const auto more = send_text(pair.client, block);
    if (!more) {
      CHECK(more.error().code == Code::kWouldBlock);
      break;
    }
    sent += *more;
    REQUIRE(sent < (std::size_t{1} << 30U));
  }
  std::size_t received = 0;
  while (received < sent) received += next_of(pair.server).size();
  CHECK(received == sent);
}

TEST_CASE("the end of the sending side is the end of the stream, the other direction stays") {
  const TempDir dir;
  for (const base::Endpoint& endpoint : {ip_endpoint("127.0.0.1"), test::unix_endpoint(dir / "socket")}) {
    const Pair pair = connected(endpoint);
    CHECK(send_text(pair.client, "last") == 4U);
    sys::shutdown_send(pair.client.get());
    CHECK(next_of(pair.server) == "last");
    CHECK(next_of(pair.server) == "end");
    CHECK(send_text(pair.server, "answer") == 6U);
    CHECK(next_of(pair.client) == "answer");
  }
}

TEST_CASE("a reset is told from an end, and sending then fails without a signal") {
  Pair cut = connected(ip_endpoint("127.0.0.1"));
  cut.client.close(true);
  CHECK(next_of(cut.server) == "connection reset");
  Pair ended = connected(ip_endpoint("127.0.0.1"));
  ended.client.close(false);
  CHECK(next_of(ended.server) == "end");
  CHECK(send_text(ended.server, "first").has_value());  // answered by a reset
  test::wait_for(ended.server, POLLERR);
  const auto second = send_text(ended.server, "second");
  REQUIRE(!second.has_value());
  CHECK(second.error().code == Code::kReset);
  CHECK(second.error().domain == base::Domain::kSys);
  CHECK(second.error().os_code != 0);
}

TEST_CASE("nobody listens: refused") {
  base::Endpoint free_port = ip_endpoint("127.0.0.1");
  {
    const OwnedSocket listener = test::listen(free_port);
    free_port = test::where(listener);
  }
  const auto made = sys::connect_to(free_port);
  if (made) {
    const OwnedSocket socket(*made);
    test::wait_for(socket, POLLOUT);
    CHECK(sys::connect_outcome(socket.get()).code == Code::kRefused);
  } else {
    CHECK(made.error().code == Code::kRefused);
  }
  const TempDir dir;
  CHECK(sys::connect_to(test::unix_endpoint(dir / "none")).error().code == Code::kRefused);
  {
    const OwnedSocket stale = test::listen(test::unix_endpoint(dir / "stale"));
  }
  CHECK(sys::connect_to(test::unix_endpoint(dir / "stale")).error().code == Code::kRefused);
  CHECK(sys::connect_to(test::unix_endpoint(std::string(200, 'x'))).error().code == Code::kTooLarge);
  CHECK(sys::connect_to(base::Endpoint{}).error().code == Code::kInvalid);
}

TEST_CASE("a unix socket whose queue is full refuses") {
  const TempDir dir;
  const OwnedSocket listener = test::listen(test::unix_endpoint(dir / "socket"), {.backlog = 0});
  std::vector<OwnedSocket> waiting;
  base::Error error;
  while (!error) {
    const auto made = sys::connect_to(test::unix_endpoint(dir / "socket"));
    if (made)
      waiting.emplace_back(*made);
    else
      error = made.error();
    REQUIRE(waiting.size() < 100);
  }
  CHECK(error.code == Code::kRefused);
  CHECK(!waiting.empty());
}

TEST_CASE("file ranges are sent, not beyond the file's end") {
  const TempDir dir;
  test::write_file(dir / "file", "0123456789");
  const test::OwnedFile root = test::root_at(dir.path());
  const auto opened = sys::open_beneath(root.get(), "file", sys::Links::kNever, sys::Wait::kMayBlock);
  REQUIRE(opened.has_value());
  const test::OwnedFile file(opened->file);
  for (const base::Endpoint& endpoint : {ip_endpoint("127.0.0.1"), test::unix_endpoint(dir / "socket")}) {
    const Pair pair = connected(endpoint);
    CHECK(sys::send_file(pair.client.get(), file.get(), 2, 5) == 5U);
    CHECK(next_of(pair.server) == "23456");
    CHECK(sys::send_file(pair.client.get(), file.get(), 7, 100) == 3U);
    CHECK(next_of(pair.server) == "789");
    CHECK(sys::send_file(pair.client.get(), file.get(), 10, 5) == 0U);
    CHECK(sys::send_file(pair.client.get(), file.get(), 1000, 5) == 0U);
    CHECK(sys::send_file(pair.client.get(), file.get(), ~std::uint64_t{0}, 5).error().code == Code::kInvalid);
    std::string text(4, '?');
    CHECK(sys::read_at(file.get(), text.data(), 4, 0, sys::Wait::kMayBlock) == 4U);
    CHECK(text == "0123");
  }
}

TEST_CASE("a file that does not fit is sent in parts") {
  const TempDir dir;
  {
    const platform::Descriptor made(::open((dir / "large").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    REQUIRE(::ftruncate(made.get(), 64 << 20) == 0);
  }
  const test::OwnedFile root = test::root_at(dir.path());
  const auto opened = sys::open_beneath(root.get(), "large", sys::Links::kNever, sys::Wait::kMayBlock);
  REQUIRE(opened.has_value());
  const test::OwnedFile file(opened->file);
  const Pair pair = connected(ip_endpoint("127.0.0.1"));
  std::uint64_t offset = 0;
  std::uint64_t received = 0;
  int blocked = 0;
  while (offset < opened->stat.size) {
    const auto sent = sys::send_file(pair.client.get(), file.get(), offset, opened->stat.size - offset);
    if (sent) {
      offset += *sent;
      continue;
    }
    REQUIRE(sent.error().code == Code::kWouldBlock);
    ++blocked;
    while (received < offset) received += next_of(pair.server).size();
  }
  while (received < offset) received += next_of(pair.server).size();
  CHECK(offset == opened->stat.size);
  CHECK(received == offset);
  CHECK(blocked > 0);
}

}  // namespace
}  // namespace tidegate
