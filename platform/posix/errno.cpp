#include "platform/posix/errno.h"

#include <cerrno>

namespace tidegate::platform {

namespace {

// Values that may be equal on some systems (EAGAIN and EWOULDBLOCK, ENOTSUP and EOPNOTSUPP) are named once: a switch
// may not repeat them. Linux and macOS agree on the equal pairs, or define both names as one.
base::Code code_of(int number) {
  switch (number) {
    case 0: return base::Code::kNone;
    case EAGAIN:
    case EINPROGRESS: return base::Code::kWouldBlock;
    case ECANCELED: return base::Code::kCancelled;
    case ECONNRESET:
    case ECONNABORTED:
    case EPIPE:
    case ENOTCONN: return base::Code::kReset;
    case ECONNREFUSED: return base::Code::kRefused;
    case ETIMEDOUT: return base::Code::kTimedOut;
    case EMFILE:
    case ENFILE: return base::Code::kNoDescriptors;
    case ENOMEM:
    case ENOBUFS: return base::Code::kNoMemory;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EADDRNOTAVAIL: return base::Code::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS: return base::Code::kDenied;
    case EADDRINUSE: return base::Code::kAddressInUse;
    case ENOSYS:
    case EOPNOTSUPP:
    case EAFNOSUPPORT:
    case EPROTONOSUPPORT: return base::Code::kNotSupported;
    case EINVAL:
    case EBADF:
    case ENOTSOCK: return base::Code::kInvalid;
    case E2BIG:
    case EFBIG:
    case EMSGSIZE:
    case EOVERFLOW: return base::Code::kTooLarge;
    case ESTALE: return base::Code::kChanged;
    default: return base::Code::kIo;
  }
}

}  // namespace

base::Error from_errno(int number, base::Domain domain) {
  return {.code = code_of(number), .domain = domain, .os_code = number};
}

base::Error last_error() { return from_errno(errno, base::Domain::kSys); }

base::Error sys_error(base::Code code) { return {.code = code, .domain = base::Domain::kSys}; }

}  // namespace tidegate::platform
