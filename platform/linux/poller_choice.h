// Which poller serves the setting `poller` on Linux: the one place that knows them all.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "io/blocking_pool.h"
#include "io/driver.h"

namespace tidegate::platform {

// What was chosen and why, for the log and for status.
struct PollerChoice {
  std::string name;    // "io_uring", "epoll" or "libevent"
  std::string reason;  // a sentence fragment: "io_uring is available", "configured", "no io_uring: ..."
};

struct DriverSizes {
  std::uint16_t buffer_count;  // receive buffers, at most 32768
  std::uint32_t buffer_size;   // bytes
};

struct MadeDriver {
  std::unique_ptr<io::Driver> driver;
  PollerChoice choice;
};

// Makes a driver for one worker. `wanted` is "auto", "io_uring", "epoll" or "libevent"; "auto" takes io_uring where
// it can be had and epoll otherwise. The error is a sentence that names the poller and the reason. `blocking` must
// outlive the driver. For the threads that may use the driver see UringDriver.
[[nodiscard]] std::expected<MadeDriver, std::string> make_driver(std::string_view wanted, io::BlockingPool& blocking,
                                                                 DriverSizes sizes);

}  // namespace tidegate::platform
