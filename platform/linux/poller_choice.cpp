#include "platform/linux/poller_choice.h"

#include <utility>

#include "io/portable/libevent_selector.h"
#include "io/readiness/readiness_driver.h"
#include "platform/linux/epoll_selector.h"
#include "platform/linux/uring_driver.h"
#include "platform/linux/uring_probe.h"

namespace tidegate::platform {

namespace {

using Made = std::expected<MadeDriver, std::string>;

template <class Selector>
Made over(base::Result<std::unique_ptr<Selector>> selector, io::BlockingPool& blocking, DriverSizes sizes,
          PollerChoice choice) {
  if (!selector) {
    return std::unexpected("poller \"" + choice.name +
                           "\" cannot be started: " + std::string(name_of(selector.error().code)) + " (errno " +
                           std::to_string(selector.error().os_code) + ")");
  }
  return MadeDriver{.driver = std::make_unique<io::ReadinessDriver>(*std::move(selector), blocking, sizes.buffer_count,
                                                                    sizes.buffer_size),
                    .choice = std::move(choice)};
}

// The error is a fragment of a sentence.
std::expected<std::unique_ptr<io::Driver>, std::string> make_uring(DriverSizes sizes) {
  if (auto usable = probe_uring(); !usable) return std::unexpected(std::move(usable).error());
  auto driver = UringDriver::create(sizes.buffer_count, sizes.buffer_size);
  if (!driver) return std::unexpected(reason_of_uring_failure(driver.error()));
  return *std::move(driver);
}

}  // namespace

Made make_driver(std::string_view wanted, io::BlockingPool& blocking, DriverSizes sizes) {
  const bool automatic = wanted == "auto";
  std::string reason = "configured";
  if (automatic || wanted == "io_uring") {
    auto driver = make_uring(sizes);
    if (driver) {
      if (automatic) reason = "io_uring is available";
      return MadeDriver{.driver = *std::move(driver), .choice = {.name = "io_uring", .reason = std::move(reason)}};
    }
    if (!automatic) return std::unexpected("poller \"io_uring\" cannot be used: " + driver.error());
    reason = "no io_uring: " + driver.error();
  }
  if (automatic || wanted == "epoll") {
    return over(make_epoll_selector(), blocking, sizes, {.name = "epoll", .reason = std::move(reason)});
  }
  if (wanted == "libevent") {
    return over(io::make_libevent_selector(), blocking, sizes, {.name = "libevent", .reason = std::move(reason)});
  }
  return std::unexpected("poller \"" + std::string(wanted) +
                         "\" does not exist on Linux: auto, io_uring, epoll or libevent");
}

}  // namespace tidegate::platform
