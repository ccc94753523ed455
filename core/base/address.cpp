#include "base/address.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tidegate::base {

namespace {

Error invalid() { return {.code = Code::kInvalid, .domain = Domain::kBase}; }

std::optional<std::array<std::uint8_t, 4>> parse_ipv4(std::string_view text) {
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if ((i < 3) != (dot != std::string_view::npos)) return std::nullopt;
    if (part.empty() || part.size() > 3 || (part.size() > 1 && part[0] == '0')) return std::nullopt;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), bytes[i]);
    if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return bytes;
}

// Parses groups separated by ':' into `out`; a dotted quad may stand last. Returns the number of bytes, or -1.
int parse_groups(std::string_view text, std::array<std::uint8_t, 16>& out) {
  int used = 0;
  while (!text.empty()) {
    const auto colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    if (part.find('.') != std::string_view::npos) {
      const auto quad = parse_ipv4(part);
      if (!quad || colon != std::string_view::npos || used > 12) return -1;
      std::copy(quad->begin(), quad->end(), out.begin() + used);
      return used + 4;
    }
    std::uint16_t group = 0;
    if (part.empty() || part.size() > 4 || used > 14) return -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), group, 16);
    if (error != std::errc{} || end != part.data() + part.size()) return -1;
    out[static_cast<std::size_t>(used)] = static_cast<std::uint8_t>(group >> 8U);
    out[static_cast<std::size_t>(used) + 1] = static_cast<std::uint8_t>(group);
    used += 2;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
    if (text.empty()) return -1;
  }
  return used;
}

std::optional<std::array<std::uint8_t, 16>> parse_ipv6(std::string_view text) {
  std::array<std::uint8_t, 16> head{};
  const auto gap = text.find("::");
  if (gap == std::string_view::npos) {
    return parse_groups(text, head) == 16 ? std::optional(head) : std::nullopt;
  }
  if (text.substr(0, gap).find('.') != std::string_view::npos) return std::nullopt;  // a dotted quad may stand last only
  std::array<std::uint8_t, 16> tail{};
  const int before = parse_groups(text.substr(0, gap), head);
  const int after = parse_groups(text.substr(gap + 2), tail);
  if (before < 0 || after < 0 || before + after > 14) return std::nullopt;
  std::copy_n(tail.begin(), after, head.end() - after);
  return head;
}

bool is_mapped(const Address& address) {
  return address.family == Family::kIpv6 && address.ip[10] == 0xff && address.ip[11] == 0xff &&
         std::all_of(address.ip.begin(), address.ip.begin() + 10, [](std::uint8_t byte) { return byte == 0; });
}

// Mapped IPv4 becomes IPv4, anything else stays.
Address unmapped(const Address& address) {
  if (!is_mapped(address)) return address;
  Address plain{.family = Family::kIpv4, .port = address.port};
  std::copy_n(address.ip.begin() + 12, 4, plain.ip.begin());
  return plain;
}

std::string format_ipv4(const Address& address) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) text += (i > 0 ? "." : "") + std::to_string(address.ip[i]);
  return text;
}

// The longest run of zero groups (at least two) becomes "::" (RFC 5952 section 4.2).
std::string format_ipv6(const Address& address) {
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < 8; ++i) groups[i] = static_cast<unsigned>(address.ip[2 * i] << 8U) | address.ip[2 * i + 1];
  std::size_t best = 8;
  std::size_t best_length = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t length = 0;
    while (i + length < 8 && groups[i + length] == 0) ++length;
    if (length > best_length) {
      best = i;
      best_length = length;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best) {
      text += "::";
      i += best_length - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    char digits[4];
    const auto end = std::to_chars(digits, digits + 4, groups[i], 16).ptr;
    text.append(digits, end);
  }
  return text;
}

}  // namespace

Result<Address> parse_ip(std::string_view text) {
  Address address;
  if (const auto quad = parse_ipv4(text)) {
    address.family = Family::kIpv4;
    std::copy(quad->begin(), quad->end(), address.ip.begin());
    return address;
  }
  if (const auto bytes = parse_ipv6(text)) {
    address.family = Family::kIpv6;
    address.ip = *bytes;
    return address;
  }
  return std::unexpected(invalid());
}

std::string format_ip(const Address& address) {
  const Address plain = unmapped(address);
  switch (plain.family) {
    case Family::kIpv4: return format_ipv4(plain);
    case Family::kIpv6: return format_ipv6(plain);
    case Family::kUnix: return "unix";
    case Family::kNone: break;
  }
  return "unknown";
}

std::string format(const Address& address) {
  const Address plain = unmapped(address);
  if (plain.family == Family::kIpv6) return "[" + format_ip(plain) + "]:" + std::to_string(plain.port);
  if (plain.family == Family::kIpv4) return format_ip(plain) + ":" + std::to_string(plain.port);
  return format_ip(plain);
}

std::string format(const Endpoint& endpoint) {
  return endpoint.address.family == Family::kUnix ? "unix:" + endpoint.unix_path : format(endpoint.address);
}

bool Cidr::contains(const Address& address) const {
  const Address plain = unmapped(address);
  if (plain.family != network.family) return false;
  const std::size_t whole = prefix_bits / 8;
  if (!std::equal(network.ip.begin(), network.ip.begin() + static_cast<std::ptrdiff_t>(whole), plain.ip.begin())) return false;
  const unsigned rest = prefix_bits % 8U;
  if (rest == 0) return true;
  const unsigned mask = (0xffU << (8U - rest)) & 0xffU;
  return (plain.ip[whole] & mask) == (network.ip[whole] & mask);
}

Result<Cidr> parse_cidr(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::unexpected(address.error());
  const unsigned bits = address->family == Family::kIpv4 ? 32 : 128;
  unsigned prefix = bits;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || prefix > bits) {
      return std::unexpected(invalid());
    }
  }
  for (unsigned bit = prefix; bit < bits; ++bit) {
    if ((address->ip[bit / 8] >> (7U - bit % 8U)) & 1U) return std::unexpected(invalid());
  }
  return Cidr{*address, static_cast<std::uint8_t>(prefix)};
}

}  // namespace tidegate::base
