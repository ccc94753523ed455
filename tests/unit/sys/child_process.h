// Runs one test case of this binary in a process of its own, after something was done to that process.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace tidegate::test {

inline constexpr unsigned kChildMost_s = 30;  // a child that takes longer is ended by its own alarm

// Marks the test cases that only make sense in such a child; they are skipped otherwise.
#define TIDEGATE_CHILD_CASE(name) TEST_CASE(name* doctest::skip())

// Waits for a child; its exit status, or 128 and the number of the signal that ended it.
[[nodiscard]] inline int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) REQUIRE(errno == EINTR);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// `prepare()` runs in the child before it becomes the test binary again; it may only do what is safe after fork. The
// result is 0 when the case ran and passed.
template <class Prepare>
[[nodiscard]] int run_in_child(const char* test_case, const Prepare& prepare) {
  const std::string filter = std::string("--test-case=") + test_case;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(kChildMost_s);
    if (prepare()) ::execl("/proc/self/exe", "unit_sys", "--no-skip", filter.c_str(), static_cast<char*>(nullptr));
    ::_exit(99);
  }
  return status_of(child);
}

}  // namespace tidegate::test
