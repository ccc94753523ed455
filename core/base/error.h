// The error value that crosses room boundaries: small, trivially copyable, without text of its own.
//
// An Error says what failed (code), in which room (domain), whose fault it is (origin), what may be done about it
// (flags) and what the operating system said (os_code). HTTP status, retry and log level are derived from it in one
// place (http/failure.h); nobody else switches on it to choose an answer.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace tidegate::base {

enum class Code : std::uint8_t {
  kNone,             // no error: the value of a default constructed Error
  kWouldBlock,       // the call would have to wait (socket not ready, file not in memory)
  kCancelled,        // the operation was cancelled or its socket closed by its owner
  kEndOfStream,      // the peer closed its sending side
  kReset,            // the peer reset the connection
  kRefused,          // nobody listens at the address
  kTimedOut,         // a deadline passed
  kNoBuffers,        // the buffer pool is empty
  kNoDescriptors,    // the process or the system ran out of file descriptors
  kNoMemory,         // the kernel could not supply memory
  kNotFound,         // no such file, address or object
  kDenied,           // permission or policy forbids it
  kAddressInUse,     // somebody else listens there
  kNotSupported,     // the system does not have the feature
  kInvalid,          // an argument or message has a wrong form
  kTooLarge,         // a named limit was exceeded
  kChanged,          // the object changed while it was used
  kIo,               // any other failure that the operating system reported in os_code
};

enum class Domain : std::uint8_t { kBase, kSys, kIo, kNet, kHttp, kPipeline, kHandler, kConfig, kServer };
enum class Origin : std::uint8_t { kInternal, kClient, kUpstream, kConfig };

// Bits of Error::flags.
inline constexpr std::uint8_t kSafeToRetry = 1;       // nothing of the exchange has been seen by the other side
inline constexpr std::uint8_t kConnectionReused = 2;  // the connection had carried an exchange before

struct Error {
  Code code = Code::kNone;
  Domain domain = Domain::kBase;
  Origin origin = Origin::kInternal;
  std::uint8_t flags = 0;
  std::int32_t os_code = 0;  // errno or the Windows error number; 0 when no system call was involved

  [[nodiscard]] constexpr explicit operator bool() const { return code != Code::kNone; }
  friend constexpr bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

// A short English name of the code, for logs ("connection reset").
[[nodiscard]] std::string_view name_of(Code code);

}  // namespace tidegate::base
