// Every limit that protects the server from its clients, in one struct. The configuration's schema says unit, default,
// range and reason of each; these defaults are the same. Plain data, immutable while it is used.
#pragma once

#include <cstdint>

namespace tidegate::http {

inline constexpr std::uint64_t kUnlimited = UINT64_MAX;

struct Limits {
  std::uint32_t request_line_size = 16 * 1024;  // bytes, without the line end: 414
  std::uint32_t header_size = 64 * 1024;        // bytes of all field lines: 431
  std::uint32_t header_count = 128;             // fields: 431
  std::uint64_t body_size = kUnlimited;         // bytes of a request's content: 413
  std::int64_t header_timeout_ms = 10'000;      // from the first byte of a head to its end: 408
  std::int64_t idle_timeout_ms = 75'000;        // between two requests of a connection: closed
  std::int64_t body_idle_timeout_ms = 60'000;   // without a byte of an expected body: 408
  std::int64_t write_idle_timeout_ms = 60'000;  // without progress of a response: reset
  std::uint64_t body_rate_min = 240;            // bytes a second, averaged over rate_grace_ms; 0: no minimum
  std::uint64_t write_rate_min = 240;           // bytes a second, averaged over rate_grace_ms; 0: no minimum
  std::int64_t rate_grace_ms = 10'000;          // length of the window over which rates are averaged
  std::uint64_t keepalive_requests = kUnlimited;  // requests a connection may carry
};

}  // namespace tidegate::http
