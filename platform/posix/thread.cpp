// Names of threads and the limit of descriptors. CPUs are the system's own, signals are in signals.cpp.
#include "sys/thread.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tidegate::sys {

void name_this_thread(const char* name) {
  std::array<char, 16> kept{};
  std::memcpy(kept.data(), name, ::strnlen(name, kept.size() - 1));
#ifdef __APPLE__
  ::pthread_setname_np(kept.data());
#else
  ::pthread_setname_np(::pthread_self(), kept.data());
#endif
}

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur >= limit.rlim_max) return limit.rlim_cur;
  // A hard limit may be "unlimited" while the system still refuses that many (macOS): then half as many, and so on.
  for (rlim_t wanted = limit.rlim_max; wanted > limit.rlim_cur; wanted /= 2) {
    const rlimit raised{.rlim_cur = wanted, .rlim_max = limit.rlim_max};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return wanted;
  }
  return limit.rlim_cur;
}

}  // namespace tidegate::sys
