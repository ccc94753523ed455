// The epoll poller: one epoll_ctl a connection life, edge triggered in both directions (epoll(7)).
#pragma once

#include <memory>

#include "base/error.h"
#include "io/readiness/selector.h"

namespace tidegate::platform {

// Errors: kNoDescriptors, kIo.
[[nodiscard]] base::Result<std::unique_ptr<io::Selector>> make_epoll_selector();

}  // namespace tidegate::platform
