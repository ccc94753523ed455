// Small steps that several socket calls share.
#pragma once

#include "base/error.h"
#include "platform/posix/descriptor.h"

namespace tidegate::platform {

// A non-blocking stream socket that is closed on exec. `family` is AF_INET, AF_INET6 or AF_UNIX.
// Errors: kNoDescriptors, kNoMemory, kNotSupported, kDenied.
[[nodiscard]] base::Result<Descriptor> open_stream_socket(int family);
// Makes a descriptor non-blocking and closed on exec; false with errno set when it is no descriptor.
[[nodiscard]] bool make_nonblocking(int descriptor);
// TCP_NODELAY: small packets leave at once. A failure only costs time and is ignored.
void set_no_delay(int descriptor);
// An integer option of a socket; false with errno set.
[[nodiscard]] bool set_option(int descriptor, int level, int name, int value);

}  // namespace tidegate::platform
