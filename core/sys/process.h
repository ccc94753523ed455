// What the server and the command line need to know of the process itself and of its place in the system, and how the
// command line reaches a running server. May block; not for workers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tidegate::sys {

[[nodiscard]] std::int64_t process_id();
// Bytes of memory that this process occupies now; 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_memory_bytes();

// Where the control socket lives. In this order: $TIDEGATE_RUNTIME_DIR; for root and for the package's user "tidegate"
// /run/tidegate; $XDG_RUNTIME_DIR/tidegate; /tmp/tidegate-UID. Nothing is created. Relative values of the variables are
// ignored, as the XDG base directory specification asks.
[[nodiscard]] std::string runtime_directory();
// Creates runtime_directory() if it is missing and returns its path: 0755 for root and the package's user, so that a
// socket in it can be shared with a group; else by make_private_directory. Errors as there.
[[nodiscard]] base::Result<std::string> prepare_runtime_directory();
// Makes sure that `path` is a directory that only this user may enter (0700), creating it and missing parents. Error
// kDenied when something is there that is no directory (a symbolic link neither) or belongs to another user: nobody may
// prepare it for us in a shared place like /tmp. Other errors: kNotFound, kIo.
[[nodiscard]] base::Error make_private_directory(const std::string& path);

// Writes all of `text` to standard error. There is nothing to be done about a failure.
void write_all_to_stderr(std::string_view text);

// Bytes that an answer over the control socket has at most.
inline constexpr std::size_t kExchangeMax = std::size_t{64} << 20U;
// Connects to a unix socket, sends `request` and returns what the other side sends until it closes, all within
// `timeout_ms`. Errors: kNotFound (no such file), kRefused (nobody listens), kDenied, kTimedOut, kReset (cut without an
// answer), kTooLarge (more than kExchangeMax), kInvalid.
[[nodiscard]] base::Result<std::string> exchange_over_unix(const std::string& path, std::string_view request,
                                                           std::int64_t timeout_ms);

}  // namespace tidegate::sys
