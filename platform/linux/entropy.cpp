#include "sys/entropy.h"

#include <sys/random.h>

#include <cerrno>

#include "base/check.h"

namespace tidegate::sys {

void random_bytes(void* into, std::size_t size) {
  auto* at = static_cast<std::byte*>(into);
  while (size > 0) {
    const ssize_t got = ::getrandom(at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    TIDEGATE_CHECK(got > 0);
    at += got;
    size -= static_cast<std::size_t>(got);
  }
}

std::uint64_t random_u64() {
  std::uint64_t bits = 0;
  random_bytes(&bits, sizeof bits);
  return bits;
}

}  // namespace tidegate::sys
