// Allocations and time of whole exchanges on one loop: a fixed response, a small file, a large file, pipelined requests.
//
// usage: micro_hot_path [POLLER]      (default: every poller that can be had)
// Client and server share the thread, so the nanoseconds hold the client's calls too: compare runs, not servers. The
// program fails (exit code 1) if anything is allocated after the warm-up, or an answer is not complete.
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <string_view>

#include "config/load.h"
#include "config/validate.h"
#include "handlers/files/file_store.h"
#include "io/blocking_pool.h"
#include "platform/linux/poller_choice.h"
#include "server/compile.h"
#include "server/connection_host.h"
#include "server/modules.h"

namespace {
std::size_t allocations = 0;
}  // namespace

// All allocations of the program, counted.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tidegate::bench {
namespace {

constexpr int kWarmUp = 2000;
constexpr int kRounds = 20000;

class NoLog final : public pipeline::ExchangeObserver {
 public:
  void on_exchange(const pipeline::RoutedExchange&) override {}
  std::int64_t start_time_us() override { return 0; }
};

struct Case {
  const char* name;
  std::string request;
  std::size_t answers;       // in one write
  std::size_t content_size;  // of each answer
};

// Sends the request and turns the loop until the answers are complete.
bool exchange(io::Loop& loop, int client, const Case& one, std::string& buffer) {
  if (::send(client, one.request.data(), one.request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(one.request.size())) return false;
  std::size_t got = 0;
  std::size_t wanted = SIZE_MAX;
  for (int turns = 0; got < wanted && turns < 10000; ++turns) {
    loop.turn(0);
    const ssize_t part = ::recv(client, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (part <= 0) continue;
    if (wanted == SIZE_MAX) {
      const auto head = std::string_view(buffer).find("\r\n\r\n");
      if (head == std::string_view::npos || !buffer.starts_with("HTTP/1.1 200")) return false;
      wanted = one.answers * (head + 4 + one.content_size);
    }
    got += static_cast<std::size_t>(part);
  }
  return got == wanted;
}

bool measure(io::Loop& loop, const std::string& path, std::string_view poller, const Case& one) {
  base::Endpoint server{.address = {.family = base::Family::kUnix}, .unix_path = path};
  const auto client = sys::connect_to(server);
  if (!client) return false;
  const int socket = static_cast<int>(*client);
  std::string buffer(1 << 20, '\0');
  bool complete = true;
  for (int i = 0; i < kWarmUp; ++i) complete = complete && exchange(loop, socket, one, buffer);
  const std::size_t before = allocations;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < kRounds; ++i) complete = complete && exchange(loop, socket, one, buffer);
  const auto took = std::chrono::steady_clock::now() - began;
  const std::size_t made = allocations - before;
  const double ns = static_cast<double>(std::chrono::nanoseconds(took).count()) / kRounds / static_cast<double>(one.answers);
  std::printf("%-10.*s %-18s %8.0f ns  %zu allocations%s\n", static_cast<int>(poller.size()), poller.data(), one.name, ns, made,
              complete ? "" : "  INCOMPLETE ANSWERS");
  ::close(socket);
  for (int i = 0; i < 100; ++i) loop.turn(0);
  return complete && made == 0;
}

bool run(const char* poller, const std::filesystem::path& directory) {
  io::BlockingPool blocking(1);
  auto made = platform::make_driver(poller, blocking, {256, 16384});
  if (!made) {
    std::printf("%-10s not to be had: %s\n", poller, made.error().c_str());
    return true;
  }
  config::Loaded loaded = config::load_text(
      "[[site]]\nname=\"x\"\nlisten=[\"http://127.0.0.1:1\"]\n[[site.route]]\npath=\"/ping\"\nrespond={body=\"pong\\n\"}\n"
      "[[site.route]]\npath=\"/*\"\nfiles={root=\"" + directory.string() + "\"}\n", "hot_path", directory.string());
  if (!loaded.ok()) {
    std::printf("%s", config::format(loaded.diagnostics, loaded.sources).c_str());
    return false;
  }
  handlers::FileStore files(64 << 20, 1 << 20);
  auto snapshot = server::compile(loaded.config, loaded.sources, {{loaded.config.sites[0].listen[0].text, std::uint16_t{0}}}, files);
  if (!snapshot) return false;
  const std::string path = (directory / "s").string();
  const auto listening = sys::listen_at({.address = {.family = base::Family::kUnix}, .unix_path = path}, {});
  if (!listening) return false;
  bool good = true;
  {
    io::Loop loop(std::move(made->driver));
    NoLog log;
    {
      server::ConnectionHost host(loop, log, "bench");
      host.services().blocking = &blocking;
      server::add_worker_states(host.services(), files);
      host.publish(*snapshot->release());
      host.open_listener(0, *listening);
      const std::string get = " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n";
      std::string pipelined;
      for (int i = 0; i < 16; ++i) pipelined += "GET /ping" + get;
      const Case cases[] = {{"respond", "GET /ping" + get, 1, 5},
                            {"file 13 B", "GET /small.txt" + get, 1, 13},
                            {"file 122 KB", "GET /large.js" + get, 1, 122'161},
                            {"16 pipelined", pipelined, 16, 5}};
      for (const Case& one : cases) good = measure(loop, path, made->choice.name, one) && good;
      host.kill();
      while (!host.empty()) loop.turn(10);
    }
  }
  std::filesystem::remove(path);
  return good;
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  const auto directory = std::filesystem::temp_directory_path() / ("tg-hot-" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "small.txt") << "Hello, World\n";
  std::ofstream(directory / "large.js") << std::string(122'161, 'x');
  bool good = true;
  if (argc > 1) {
    good = tidegate::bench::run(argv[1], directory);
  } else {
    for (const char* poller : {"io_uring", "epoll", "libevent"}) good = tidegate::bench::run(poller, directory) && good;
  }
  std::filesystem::remove_all(directory);
  return good ? 0 : 1;
}
