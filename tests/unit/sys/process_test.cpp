// The process's directories, memory and the command line's exchange with a server.
#include "sys/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "unit/sys/child_process.h"
#include "unit/sys/sockets.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using base::Code;
using test::OwnedSocket;
using test::TempDir;

constexpr uid_t kNobody = 65534;

// Sets an environment variable for a while, or takes it away.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    had_ = std::getenv(name) != nullptr;
    if (value != nullptr)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (had_)
      ::setenv(name_, before_.c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

// Runs `action` as another user, in a thread whose effective user alone is changed; false when that is not allowed.
template <class Action>
bool as_user(uid_t user, const Action& action) {
  bool allowed = false;
  std::thread([&] {
    allowed = ::syscall(SYS_setresuid, -1, user, -1) == 0;
    if (allowed) action();
  }).join();
  return allowed;
}

TEST_CASE("the runtime directory: by variable, for the system, for a user") {
  const Variable chosen("TIDEGATE_RUNTIME_DIR", "/chosen/place");
  CHECK(sys::runtime_directory() == "/chosen/place");
  const Variable relative("TIDEGATE_RUNTIME_DIR", "relative");
  const Variable user("XDG_RUNTIME_DIR", "/run/user/1000");
  if (::geteuid() == 0) CHECK(sys::runtime_directory() == "/run/tidegate");
  const bool allowed = as_user(kNobody, [] {
    CHECK(sys::runtime_directory() == "/run/user/1000/tidegate");
    const Variable none("XDG_RUNTIME_DIR", nullptr);
    CHECK(sys::runtime_directory() == "/tmp/tidegate-65534");
    const Variable not_absolute("XDG_RUNTIME_DIR", "run");
    CHECK(sys::runtime_directory() == "/tmp/tidegate-65534");
  });
  if (!allowed) CHECK(sys::runtime_directory() == (::geteuid() == 0 ? "/run/tidegate" : "/run/user/1000/tidegate"));
}

mode_t mode_of(const std::string& path) {
  struct stat found{};
  REQUIRE(::lstat(path.c_str(), &found) == 0);
  return found.st_mode & 07777U;
}

TEST_CASE("the runtime directory is prepared for this user alone") {
  const TempDir dir;
  const std::string path = dir / "a/b/tidegate";
  const Variable chosen("TIDEGATE_RUNTIME_DIR", path.c_str());
  CHECK(sys::prepare_runtime_directory() == path);
  CHECK(mode_of(path) == 0700);
  CHECK(mode_of(dir / "a") == 0700);
  CHECK(sys::prepare_runtime_directory() == path);
}

TEST_CASE("a private directory is made, tightened, and taken from nobody else") {
  const TempDir dir;
  CHECK(!sys::make_private_directory(dir / "new"));
  CHECK(mode_of(dir / "new") == 0700);
  CHECK(!sys::make_private_directory(dir / "new///"));
  test::make_directory(dir / "wide");
  CHECK(mode_of(dir / "wide") == 0755);
  CHECK(!sys::make_private_directory(dir / "wide"));
  CHECK(mode_of(dir / "wide") == 0700);
  test::write_file(dir / "file", "");
  CHECK(sys::make_private_directory(dir / "file").code == Code::kDenied);
  CHECK(sys::make_private_directory(dir / "file/below").code == Code::kNotFound);
  test::make_directory(dir / "target");
  test::link_to("target", dir / "link");
  CHECK(sys::make_private_directory(dir / "link").code == Code::kDenied);
  CHECK(sys::make_private_directory(dir / "link/").code == Code::kDenied);
  CHECK(mode_of(dir / "target") == 0755);
  CHECK(sys::make_private_directory("").code == Code::kInvalid);
  if (::geteuid() != 0) {
    MESSAGE("not root: directories of other users were not tried");
    return;
  }
  test::make_directory(dir / "foreign");
  REQUIRE(::chown((dir / "foreign").c_str(), kNobody, kNobody) == 0);
  CHECK(sys::make_private_directory(dir / "foreign").code == Code::kDenied);
  CHECK(mode_of(dir / "foreign") == 0755);
}

TEST_CASE("the process knows its number and its memory") {
  CHECK(sys::process_id() == ::getpid());
  const std::uint64_t before = sys::resident_memory_bytes();
  CHECK(before > 500'000);
  constexpr std::size_t kSize = std::size_t{64} << 20U;
  const std::vector<char> touched(kSize, 'x');
  const std::uint64_t after = sys::resident_memory_bytes();
  CHECK(touched.back() == 'x');
  CHECK(after > before + kSize / 2);
  CHECK(after < before + kSize * 4);
}

TEST_CASE("all of a text reaches standard error, also when the reader is slow") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  const std::string text(1 << 20, 'e');
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(test::kChildMost_s);
    ::dup2(ends[1], STDERR_FILENO);
    sys::write_all_to_stderr(text);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::size_t received = 0;
  std::array<char, 4096> buffer;
  for (;;) {
    pollfd ready{.fd = ends[0], .events = POLLIN, .revents = 0};
    REQUIRE(::poll(&ready, 1, test::kWaitMost_ms) == 1);
    const ssize_t got = ::read(ends[0], buffer.data(), buffer.size());
    REQUIRE(got >= 0);
    if (got == 0) break;
    received += static_cast<std::size_t>(got);
  }
  ::close(ends[0]);
  CHECK(received == text.size());
  CHECK(test::status_of(child) == 0);
}

// Serves one connection on a thread: reads `expects` bytes, sends the answer, closes.
class Server {
 public:
  Server(const std::string& path, std::size_t expects, std::string answer)
      : listener_(test::listen(test::unix_endpoint(path))), thread_([this, expects, answer = std::move(answer)] {
          pollfd ready{.fd = listener_.number(), .events = POLLIN, .revents = 0};
          ::poll(&ready, 1, test::kWaitMost_ms);
          const auto accepted = sys::accept_from(listener_.get());
          if (!accepted) return;
          const OwnedSocket connection(accepted->socket);
          while (request_.size() < expects && read_some(connection)) {
          }
          send_all(connection, answer);
        }) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { finish(); }

  // What was asked; ends the server.
  std::string finish() {
    if (thread_.joinable()) thread_.join();
    return request_;
  }

 private:
  bool read_some(const OwnedSocket& connection) {
    pollfd ready{.fd = connection.number(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, test::kWaitMost_ms) != 1) return false;
    std::array<char, 65'536> buffer;
    const auto got = sys::receive(connection.get(), buffer.data(), buffer.size());
    if (!got || *got == 0) return false;
    request_.append(buffer.data(), *got);
    return true;
  }
  static void send_all(const OwnedSocket& connection, std::string_view text) {
    while (!text.empty()) {
      const auto sent = test::send_text(connection, text);
      if (sent) {
        text.remove_prefix(*sent);
        continue;
      }
      pollfd ready{.fd = connection.number(), .events = POLLOUT, .revents = 0};
      if (sent.error().code != Code::kWouldBlock || ::poll(&ready, 1, test::kWaitMost_ms) != 1) return;
    }
  }

  OwnedSocket listener_;
  std::string request_;
  std::thread thread_;
};

TEST_CASE("a request is answered over a unix socket") {
  const TempDir dir;
  Server server(dir / "control", 7, "the answer");
  CHECK(sys::exchange_over_unix(dir / "control", "request", test::kWaitMost_ms) == "the answer");
  CHECK(server.finish() == "request");
}

TEST_CASE("requests and answers larger than any buffer pass") {
  const TempDir dir;
  const std::string request(3 << 20, 'q');
  const std::string answer(5 << 20, 'a');
  Server server(dir / "control", request.size(), answer);
  const auto got = sys::exchange_over_unix(dir / "control", request, test::kWaitMost_ms);
  REQUIRE(got.has_value());
  CHECK((*got == answer));
  CHECK((server.finish() == request));
}

TEST_CASE("an answer that comes before the request was read counts") {
  const TempDir dir;
  Server server(dir / "control", 0, "too large");
  const auto got = sys::exchange_over_unix(dir / "control", std::string(8 << 20, 'q'), test::kWaitMost_ms);
  REQUIRE(got.has_value());
  CHECK(*got == "too large");
}

TEST_CASE("an answer beyond the limit is refused") {
  const TempDir dir;
  Server server(dir / "control", 1, std::string(sys::kExchangeMax + 1, 'a'));
  CHECK(sys::exchange_over_unix(dir / "control", "q", test::kWaitMost_ms).error().code == Code::kTooLarge);
}

TEST_CASE("no server, no answer in time, no place in the queue") {
  const TempDir dir;
  CHECK(sys::exchange_over_unix(dir / "none", "q", 1000).error().code == Code::kNotFound);
  CHECK(sys::exchange_over_unix(std::string(300, 'x'), "q", 1000).error().code == Code::kTooLarge);
  {
    const OwnedSocket gone = test::listen(test::unix_endpoint(dir / "stale"));
  }
  CHECK(sys::exchange_over_unix(dir / "stale", "q", 1000).error().code == Code::kRefused);

  const OwnedSocket silent = test::listen(test::unix_endpoint(dir / "silent"), {.backlog = 0});
  const auto start = std::chrono::steady_clock::now();
  CHECK(sys::exchange_over_unix(dir / "silent", "q", 50).error().code == Code::kTimedOut);
  std::vector<OwnedSocket> waiting;
  const base::Endpoint endpoint = test::unix_endpoint(dir / "silent");
  for (auto made = sys::connect_to(endpoint); made; made = sys::connect_to(endpoint)) waiting.emplace_back(*made);
  CHECK(sys::exchange_over_unix(dir / "silent", "q", 50).error().code == Code::kTimedOut);
  const auto passed = std::chrono::steady_clock::now() - start;
  CHECK(passed >= std::chrono::milliseconds(100));
  CHECK(passed < std::chrono::seconds(10));
}

}  // namespace
}  // namespace tidegate
