// TIDEGATE_CHECK: aborts on a broken invariant, in every build. For mistakes of this program only, never for anything
// that a peer, a file or a configuration can cause.
#pragma once

namespace tidegate::base {

// Prints "file:line: check failed: expression" to standard error and aborts.
[[noreturn]] void check_failed(const char* file, int line, const char* expression) noexcept;

}  // namespace tidegate::base

#define TIDEGATE_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::tidegate::base::check_failed(__FILE__, __LINE__, #expression))
