#include "platform/linux/openat2.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/posix/descriptor.h"

namespace tidegate::platform {

namespace {
constexpr long kOpenat2Call = 437;  // the same number on every architecture
#ifdef SYS_openat2
static_assert(SYS_openat2 == kOpenat2Call);
#endif

// The directory "/" is always there, always in memory and may be looked at by everybody.
bool opens_with(std::uint64_t resolve) {
  const Descriptor opened(openat2(AT_FDCWD, "/", {.flags = O_PATH | O_CLOEXEC, .mode = 0, .resolve = resolve}));
  return opened.valid();
}
}  // namespace

int openat2(int directory, const char* path, const OpenHow& how) {
  return static_cast<int>(::syscall(kOpenat2Call, directory, path, &how, sizeof how));
}

Openat2Support probe_openat2() {
  if (opens_with(kResolveNoMagicLinks | kResolveCached)) return Openat2Support::kFull;
  return opens_with(kResolveNoMagicLinks) ? Openat2Support::kWithoutCached : Openat2Support::kMissing;
}

}  // namespace tidegate::platform
