#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tidegate::base {

void check_failed(const char* file, int line, const char* expression) noexcept {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, expression);
  std::abort();
}

}  // namespace tidegate::base
