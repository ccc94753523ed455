// The service manager's protocols and the operator's signals.
#include "sys/service.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "sys/thread.h"
#include "unit/sys/child_process.h"
#include "unit/sys/sockets.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using sys::Signal;
using test::OwnedSocket;
using test::TempDir;

// A service manager's end of $NOTIFY_SOCKET.
class Manager {
 public:
  explicit Manager(const std::string& address) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un bound{};
    bound.sun_family = AF_UNIX;
    REQUIRE(address.size() < sizeof bound.sun_path);
    std::memcpy(bound.sun_path, address.data(), address.size());
    if (address[0] == '@') bound.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
    REQUIRE(::bind(socket_.number(), reinterpret_cast<const sockaddr*>(&bound), size) == 0);
    ::setenv("NOTIFY_SOCKET", address.c_str(), 1);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  ~Manager() { ::unsetenv("NOTIFY_SOCKET"); }

  [[nodiscard]] std::string next() const {
    test::wait_for(socket_, POLLIN);
    std::array<char, 4096> buffer;
    const ssize_t got = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
    REQUIRE(got >= 0);
    return {buffer.data(), static_cast<std::size_t>(got)};
  }

 private:
  OwnedSocket socket_;
};

long long monotonic_us() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1'000;
}

TEST_CASE("the service manager is told at a path and at an abstract name") {
  const TempDir dir;
  for (const std::string& address : {dir / "notify", "@tidegate-test-" + std::to_string(::getpid())}) {
    CAPTURE(address);
    const Manager manager(address);
    sys::notify_ready("serving 3 sites");
    CHECK(manager.next() == "READY=1\nSTATUS=serving 3 sites");
    sys::notify_ready("two\nlines");
    CHECK(manager.next() == "READY=1\nSTATUS=two lines");
    sys::notify_stopping();
    CHECK(manager.next() == "STOPPING=1");
    const long long before = monotonic_us();
    sys::notify_reloading();
    const long long after = monotonic_us();
    const std::string reloading = manager.next();
    const std::string head = "RELOADING=1\nMONOTONIC_USEC=";
    REQUIRE(reloading.starts_with(head));
    const long long told = std::stoll(reloading.substr(head.size()));
    CHECK(told >= before);
    CHECK(told <= after);
  }
}

TEST_CASE("where no service manager listens nothing happens") {
  ::unsetenv("NOTIFY_SOCKET");
  sys::notify_ready("nobody");
  const std::string too_long = "/" + std::string(200, 'x');
  for (const char* nonsense : {"", "relative", "@", "/none/at/all", "vsock:2:1234", too_long.c_str()}) {
    ::setenv("NOTIFY_SOCKET", nonsense, 1);
    sys::notify_ready("nobody");
    sys::notify_reloading();
    sys::notify_stopping();
  }
  ::unsetenv("NOTIFY_SOCKET");
}

struct Reported {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Signal> signals;

  static void report(void* context, Signal signal) {
    auto& self = *static_cast<Reported*>(context);
    const std::lock_guard lock(self.mutex);
    self.signals.push_back(signal);
    self.changed.notify_all();
  }
  // Sends a signal to this process and returns what was reported.
  Signal send(int number) {
    std::unique_lock lock(mutex);
    const std::size_t before = signals.size();
    ::kill(::getpid(), number);
    REQUIRE(changed.wait_for(lock, std::chrono::seconds(10), [&] { return signals.size() > before; }));
    return signals.back();
  }
};

TIDEGATE_CHILD_CASE("child: signals are reported") {
  sys::block_service_signals();
  Reported reported;
  {
    const auto source = sys::SignalSource::start(&Reported::report, &reported);
    CHECK(reported.send(SIGTERM) == Signal::kTerminate);
    CHECK(reported.send(SIGINT) == Signal::kInterrupt);
    CHECK(reported.send(SIGQUIT) == Signal::kQuit);
    CHECK(reported.send(SIGHUP) == Signal::kReload);
    CHECK(reported.send(SIGUSR1) == Signal::kReopenLogs);
    CHECK(reported.send(SIGUSR2) == Signal::kHandOver);
    CHECK(reported.send(SIGTERM) == Signal::kTerminate);
  }
  CHECK(reported.signals.size() == 7);  // the source has ended without a report of its own
  const auto again = sys::SignalSource::start(&Reported::report, &reported);
  CHECK(reported.send(SIGHUP) == Signal::kReload);
  CHECK(::raise(SIGPIPE) == 0);  // ignored: the process goes on
}

TEST_CASE("signals are reported one after the other") {
  CHECK(test::run_in_child("child: signals are reported", [] { return true; }) == 0);
}

// Puts what the parent passed to the places that the protocol names: descriptors from 3 on.
struct Passed {
  std::vector<int> sockets;
  const char* names;
  const char* count;
  long other_process = 0;

  [[nodiscard]] bool put() const {
    std::vector<int> out_of_the_way;
    for (const int socket : sockets) out_of_the_way.push_back(::fcntl(socket, F_DUPFD, 100));
    int place = 3;
    for (const int socket : out_of_the_way) {
      if (::dup2(socket, place++) < 0) return false;
    }
    ::setenv("LISTEN_PID", std::to_string(::getpid() + other_process).c_str(), 1);
    ::setenv("LISTEN_FDS", count, 1);
    if (names != nullptr) ::setenv("LISTEN_FDNAMES", names, 1);
    return true;
  }
};

void check_variables_cleared() {
  for (const char* variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) CHECK(std::getenv(variable) == nullptr);
}

TIDEGATE_CHILD_CASE("child: two listeners with names and something else") {
  const auto taken = sys::take_inherited_listeners();
  check_variables_cleared();
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].name == "web");
  CHECK(taken[0].socket == 3);
  CHECK(taken[1].name == "admin");
  CHECK(taken[1].socket == 5);  // 4 is no listener
  for (const int number : {3, 4, 5}) CHECK((::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0);
  CHECK((::fcntl(3, F_GETFL) & O_NONBLOCK) != 0);
  CHECK(sys::local_endpoint(3)->address.family == base::Family::kIpv4);
  CHECK(sys::local_endpoint(5)->address.family == base::Family::kUnix);
  // The listener works: a connection that was made before this process began is in its queue.
  const auto accepted = sys::accept_from(3);
  REQUIRE(accepted.has_value());
  const OwnedSocket server(accepted->socket);
  CHECK(test::next_of(server) == "early");
  CHECK(sys::take_inherited_listeners().empty());
}

TIDEGATE_CHILD_CASE("child: one listener without names and a count too large") {
  const auto taken = sys::take_inherited_listeners();
  check_variables_cleared();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].name.empty());
}

TIDEGATE_CHILD_CASE("child: listeners of another process") {
  CHECK(sys::take_inherited_listeners().empty());
  check_variables_cleared();
  CHECK((::fcntl(3, F_GETFD) & FD_CLOEXEC) == 0);
}

TEST_CASE("listening sockets are inherited from a service manager") {
  const TempDir dir;
  const OwnedSocket web = test::listen(test::ip_endpoint("127.0.0.1"));
  const OwnedSocket admin = test::listen(test::unix_endpoint(dir / "admin"));
  const OwnedSocket client = test::connect(test::where(web));
  REQUIRE(test::send_text(client, "early").has_value());
  const Passed three{
      .sockets = {web.number(), client.number(), admin.number()}, .names = "web:other:admin", .count = "3"};
  CHECK(test::run_in_child("child: two listeners with names and something else", [&] { return three.put(); }) == 0);
  const Passed wrong{.sockets = {web.number()}, .names = nullptr, .count = "60"};
  CHECK(test::run_in_child("child: one listener without names and a count too large",
                           [&] { return wrong.put() && ::close_range(4, 200, 0) == 0; }) == 0);
  const Passed foreign{.sockets = {web.number()}, .names = "web", .count = "1", .other_process = 1};
  CHECK(test::run_in_child("child: listeners of another process", [&] { return foreign.put(); }) == 0);
  ::setenv("LISTEN_PID", "garbage", 1);
  ::setenv("LISTEN_FDS", "-3", 1);
  CHECK(sys::take_inherited_listeners().empty());
  check_variables_cleared();
}

}  // namespace
}  // namespace tidegate
