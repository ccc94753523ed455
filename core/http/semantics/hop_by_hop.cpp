// Hop-by-hop fields. See hop_by_hop.h.
#include "http/semantics/hop_by_hop.h"

#include <algorithm>
#include <array>

#include "http/semantics/chars.h"
#include "http/semantics/list.h"

namespace tidegate::http {
namespace {

constexpr std::array<std::string_view, 10> kHopByHop = {
    "connection",     "keep-alive",         "proxy-connection",   "te", "trailer", "upgrade", "transfer-encoding",
    "http2-settings", "proxy-authenticate", "proxy-authorization"};

constexpr std::array<std::string_view, 14> kProtected = {"authorization",
                                                         "cache-control",
                                                         "content-encoding",
                                                         "content-length",
                                                         "content-type",
                                                         "cookie",
                                                         "date",
                                                         "forwarded",
                                                         "host",
                                                         "via",
                                                         "x-forwarded-for",
                                                         "x-forwarded-host",
                                                         "x-forwarded-proto",
                                                         "x-real-ip"};

bool contains(std::span<const std::string_view> names, std::string_view name) noexcept {
  return std::ranges::any_of(names, [name](std::string_view entry) { return equals_ignore_case(entry, name); });
}

}  // namespace

bool is_hop_by_hop(std::string_view name) noexcept { return contains(kHopByHop, name); }

bool is_protected_from_connection(std::string_view name) noexcept { return contains(kProtected, name); }

bool must_drop_for_next_hop(std::string_view name, std::span<const std::string_view> connection_lines) noexcept {
  if (is_hop_by_hop(name)) return true;
  return list_contains(connection_lines, name) && !is_protected_from_connection(name);
}

}  // namespace tidegate::http
