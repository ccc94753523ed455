// The list of drivers that the contract suite runs on. A backend that the machine does not have (io_uring is often
// forbidden in containers) is reported by the test "which backends run" and skipped by the others.
#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "contract/real_world.h"
#include "contract/sim_world.h"
#include "contract/world.h"
#include "io/portable/libevent_selector.h"
#include "io/readiness/readiness_driver.h"

#ifdef __linux__
#include "platform/linux/epoll_selector.h"
#if __has_include("platform/linux/uring_driver.h")
#include "platform/linux/uring_driver.h"
#define TIDEGATE_HAS_URING 1
#endif
#endif

namespace tidegate::contract {

template <class Selector>
std::unique_ptr<io::Driver> over(base::Result<std::unique_ptr<Selector>> selector, io::BlockingPool& pool,
                                 std::uint16_t buffer_count, std::uint32_t buffer_size) {
  if (!selector) return nullptr;
  return std::make_unique<io::ReadinessDriver>(std::move(*selector), pool, buffer_count, buffer_size);
}

using MakeWorld = std::unique_ptr<World> (*)(const WorldOptions& options);

// libevent with the method that it prefers: edge triggered on Linux and the BSDs.
struct LibeventEdge {
  static constexpr const char* kName = "libevent, edge triggered";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_real_world(
        [](io::BlockingPool& pool, std::uint16_t count, std::uint32_t size) {
          return over(io::make_libevent_selector(), pool, count, size);
        },
        options);
  }
};

// libevent over poll(2): levels, emulated by asking once at a time.
struct LibeventPoll {
  static constexpr const char* kName = "libevent, poll";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_real_world(
        [](io::BlockingPool& pool, std::uint16_t count, std::uint32_t size) {
          return over(io::make_libevent_selector({.method = "poll"}), pool, count, size);
        },
        options);
  }
};

struct LibeventSelect {
  static constexpr const char* kName = "libevent, select";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_real_world(
        [](io::BlockingPool& pool, std::uint16_t count, std::uint32_t size) {
          return over(io::make_libevent_selector({.method = "select"}), pool, count, size);
        },
        options);
  }
};

// The simulated driver as it is when nothing goes wrong.
struct Simulated {
  static constexpr const char* kName = "simulated";
  static std::unique_ptr<World> make(const WorldOptions& options) { return make_sim_world(options, {}); }
};

// With everything late, short and out of order.
struct SimulatedRough {
  static constexpr const char* kName = "simulated, rough";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_sim_world(options, io::SimFaults::rough());
  }
};

#ifdef __linux__
struct Epoll {
  static constexpr const char* kName = "epoll";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_real_world(
        [](io::BlockingPool& pool, std::uint16_t count, std::uint32_t size) {
          return over(platform::make_epoll_selector(), pool, count, size);
        },
        options);
  }
};
#define TIDEGATE_EPOLL Epoll,
#else
#define TIDEGATE_EPOLL
#endif

#ifdef TIDEGATE_HAS_URING
struct Uring {
  static constexpr const char* kName = "io_uring";
  static std::unique_ptr<World> make(const WorldOptions& options) {
    return make_real_world(
        [](io::BlockingPool&, std::uint16_t count, std::uint32_t size) -> std::unique_ptr<io::Driver> {
          auto made = platform::UringDriver::create(count, size);
          if (!made) return nullptr;
          return std::move(*made);
        },
        options);
  }
};
#define TIDEGATE_URING Uring,
#else
#define TIDEGATE_URING
#endif

#define TIDEGATE_REAL_BACKENDS TIDEGATE_EPOLL TIDEGATE_URING LibeventEdge, LibeventPoll, LibeventSelect
// For tests that expect the one thing that happens when nothing goes wrong.
#define TIDEGATE_BACKENDS TIDEGATE_REAL_BACKENDS, Simulated
// For tests that count with everything that the contract allows.
#define TIDEGATE_ALL_BACKENDS TIDEGATE_BACKENDS, SimulatedRough

}  // namespace tidegate::contract

// The names that doctest shows.
TYPE_TO_STRING(tidegate::contract::LibeventEdge);
TYPE_TO_STRING(tidegate::contract::LibeventPoll);
TYPE_TO_STRING(tidegate::contract::LibeventSelect);
TYPE_TO_STRING(tidegate::contract::Simulated);
TYPE_TO_STRING(tidegate::contract::SimulatedRough);
#ifdef __linux__
TYPE_TO_STRING(tidegate::contract::Epoll);
#endif
#ifdef TIDEGATE_HAS_URING
TYPE_TO_STRING(tidegate::contract::Uring);
#endif

// A test of the contract: the body is compiled once and run for each backend of the list, which is shown by its name.
// In the body `make_world` makes the world of the backend under test.
#define TIDEGATE_CONTRACT(name, ...) TIDEGATE_CONTRACT_NAMED(name, DOCTEST_ANONYMOUS(tidegate_contract_), __VA_ARGS__)
#define TIDEGATE_CONTRACT_NAMED(name, body, ...)                                                    \
  static void body(::tidegate::contract::MakeWorld make_world);                                     \
  TEST_CASE_TEMPLATE(name, Backend, __VA_ARGS__) { body(&Backend::make); }                          \
  static void body(::tidegate::contract::MakeWorld make_world)

// Opens `world` and `driver`, or leaves the test where the system does not have the backend.
#define TIDEGATE_WORLD(...)                                                                         \
  const auto world = make_world(::tidegate::contract::WorldOptions{__VA_ARGS__});                   \
  if (world == nullptr) return;                                                                     \
  [[maybe_unused]] ::tidegate::io::Driver& driver = world->driver()
