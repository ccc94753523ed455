// Waiting for the end of a process.
#include "sys/exit_watch.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "base/clock.h"
#include "unit/sys/child_process.h"

namespace tidegate {
namespace {

using base::Code;

constexpr std::int64_t kPlenty_ms = 20'000;

// A child that lives until `release()` or until this object is gone.
class HeldChild {
 public:
  HeldChild() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      ::alarm(test::kChildMost_s);
      ::close(ends[1]);
      char byte = 0;
      static_cast<void>(!::read(ends[0], &byte, 1));  // the end of the pipe, or a byte
      ::_exit(7);
    }
    ::close(ends[0]);
    hold_ = ends[1];
  }
  ~HeldChild() {
    release();
    if (pid_ > 0) static_cast<void>(test::status_of(pid_));
  }
  HeldChild(const HeldChild&) = delete;
  HeldChild& operator=(const HeldChild&) = delete;

  void release() {
    if (hold_ >= 0) ::close(hold_);
    hold_ = -1;
  }
  int reap() {
    const int status = test::status_of(pid_);
    pid_ = 0;
    return status;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  int hold_ = -1;
};

TEST_CASE("a process that lives is waited for until the time is over") {
  const HeldChild child;
  const std::int64_t before_ms = base::monotonic_ms();
  CHECK(sys::wait_for_exit(child.pid(), 30).code == Code::kTimedOut);
  CHECK(base::monotonic_ms() - before_ms >= 29);
  CHECK(sys::wait_for_exit(child.pid(), 0).code == Code::kTimedOut);
  CHECK(sys::wait_for_exit(child.pid(), -5).code == Code::kTimedOut);
}

TEST_CASE("a process that has ended is seen before its parent has asked for it") {
  HeldChild child;
  child.release();
  CHECK(sys::wait_for_exit(child.pid(), kPlenty_ms).code == Code::kNone);
  CHECK(sys::wait_for_exit(child.pid(), 0).code == Code::kNone);
  CHECK(child.reap() == 7);
}

TEST_CASE("a process that does not exist needs no waiting") {
  HeldChild child;
  const pid_t pid = child.pid();
  child.release();
  CHECK(child.reap() == 7);
  CHECK(sys::wait_for_exit(pid, kPlenty_ms).code == Code::kNone);
}

TEST_CASE("what is no process number is refused") {
  for (const std::int64_t pid : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    CAPTURE(pid);
    CHECK(sys::wait_for_exit(pid, 0).code == Code::kInvalid);
  }
}

}  // namespace
}  // namespace tidegate
