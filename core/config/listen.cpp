#include "config/listen.h"

#include <array>
#include <charconv>

namespace tidegate::config {
namespace {

constexpr std::uint16_t kDefaultPort = 80;
constexpr int kFirstInherited = 3;  // 0 to 2 are the standard streams
constexpr int kLastInherited = 65535;

template <class T>
bool parse_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::unexpected<std::string> fail(std::string why) { return std::unexpected<std::string>(std::move(why)); }

Parsed<Listen> parse_descriptor(std::string_view text) {
  Listen listen{.kind = Listen::Kind::kInherited};
  if (!parse_number(text, listen.descriptor) || listen.descriptor < kFirstInherited ||
      listen.descriptor > kLastInherited) {
    return fail("an inherited descriptor is written fd:N with N from 3 to 65535");
  }
  listen.text = "fd:" + std::to_string(listen.descriptor);
  return listen;
}

Parsed<Listen> parse_systemd(std::string_view name) {
  // systemd.socket(5): FileDescriptorName is ASCII without control characters and colons, at most 255 long.
  if (name.empty() || name.size() > 255) return fail("a socket of systemd is written systemd:NAME");
  for (const char c : name) {
    if (c <= ' ' || c > '~' || c == ':' || c == '/')
      return fail("the name of a systemd socket has no blanks, colons or slashes");
  }
  return Listen{.kind = Listen::Kind::kSystemd, .path = std::string(name), .text = "systemd:" + std::string(name)};
}

Parsed<Listen> parse_unix(std::string_view path) {
  if (path.empty()) return fail("a unix socket needs a path: http://unix:/run/x.sock");
  if (path.find('\0') != std::string_view::npos) return fail("the path of a unix socket has a NUL byte in it");
  Listen listen{.kind = Listen::Kind::kUnix};
  set_path(listen, std::string(path));
  return listen;
}

// "host:port" without the port; a missing port is that of http.
Parsed<std::uint16_t> split_port(std::string_view& host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos) return kDefaultPort;
  std::uint16_t port = 0;
  if (host.find(':', colon + 1) != std::string_view::npos)
    return fail("an IPv6 address stands in brackets: http://[::1]:8080");
  if (!parse_number(host.substr(colon + 1), port)) return fail("a port is a number from 0 to 65535");
  host = host.substr(0, colon);
  return port;
}

Parsed<Listen> parse_tcp(std::string_view host) {
  if (host.find('/') != std::string_view::npos) return fail("a listener has no path; write the address and port only");
  const auto port = split_port(host);
  if (!port) return fail(port.error());
  Listen listen;
  if (host == "*") return fail("every address is written http://:PORT");
  if (host == "localhost") {
    listen.kind = Listen::Kind::kLocalhost;
  } else if (!host.empty()) {
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    const auto ip = base::parse_ip(bracketed ? host.substr(1, host.size() - 2) : host);
    if (!ip || bracketed != (ip->family == base::Family::kIpv6)) {
      return fail("a listener has an IP address (IPv6 in brackets), localhost, or nothing for every address");
    }
    listen.kind = Listen::Kind::kAddress;
    listen.address = *ip;
  }
  listen.address.port = *port;
  listen.text = "http://";
  if (listen.kind == Listen::Kind::kAddress) {
    listen.text += base::format(listen.address);
  } else {
    listen.text += std::string(host) + ':' + std::to_string(*port);
  }
  return listen;
}

}  // namespace

bool Listen::loopback() const {
  switch (kind) {
    case Kind::kUnix:
    case Kind::kLocalhost: return true;
    case Kind::kAny:
    case Kind::kInherited:
    case Kind::kSystemd: return false;
    case Kind::kAddress: break;
  }
  if (address.family == base::Family::kIpv4) return address.ip[0] == 127;
  static constexpr std::array<std::uint8_t, 16> kIpv6Loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.ip == kIpv6Loopback;
}

void set_path(Listen& listen, std::string path) {
  listen.path = std::move(path);
  listen.text = "http://unix:" + listen.path;
}

Parsed<Listen> parse_listen(std::string_view text) {
  constexpr std::string_view kHttp = "http://";
  if (text.starts_with("https://")) return fail("https listeners are not available in this version");
  const bool scheme = text.starts_with(kHttp);
  const std::string_view rest = scheme ? text.substr(kHttp.size()) : text;
  if (rest.starts_with("fd:")) return parse_descriptor(rest.substr(3));
  if (rest.starts_with("systemd:")) return parse_systemd(rest.substr(8));
  if (!scheme) return fail("a listener begins with its scheme, such as http://:8080 or http://unix:/run/x.sock");
  if (rest.starts_with("unix:")) return parse_unix(rest.substr(5));
  return parse_tcp(rest);
}

Parsed<Listen> parse_admin_listen(std::string_view text) {
  auto listen = text.starts_with("unix:") ? parse_unix(text.substr(5)) : parse_listen(text);
  if (!listen) return listen;
  if (!listen->loopback()) return fail("the admin listener is a unix socket or a loopback address");
  return listen;
}

}  // namespace tidegate::config
