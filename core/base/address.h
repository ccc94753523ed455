// Network addresses as values: what a peer or a listener is called, without any operating system type.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tidegate::base {

enum class Family : std::uint8_t { kNone, kIpv4, kIpv6, kUnix };

// An IPv4 or IPv6 address with a port, or the fact that the peer came over a unix socket (which has no number).
struct Address {
  Family family = Family::kNone;
  std::uint16_t port = 0;            // host byte order
  std::uint32_t scope_id = 0;        // IPv6 zone
  std::array<std::uint8_t, 16> ip{};  // network order; IPv4 uses the first four bytes

  friend bool operator==(const Address&, const Address&) = default;
};

// Where to listen or connect: an address, or a unix socket's path.
struct Endpoint {
  Address address = {};
  std::string unix_path = {};  // set when address.family is kUnix

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// "192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1" (stays IPv6). No port, no brackets. Error: kInvalid.
[[nodiscard]] Result<Address> parse_ip(std::string_view text);
// The address without its port ("unix" for a unix peer). IPv6 as in RFC 5952; a mapped IPv4 address as plain IPv4.
[[nodiscard]] std::string format_ip(const Address& address);
// With the port: "192.0.2.1:80", "[::1]:80", "unix:/path".
[[nodiscard]] std::string format(const Address& address);
[[nodiscard]] std::string format(const Endpoint& endpoint);

// A block of addresses: "10.0.0.0/8", "2001:db8::/32", or a single address.
struct Cidr {
  Address network = {};
  std::uint8_t prefix_bits = 0;

  // Whether the address lies in the block. An IPv4-mapped IPv6 address is compared as IPv4.
  [[nodiscard]] bool contains(const Address& address) const;
  friend bool operator==(const Cidr&, const Cidr&) = default;
};
// Error: kInvalid (bad address, prefix too long, or bits set behind the prefix).
[[nodiscard]] Result<Cidr> parse_cidr(std::string_view text);

}  // namespace tidegate::base
