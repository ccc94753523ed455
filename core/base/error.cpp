#include "base/error.h"

namespace tidegate::base {

std::string_view name_of(Code code) {
  switch (code) {
    case Code::kNone: return "no error";
    case Code::kWouldBlock: return "would block";
    case Code::kCancelled: return "cancelled";
    case Code::kEndOfStream: return "end of stream";
    case Code::kReset: return "connection reset";
    case Code::kRefused: return "connection refused";
    case Code::kTimedOut: return "timed out";
    case Code::kNoBuffers: return "no buffers left";
    case Code::kNoDescriptors: return "no file descriptors left";
    case Code::kNoMemory: return "out of memory";
    case Code::kNotFound: return "not found";
    case Code::kDenied: return "permission denied";
    case Code::kAddressInUse: return "address in use";
    case Code::kNotSupported: return "not supported";
    case Code::kInvalid: return "invalid";
    case Code::kTooLarge: return "too large";
    case Code::kChanged: return "changed while in use";
    case Code::kIo: return "input/output error";
  }
  return "unknown error";
}

}  // namespace tidegate::base
