// How the server gets a driver without knowing which pollers the platform has; main.cpp supplies the function.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "io/blocking_pool.h"
#include "io/driver.h"

namespace tidegate::io {

struct MadePoller {
  std::unique_ptr<Driver> driver;
  std::string reason;  // why this one: "configured", "io_uring is not available: ..."
};

// `wanted` is a value of the `poller` setting. The error is a sentence that names the poller and the reason. The driver
// is used by one thread, which may be another one than the caller's.
using PollerFactory = std::expected<MadePoller, std::string> (*)(std::string_view wanted, BlockingPool& blocking,
                                                                 std::uint16_t buffer_count, std::uint32_t buffer_size);

}  // namespace tidegate::io
