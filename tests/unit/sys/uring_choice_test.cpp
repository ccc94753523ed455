// Which poller is chosen, and what is said where io_uring cannot be had. The children really are denied it.
#include <sys/resource.h>

#include <cerrno>
#include <string>

#include "platform/linux/poller_choice.h"
#include "platform/linux/uring_probe.h"
#include "unit/sys/child_process.h"
#include "unit/sys/driver_echo.h"
#include "unit/sys/uring_forbid.h"

namespace tidegate {
namespace {

constexpr platform::DriverSizes kSizes = {.buffer_count = 16, .buffer_size = 4096};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// "auto" must give an epoll driver that works, "io_uring" must fail, and both must say why.
void check_fallback(std::string_view reason) {
  io::BlockingPool blocking(1);
  const auto probed = platform::probe_uring();
  REQUIRE(!probed.has_value());
  CHECK_MESSAGE(contains(probed.error(), reason), probed.error());

  const auto automatic = platform::make_driver("auto", blocking, kSizes);
  REQUIRE(automatic.has_value());
  CHECK(automatic->driver->name() == "epoll");
  CHECK(automatic->choice.name == "epoll");
  CHECK(automatic->choice.reason == "no io_uring: " + probed.error());
  CHECK(test::echo(*automatic->driver, "by other means") == "by other means");

  const auto explicit_one = platform::make_driver("io_uring", blocking, kSizes);
  REQUIRE(!explicit_one.has_value());
  CHECK(explicit_one.error() == "poller \"io_uring\" cannot be used: " + probed.error());
}

}  // namespace

TEST_CASE("auto takes io_uring where the probe finds it, and epoll otherwise") {
  io::BlockingPool blocking(1);
  const auto probed = platform::probe_uring();
  const auto made = platform::make_driver("auto", blocking, kSizes);
  REQUIRE(made.has_value());
  CHECK(made->choice.name == (probed ? "io_uring" : "epoll"));
  CHECK(made->driver->name() == made->choice.name);
  if (probed) CHECK(made->choice.reason == "io_uring is available");
  CHECK(test::echo(*made->driver, "hello") == "hello");
}

TEST_CASE("a poller by name") {
  io::BlockingPool blocking(1);
  for (const std::string name : {"io_uring", "epoll", "libevent"}) {
    if (name == "io_uring" && !platform::probe_uring()) continue;  // the children below stand in for this
    CAPTURE(name);
    const auto made = platform::make_driver(name, blocking, kSizes);
    REQUIRE(made.has_value());
    CHECK(made->choice.name == name);
    CHECK(made->choice.reason == "configured");
    CHECK(made->driver->name() == name);
    CHECK(test::echo(*made->driver, "hello by name") == "hello by name");
  }
  const auto unknown = platform::make_driver("kqueue", blocking, kSizes);
  REQUIRE(!unknown.has_value());
  CHECK(contains(unknown.error(), "\"kqueue\" does not exist on Linux"));
}

TIDEGATE_CHILD_CASE("child: io_uring is not permitted") { check_fallback("is not permitted"); }
TIDEGATE_CHILD_CASE("child: io_uring is hidden") { check_fallback("the kernel has no io_uring, or a filter hides it"); }
TIDEGATE_CHILD_CASE("child: the kernel is too old for the flags") { check_fallback("lacks a part of io_uring"); }
TIDEGATE_CHILD_CASE("child: no locked memory is left") { check_fallback("RLIMIT_MEMLOCK is 64 KiB"); }
TIDEGATE_CHILD_CASE("child: another failure of the system") { check_fallback("no file descriptors left"); }

TEST_CASE("a filter that denies io_uring_setup") {
  const auto denied = [](unsigned error) { return [error] { return test::forbid_call(SYS_io_uring_setup, error); }; };
  CHECK(test::run_in_child("child: io_uring is not permitted", denied(EPERM)) == 0);
  CHECK(test::run_in_child("child: io_uring is hidden", denied(ENOSYS)) == 0);
  CHECK(test::run_in_child("child: the kernel is too old for the flags", denied(EINVAL)) == 0);
  CHECK(test::run_in_child("child: another failure of the system", denied(EMFILE)) == 0);
  CHECK(test::run_in_child("child: no locked memory is left", [] {
          const rlimit limit{.rlim_cur = 64 * 1024, .rlim_max = 64 * 1024};
          return ::setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && test::forbid_call(SYS_io_uring_setup, ENOMEM);
        }) == 0);
}

TEST_CASE("a filter that lets a ring be made but not used") {
  if (!platform::probe_uring()) return;  // no ring can be made at all
  CHECK(test::run_in_child("child: io_uring is not permitted",
                           [] { return test::forbid_call(SYS_io_uring_enter, EPERM); }) == 0);
  CHECK(test::run_in_child("child: io_uring is not permitted",
                           [] { return test::forbid_call(SYS_io_uring_register, EPERM); }) == 0);
}

// Kernels since 5.12 count the rings by control group instead; older ones, and some with limits of their own, refuse.
TIDEGATE_CHILD_CASE("child: no memory may be locked") {
  io::BlockingPool blocking(1);
  const auto made = platform::make_driver("auto", blocking, kSizes);
  REQUIRE(made.has_value());
  if (made->choice.name == "epoll") CHECK(contains(made->choice.reason, "no io_uring: "));
  CHECK(test::echo(*made->driver, "still here") == "still here");
}

TEST_CASE("no memory may be locked") {
  CHECK(test::run_in_child("child: no memory may be locked", [] {
          const rlimit none{.rlim_cur = 0, .rlim_max = 0};
          return ::setrlimit(RLIMIT_MEMLOCK, &none) == 0;
        }) == 0);
}

}  // namespace tidegate
