// A name under which a site is asked for: exact, or "*." and a suffix.
#pragma once

#include <string>
#include <string_view>

#include "config/source.h"
#include "config/units.h"

namespace tidegate::config {

struct HostName {
  std::string name{};     // lower case, without a trailing dot; for a wildcard without the leading "*."
  bool wildcard = false;  // every name below `name`, however deep, and not `name` itself
  Written written{};

  // As written in the configuration: "shop.example" or "*.shop.example".
  [[nodiscard]] std::string text() const { return wildcard ? "*." + name : name; }
  friend bool operator==(const HostName&, const HostName&) = default;
};

// Labels of letters, digits, hyphens and underscores (RFC 1123, RFC 2782), an IPv4 address, or an IPv6 address in brackets.
[[nodiscard]] Parsed<HostName> parse_host_name(std::string_view text);

}  // namespace tidegate::config
