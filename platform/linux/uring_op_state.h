// The values of Op::driver_state under io_uring, and the way from an op to its request's name. Driver internals.
#pragma once

#include <cstdint>

#include "io/op.h"
#include "platform/linux/uring_tag.h"

namespace tidegate::platform {

inline constexpr std::uint8_t kOpInKernel = 1;  // a request is on its way or under way
inline constexpr std::uint8_t kOpEnding = 2;    // the same, and its end has been asked for
inline constexpr std::uint8_t kOpToTry = 3;     // waits for a try by this thread
inline constexpr std::uint8_t kOpDead = 4;      // waits for the delivery of its end

inline constexpr base::Error kCancelledError = {.code = base::Code::kCancelled, .domain = base::Domain::kIo};

[[nodiscard]] inline bool is_read_side(const io::Op& op) {
  return op.verb == io::Verb::kAccept || op.verb == io::Verb::kReceive;
}

// The tag of the op's request. A file read keeps its handle in driver_word.
[[nodiscard]] inline UringTag tag_of(const io::Op& op) {
  switch (op.verb) {
    case io::Verb::kAccept: return {UringKind::kAccept, op.socket};
    case io::Verb::kReceive: return {UringKind::kReceive, op.socket};
    case io::Verb::kReadAt: return {UringKind::kFile, base::Handle::unpack(op.driver_word)};
    case io::Verb::kConnect:
    case io::Verb::kSend:
    case io::Verb::kSendFile: break;
  }
  return {UringKind::kWrite, op.socket};
}

}  // namespace tidegate::platform
