// Who holds an address: the tables as text, and this very process and its child on the real system.
#include "platform/linux/holder.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "unit/sys/child_process.h"
#include "unit/sys/sockets.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using test::ip_endpoint;
using test::OwnedSocket;
using test::TempDir;
using Inodes = std::vector<std::uint64_t>;

std::string this_process() { return "(pid " + std::to_string(::getpid()); }

TEST_CASE("this process is found as the holder of its addresses") {
  const TempDir dir;
  for (const base::Endpoint& endpoint : {ip_endpoint("127.0.0.1"), test::unix_endpoint(dir / "a socket")}) {
    const OwnedSocket listener = test::listen(endpoint);
    const std::string holder = sys::holder_of(test::where(listener));
    CAPTURE(holder);
    CHECK(holder.find(this_process()) != std::string::npos);
    CHECK(holder.ends_with(")"));
    CHECK(holder.front() != ' ');
  }
}

TEST_CASE("a wildcard stands in the way of every address of the port, another address does not") {
  const OwnedSocket wide = test::listen(ip_endpoint("0.0.0.0"));
  const std::uint16_t port = test::where(wide).address.port;
  CHECK(sys::holder_of(ip_endpoint("127.0.0.1", port)).find(this_process()) != std::string::npos);
  const OwnedSocket narrow = test::listen(ip_endpoint("127.0.0.1"));
  const std::uint16_t other = test::where(narrow).address.port;
  CHECK(sys::holder_of(ip_endpoint("0.0.0.0", other)).find(this_process()) != std::string::npos);
  CHECK(sys::holder_of(ip_endpoint("127.0.0.2", other)).empty());
}

TEST_CASE("an address that nobody holds has no holder, nor has one that is only connected from") {
  base::Endpoint endpoint = ip_endpoint("127.0.0.1");
  {
    const OwnedSocket listener = test::listen(endpoint);
    endpoint = test::where(listener);
  }
  CHECK(sys::holder_of(endpoint).empty());
  const test::Pair pair = test::connected(ip_endpoint("127.0.0.1"));
  CHECK(sys::holder_of(test::where(pair.client)).empty());
  const TempDir dir;
  CHECK(sys::holder_of(test::unix_endpoint(dir / "none")).empty());
}

TEST_CASE("another process is named with its number") {
  std::array<int, 2> ready{};
  REQUIRE(::pipe(ready.data()) == 0);
  base::Endpoint endpoint = ip_endpoint("127.0.0.1");
  OwnedSocket listener = test::listen(endpoint);
  endpoint = test::where(listener);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // keeps the listener open until it is told to go
    ::alarm(test::kChildMost_s);
    ::close(ready[1]);
    char byte = 0;
    static_cast<void>(!::read(ready[0], &byte, 1));
    ::_exit(0);
  }
  listener.close(false);
  CHECK(sys::holder_of(endpoint).find("(pid " + std::to_string(child)) != std::string::npos);
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK(test::status_of(child) == 0);
  CHECK(sys::holder_of(endpoint).empty());
}

// Written for a machine with little-endian words, as the kernel prints them there.
TEST_CASE("lines of /proc/net/tcp") {
  const std::string_view table =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 101 1 0000 100 0 0 10 0\n"
      "   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 102 1 0000 100 0 0 10 0\n"
      "   2: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 103 1 0000 100 0 0 10 0\n"
      "   3: 0200007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 104 1 0000 100 0 0 10 0\n"
      "   4: broken\n\n";
  CHECK(platform::listeners_in_tcp_table(table, ip_endpoint("127.0.0.1", 8080).address) == Inodes{101, 102});
  CHECK(platform::listeners_in_tcp_table(table, ip_endpoint("0.0.0.0", 8080).address) == Inodes{102, 101});
  CHECK(platform::listeners_in_tcp_table(table, ip_endpoint("127.0.0.2", 8081).address) == Inodes{104});
  CHECK(platform::listeners_in_tcp_table(table, ip_endpoint("127.0.0.1", 8081).address).empty());
  CHECK(platform::listeners_in_tcp_table(table, ip_endpoint("127.0.0.1", 80).address).empty());
  CHECK(platform::listeners_in_tcp_table("", ip_endpoint("127.0.0.1", 80).address).empty());
  const std::string_view table6 =
      "   0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 "
      "00000000  1000        0 201 1 0000 100 0 0 10 0\n"
      "   1: B80D0120000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 "
      "00000000  1000        0 202 1 0000 100 0 0 10 0\n";
  CHECK(platform::listeners_in_tcp_table(table6, ip_endpoint("::1", 8080).address) == Inodes{201});
  CHECK(platform::listeners_in_tcp_table(table6, ip_endpoint("2001:db8::1", 8080).address) == Inodes{202});
}

TEST_CASE("lines of /proc/net/unix") {
  const std::string_view table =
      "Num       RefCount Protocol Flags    Type St Inode Path\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01   301 /run/a b.sock\n"
      "0000000000000000: 00000003 00000000 00000000 0001 03   302 /run/a b.sock\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01   303 @abstract\n"
      "0000000000000000: 00000003 00000000 00000000 0001 03   304\n";
  CHECK(platform::listeners_in_unix_table(table, "/run/a b.sock") == Inodes{301});
  CHECK(platform::listeners_in_unix_table(table, "@abstract") == Inodes{303});
  CHECK(platform::listeners_in_unix_table(table, "/run/a").empty());
  CHECK(platform::listeners_in_unix_table(table, "").empty());
}

TEST_CASE("the systemd unit of a process") {
  CHECK(platform::unit_in("0::/system.slice/nginx.service\n") == "nginx.service");
  CHECK(platform::unit_in("0::/system.slice/app.service/worker-3\n") == "app.service");
  CHECK(platform::unit_in("0::/user.slice/user-1000.slice/user@1000.service/app.slice/site.service\n") ==
        "site.service");
  CHECK(platform::unit_in("0::/user.slice/user-1000.slice/user@1000.service/init.scope\n").empty());
  CHECK(platform::unit_in("0::/user.slice/user-1000.slice/session-3.scope\n").empty());
  CHECK(platform::unit_in("9:name=systemd:/system.slice/old.service\n4:memory:/\n0::/\n") == "old.service");
  CHECK(platform::unit_in("").empty());
}

}  // namespace
}  // namespace tidegate
