#include "config/host_name.h"

#include <algorithm>

#include "base/address.h"
#include "config/text_rules.h"

namespace tidegate::config {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > kLongestLabel || label.front() == '-' || label.back() == '-') return false;
  return std::ranges::all_of(
      label, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; });
}

bool is_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  for (;;) {
    const std::size_t dot = name.find('.');
    if (!is_label(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

std::unexpected<std::string> fail(std::string why) { return std::unexpected<std::string>(std::move(why)); }

}  // namespace

Parsed<HostName> parse_host_name(std::string_view text) {
  if (text == "*") return fail("a site without `hosts` answers every name; leave `hosts` out");
  if (text.find("://") != std::string_view::npos)
    return fail("a host is a name without a scheme; schemes and ports stand in `listen`");
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    return fail("an international name is written in its ASCII form (xn--...)");
  }
  HostName host{.name = lower_case(text)};
  if (host.name.starts_with('[')) {
    const auto ip = host.name.ends_with(']')
                        ? base::parse_ip(std::string_view(host.name).substr(1, host.name.size() - 2))
                        : std::unexpected(base::Error{});
    if (!ip || ip->family != base::Family::kIpv6) return fail("not a valid IPv6 address in brackets");
    host.name = '[' + base::format_ip(*ip) + ']';
    return host;
  }
  if (host.name.find(':') != std::string::npos) return fail("a host has no port; ports stand in `listen`");
  if (host.name.starts_with("*.")) {
    host.wildcard = true;
    host.name.erase(0, 2);
  }
  if (host.name.ends_with('.')) host.name.pop_back();
  if (host.name.find('*') != std::string::npos)
    return fail("a wildcard stands for whole labels at the front only: *.shop.example");
  if (!is_name(host.name)) return fail("not a valid host name");
  return host;
}

}  // namespace tidegate::config
