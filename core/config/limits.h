// The limits of [limits], once as settled values with their defaults and once as overrides of a site or a route.
//
// One template says each limit once: Limits holds plain values, LimitOverrides holds optional ones. The schema table
// (schema_limits.cpp) adds unit, range, place and the reason of each.
#pragma once

#include <optional>
#include <type_traits>

#include "config/units.h"

namespace tidegate::config {

using namespace literals;

template <template <class> class Wrap>
struct LimitsOf {
  // The default in settled limits, nothing in overrides.
  template <class T>
  static constexpr Wrap<T> initial(T value) {
    if constexpr (std::is_same_v<Wrap<T>, T>) {
      return value;
    } else {
      return {};
    }
  }

  Wrap<Size> request_line_size = initial(16_kib);
  Wrap<Size> header_size = initial(64_kib);
  Wrap<std::uint64_t> header_count = initial<std::uint64_t>(128);
  Wrap<Duration> header_timeout = initial(10_s);
  Wrap<Duration> idle_timeout = initial(75_s);
  Wrap<CountLimit> keepalive_requests = initial(CountLimit{});
  Wrap<SizeLimit> body_size = initial(SizeLimit{});
  Wrap<Duration> body_idle_timeout = initial(60_s);
  Wrap<ByteRate> body_rate_min = initial(ByteRate{240});
  Wrap<Duration> write_idle_timeout = initial(60_s);
  Wrap<ByteRate> write_rate_min = initial(ByteRate{240});
  Wrap<Duration> rate_grace = initial(10_s);
  Wrap<AutoCount> connections = initial(AutoCount{});

  friend bool operator==(const LimitsOf&, const LimitsOf&) = default;
};

using Limits = LimitsOf<std::type_identity_t>;
using LimitOverrides = LimitsOf<std::optional>;

// `base` with every value that `overrides` gives.
[[nodiscard]] Limits resolve(const Limits& base, const LimitOverrides& overrides);

}  // namespace tidegate::config
