// Host and port of a URI, as they stand in Host, in an absolute target and in ":authority".
//
// Owner: http. Thread: any. Pure; keeps views only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tidegate::http {

struct Authority {
  std::string_view host;   // as received; an IPv6 literal keeps its brackets
  std::uint16_t port = 0;  // 0: none given
  bool is_ipv6 = false;
};

/// Reads `uri-host [ ":" port ]` (RFC 9110 section 4.2, RFC 3986 section 3.2). Nothing if it is not well formed, has
/// userinfo, or has an empty host.
///
/// Stricter than RFC 3986, since what reaches this server is the name of a site: a name has letters, digits, '-', '.',
/// '_' and '~', at most 255 of them and no empty label but one trailing dot; percent-encoding and sub-delims have no
/// meaning in a DNS name and let two programs see two sites. In brackets only an IPv6 address without zone is taken.
/// The port is 1 to 65535; "host:" (a colon without digits) means no port, as RFC 3986 says.
[[nodiscard]] std::optional<Authority> parse_authority(std::string_view text) noexcept;

}  // namespace tidegate::http
