// The table of [limits]: name, unit, default, range and reason of every limit, for the top level and for overrides.
#include <array>

#include "config/schema_objects.h"

namespace tidegate::config {
namespace {

constexpr std::uint64_t kMs = 1;
constexpr std::uint64_t kSecond = 1000;
constexpr std::uint64_t kDay = 24 * 3600 * kSecond;
constexpr std::uint64_t kKib = 1024;
constexpr std::uint64_t kMib = 1024 * kKib;

// A limit in both of its forms, and how an override reaches the settled value.
struct Limit {
  Field settled;
  Field override;
  void (*apply)(const LimitOverrides&, Limits&);
};

template <auto Settled, auto Override>
constexpr Limit limit(std::string_view name, std::string_view doc, std::string_view reason, Range range) {
  return {.settled = field<Settled>(name, doc).in(range.min, range.max).because(reason),
          .override = field<Override>(name, doc).in(range.min, range.max).because(reason),
          .apply = [](const LimitOverrides& from, Limits& to) {
            if (from.*Override) to.*Settled = *(from.*Override);
          }};
}

// A limit of the whole process: a site or a route cannot have its own.
constexpr Limit whole_process(Limit limit) {
  limit.override = only_in("[limits] at the top level", limit.settled.name);
  return limit;
}

using L = Limits;
using O = LimitOverrides;

constexpr std::array kLimits{
    limit<&L::request_line_size, &O::request_line_size>(
        "request_line_size", "Largest request line (method, target, version).",
        "A target is kept in memory while the request lasts. Longer: 414 and the connection is closed.", {256, kMib}),
    limit<&L::header_size, &O::header_size>(
        "header_size", "Largest header section of a request, and largest trailer section.",
        "Bounds the memory of one request head; big enough for single sign-on cookies. Larger: 431.",
        {kKib, 16 * kMib}),
    limit<&L::header_count, &O::header_count>("header_count", "Most field lines in a header or trailer section.",
                                              "Bounds the work of looking at a head. More: 431.", {1, 10000}),
    limit<&L::header_timeout, &O::header_timeout>(
        "header_timeout", "Time from the first byte of a request to the end of its header section.",
        "A client that sends its head drop by drop holds a connection. Later: 408 and the connection is closed.",
        {10 * kMs, kDay}),
    limit<&L::idle_timeout, &O::idle_timeout>(
        "idle_timeout", "Time that a connection may wait for its next request.",
        "Idle connections cost descriptors and memory. Later: closed without an answer.", {10 * kMs, 7 * kDay}),
    limit<&L::keepalive_requests, &O::keepalive_requests>(
        "keepalive_requests", "Requests on one connection before it is closed.",
        "Only needed to spread clients again after servers were added; there is nothing to reclaim.",
        {1, 1'000'000'000'000}),
    limit<&L::body_size, &O::body_size>(
        "body_size", "Largest request body.",
        "Bodies are streamed and not stored, so there is no limit by default. Larger: 413, which names this limit.",
        {0, std::uint64_t{1} << 60U}),
    limit<&L::body_idle_timeout, &O::body_idle_timeout>(
        "body_idle_timeout", "Time without one byte of an expected request body.",
        "A client that went away without closing would hold its request open. Later: 408 and the connection is closed.",
        {10 * kMs, kDay}),
    limit<&L::body_rate_min, &O::body_rate_min>(
        "body_rate_min", "Slowest rate of a request body, after `rate_grace`.",
        "Stops a client that sends just enough to stay below the idle deadline. Slower: 408 and the connection is closed.",
        {1, std::uint64_t{1} << 40U}),
    limit<&L::write_idle_timeout, &O::write_idle_timeout>(
        "write_idle_timeout", "Time in which the client takes not one byte of a response.",
        "A client that stops reading would hold buffers and files open. Later: the connection is reset.",
        {10 * kMs, kDay}),
    limit<&L::write_rate_min, &O::write_rate_min>(
        "write_rate_min", "Slowest rate at which a client takes a response, after `rate_grace`.",
        "Stops a client that reads just enough to stay below the idle deadline. Slower: the connection is reset.",
        {1, std::uint64_t{1} << 40U}),
    limit<&L::rate_grace, &O::rate_grace>("rate_grace", "Time before `body_rate_min` and `write_rate_min` count.",
                                          "Connections start slowly, and mobile clients pause.", {0, kDay}),
    whole_process(limit<&L::connections, &O::connections>(
        "connections", "Most open client connections of the process.",
        "`auto` follows the descriptor limit. At the limit new connections wait in the kernel's queue.",
        {1, 100'000'000})),
};

constexpr auto kSettledFields = [] {
  std::array<Field, kLimits.size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = kLimits[i].settled;
  return fields;
}();

constexpr auto kOverrideFields = [] {
  std::array<Field, kLimits.size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = kLimits[i].override;
  return fields;
}();

}  // namespace

Limits resolve(const Limits& base, const LimitOverrides& overrides) {
  Limits settled = base;
  for (const Limit& limit : kLimits) limit.apply(overrides, settled);
  return settled;
}

const ObjectInfo& ObjectOf<Limits>::info() {
  static constexpr ObjectInfo kInfo = table_of<Limits>(
      "Limits",
      "Every limit has a name, a unit, a default and a reason. In a site or a route the same names stand in its own "
      "`limits` table and override the outer ones. Limits of the request head act before the route is known: a listener "
      "reads heads under the largest value of its sites and routes, and a tighter one is checked once the route is found.",
      kSettledFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<LimitOverrides>::info() {
  static constexpr ObjectInfo kInfo = [] {
    ObjectInfo info =
        table_of<LimitOverrides>("Limits of a site or a route",
                                 "Overrides of the limits outside; what is not given is inherited.", kOverrideFields);
    info.repeats = &ObjectOf<Limits>::info;
    return info;
  }();
  return kInfo;
}

}  // namespace tidegate::config
