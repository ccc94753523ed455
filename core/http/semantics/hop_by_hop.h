// Fields that belong to one connection and must not be forwarded (RFC 9110 section 7.6.1).
//
// Owner: http/semantics. Thread: any. Views only, no allocation. Field names compare without case.
#pragma once

#include <span>
#include <string_view>

namespace tidegate::http {

/// True for the fields that an intermediary drops whatever Connection says: Connection itself, Keep-Alive,
/// Proxy-Connection, TE, Trailer, Transfer-Encoding, Upgrade, HTTP2-Settings, Proxy-Authenticate, Proxy-Authorization.
/// (Trailer and the two Proxy-Auth fields are written anew, or meant for this very hop.)
[[nodiscard]] bool is_hop_by_hop(std::string_view name) noexcept;

/// True for fields that the recipient needs and that Connection therefore cannot take away: those for framing, routing,
/// credentials and the client's address. Naming one of them in Connection is an error of the sender (section 7.6.1 "MUST
/// NOT send a connection option corresponding to a field intended for all recipients") or an attack on the next hop.
[[nodiscard]] bool is_protected_from_connection(std::string_view name) noexcept;

/// Should the field `name` be dropped before the message is forwarded? True if it is hop-by-hop, or if Connection, given
/// as all its lines, names it and it is not protected. Walk the options themselves with ListReader of list.h.
[[nodiscard]] bool must_drop_for_next_hop(std::string_view name,
                                          std::span<const std::string_view> connection_lines) noexcept;

}  // namespace tidegate::http
