// What errno values mean.
#include "platform/posix/errno.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace tidegate {
namespace {

using base::Code;

TEST_CASE("errno values become codes, and stay in the error") {
  const struct {
    int number;
    Code code;
  } expected[] = {
      {EAGAIN, Code::kWouldBlock},
      {EWOULDBLOCK, Code::kWouldBlock},
      {EINPROGRESS, Code::kWouldBlock},
      {ECANCELED, Code::kCancelled},
      {ECONNRESET, Code::kReset},
      {EPIPE, Code::kReset},
      {ECONNREFUSED, Code::kRefused},
      {ETIMEDOUT, Code::kTimedOut},
      {EMFILE, Code::kNoDescriptors},
      {ENFILE, Code::kNoDescriptors},
      {ENOMEM, Code::kNoMemory},
      {ENOBUFS, Code::kNoMemory},
      {ENOENT, Code::kNotFound},
      {ENOTDIR, Code::kNotFound},
      {ELOOP, Code::kNotFound},
      {ENAMETOOLONG, Code::kNotFound},
      {EADDRNOTAVAIL, Code::kNotFound},
      {EACCES, Code::kDenied},
      {EPERM, Code::kDenied},
      {EADDRINUSE, Code::kAddressInUse},
      {ENOSYS, Code::kNotSupported},
      {EAFNOSUPPORT, Code::kNotSupported},
      {EINVAL, Code::kInvalid},
      {EBADF, Code::kInvalid},
      {EFBIG, Code::kTooLarge},
      {ESTALE, Code::kChanged},
      {EIO, Code::kIo},
      {EHOSTUNREACH, Code::kIo},
      {123'456, Code::kIo},
  };
  for (const auto& [number, code] : expected) {
    CAPTURE(number);
    const base::Error error = platform::from_errno(number, base::Domain::kNet);
    CHECK(error.code == code);
    CHECK(error.domain == base::Domain::kNet);
    CHECK(error.os_code == number);
  }
  CHECK(!platform::from_errno(0, base::Domain::kNet));
}

TEST_CASE("the last error is that of the thread, in the domain of the system") {
  errno = ENOENT;
  const base::Error error = platform::last_error();
  CHECK(error.code == Code::kNotFound);
  CHECK(error.domain == base::Domain::kSys);
  CHECK(error.os_code == ENOENT);
  CHECK(platform::sys_error(Code::kDenied).os_code == 0);
}

}  // namespace
}  // namespace tidegate
