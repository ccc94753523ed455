// Listening: ports that are taken or shared, unix sockets with their modes and leftovers, inherited sockets.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "unit/sys/sockets.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using base::Code;
using test::ip_endpoint;
using test::OwnedSocket;
using test::TempDir;
using test::unix_endpoint;

// Sets the umask for a while.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

mode_t mode_of(const std::string& path) {
  struct stat found{};
  REQUIRE(::lstat(path.c_str(), &found) == 0);
  REQUIRE(S_ISSOCK(found.st_mode));
  return found.st_mode & 07777U;
}

TEST_CASE("a port in use is said to be so, unless all share it") {
  const OwnedSocket alone = test::listen(ip_endpoint("127.0.0.1"));
  CHECK(sys::listen_at(test::where(alone), {}).error().code == Code::kAddressInUse);
  CHECK(sys::listen_at(test::where(alone), {.share_port = true}).error().code == Code::kAddressInUse);
  const OwnedSocket first = test::listen(ip_endpoint("127.0.0.1"), {.share_port = true});
  const OwnedSocket second = test::listen(test::where(first), {.share_port = true});
  CHECK(test::where(first) == test::where(second));
}

TEST_CASE("a port is free again at once after a server with connections has gone") {
  base::Endpoint endpoint = ip_endpoint("127.0.0.1");
  {
    const OwnedSocket listener = test::listen(endpoint);
    endpoint = test::where(listener);
    const OwnedSocket client = test::connect(endpoint);
    test::wait_for(listener, POLLIN);
    const auto accepted = sys::accept_from(listener.get());
    REQUIRE(accepted.has_value());
    sys::close_socket(accepted->socket, false);  // this side ends first and waits (TIME-WAIT)
    CHECK(test::next_of(client) == "end");
  }
  const OwnedSocket again = test::listen(endpoint);
  CHECK(test::where(again) == endpoint);
}

TEST_CASE("addresses that are not ours cannot be listened at") {
  CHECK(sys::listen_at(ip_endpoint("192.0.2.1"), {}).error().code == Code::kNotFound);
  CHECK(sys::listen_at(base::Endpoint{}, {}).error().code == Code::kInvalid);
}

TEST_CASE("the mode of a unix socket is the one asked for, whatever the umask") {
  const TempDir dir;
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{0777}}) {
    for (const mode_t mode : {mode_t{0600}, mode_t{0660}, mode_t{0666}}) {
      CAPTURE(mask);
      CAPTURE(mode);
      const std::string path = dir / ("socket-" + std::to_string(mask) + "-" + std::to_string(mode));
      const Umask guard(mask);
      const OwnedSocket listener = test::listen(unix_endpoint(path), {.unix_mode = mode});
      CHECK(mode_of(path) == mode);
      CHECK(test::where(listener) == unix_endpoint(path));
    }
  }
  const Umask guard(027);
  const OwnedSocket listener = test::listen(unix_endpoint(dir / "plain"));
  CHECK(mode_of(dir / "plain") == 0750);
}

TEST_CASE("at no instant is a unix socket's mode wider than asked for") {
  const TempDir dir;
  const std::string path = dir / "socket";
  const Umask guard(0);
  std::atomic<bool> stopping = false;
  std::atomic<int> seen = 0;
  std::atomic<int> wider = 0;
  std::thread watcher([&] {
    while (!stopping.load()) {
      struct stat found{};
      if (::lstat(path.c_str(), &found) != 0) continue;
      ++seen;
      if ((found.st_mode & 0777U & ~0600U) != 0) ++wider;
    }
  });
  for (int round = 0; round < 2000 || (seen.load() == 0 && round < 200'000); ++round) {
    const auto made = sys::listen_at(unix_endpoint(path), {.unix_mode = 0600});
    if (made) sys::close_socket(*made, false);
    ::unlink(path.c_str());
  }
  stopping.store(true);
  watcher.join();
  CHECK(seen.load() > 0);
  CHECK(wider.load() == 0);
}

TEST_CASE("a stale unix socket is replaced, one that is served is not") {
  const TempDir dir;
  const std::string path = dir / "socket";
  {
    const OwnedSocket first = test::listen(unix_endpoint(path));
  }
  REQUIRE(::access(path.c_str(), F_OK) == 0);
  const OwnedSocket second = test::listen(unix_endpoint(path), {.unix_mode = 0660});
  CHECK(mode_of(path) == 0660);
  CHECK(sys::listen_at(unix_endpoint(path), {}).error().code == Code::kAddressInUse);
  const OwnedSocket client = test::connect(unix_endpoint(path));  // it is still the second's
  // The probe has left its connection first.
  test::wait_for(second, POLLIN);
  int accepted = 0;
  for (auto got = sys::accept_from(second.get()); got; got = sys::accept_from(second.get())) {
    CHECK(got->peer.family == base::Family::kUnix);
    sys::close_socket(got->socket, false);
    ++accepted;
  }
  CHECK(accepted == 2);
}

TEST_CASE("a unix socket with a full queue is served") {
  const TempDir dir;
  const std::string path = dir / "socket";
  const OwnedSocket listener = test::listen(unix_endpoint(path), {.backlog = 0});
  std::vector<OwnedSocket> waiting;
  for (auto made = sys::connect_to(unix_endpoint(path)); made; made = sys::connect_to(unix_endpoint(path))) {
    waiting.emplace_back(*made);
    REQUIRE(waiting.size() < 100);
  }
  CHECK(sys::listen_at(unix_endpoint(path), {}).error().code == Code::kAddressInUse);
}

TEST_CASE("whatever else is at the path of a unix socket stays") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  CHECK(sys::listen_at(unix_endpoint(dir / "file"), {}).error().code == Code::kAddressInUse);
  const test::OwnedFile root = test::root_at(dir.path());
  CHECK(sys::stat_beneath(root.get(), "file", sys::Links::kNever, sys::Wait::kMayBlock)->size == 7);
  test::link_to("nothing", dir / "link");
  CHECK(sys::listen_at(unix_endpoint(dir / "link"), {.unix_mode = 0600}).error().code == Code::kAddressInUse);
  CHECK(::access((dir / "nothing").c_str(), F_OK) != 0);
  CHECK(sys::listen_at(unix_endpoint(dir / "none/socket"), {}).error().code == Code::kNotFound);
  CHECK(sys::listen_at(unix_endpoint(""), {}).error().code == Code::kInvalid);
}

TEST_CASE("a unix socket's path has 107 bytes at most") {
  const TempDir dir;
  const std::string longest = dir / std::string(107 - dir.path().size() - 1, 's');
  CHECK(test::where(test::listen(unix_endpoint(longest))) == unix_endpoint(longest));
  CHECK(sys::listen_at(unix_endpoint(longest + "s"), {}).error().code == Code::kTooLarge);
}

TEST_CASE("a listener of somebody else is adopted, anything else is not") {
  const OwnedSocket inherited(::socket(AF_INET, SOCK_STREAM, 0));
  CHECK(sys::adopt_listener(inherited.get()).error().code == Code::kInvalid);
  REQUIRE(::listen(inherited.number(), 5) == 0);
  CHECK(sys::adopt_listener(inherited.get()) == inherited.get());
  CHECK((::fcntl(inherited.number(), F_GETFL) & O_NONBLOCK) != 0);
  CHECK((::fcntl(inherited.number(), F_GETFD) & FD_CLOEXEC) != 0);
  int no_delay = 0;
  socklen_t size = sizeof no_delay;
  REQUIRE(::getsockopt(inherited.number(), IPPROTO_TCP, TCP_NODELAY, &no_delay, &size) == 0);
  CHECK(no_delay == 1);

  const test::Pair pair = test::connected(ip_endpoint("127.0.0.1"));
  CHECK(sys::adopt_listener(pair.server.get()).error().code == Code::kInvalid);
  const OwnedSocket datagrams(::socket(AF_INET, SOCK_DGRAM, 0));
  CHECK(sys::adopt_listener(datagrams.get()).error().code == Code::kInvalid);
  const test::OwnedFile file = test::root_at("/");
  CHECK(sys::adopt_listener(file.get()).error().code == Code::kInvalid);
  CHECK(sys::adopt_listener(99'999).error().code == Code::kInvalid);
}

}  // namespace
}  // namespace tidegate
