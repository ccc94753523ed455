#include "platform/posix/sockaddr.h"

#include <arpa/inet.h>

#include <cstddef>
#include <cstring>

#include "platform/posix/errno.h"

namespace tidegate::platform {

namespace {

base::Result<SocketAddress> unix_sockaddr(const std::string& path) {
  SocketAddress made;
  if (path.empty() || path.find('\0') != std::string::npos) return std::unexpected(sys_error(base::Code::kInvalid));
  if (path.size() >= sizeof made.local.sun_path) return std::unexpected(sys_error(base::Code::kTooLarge));
  std::memset(&made.local, 0, sizeof made.local);
  made.local.sun_family = AF_UNIX;
  std::memcpy(made.local.sun_path, path.c_str(), path.size() + 1);
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return made;
}

}  // namespace

base::Result<SocketAddress> to_sockaddr(const base::Endpoint& endpoint) {
  const base::Address& address = endpoint.address;
  SocketAddress made;
  switch (address.family) {
    case base::Family::kIpv4:
      std::memset(&made.v4, 0, sizeof made.v4);
      made.v4.sin_family = AF_INET;
      made.v4.sin_port = htons(address.port);
      std::memcpy(&made.v4.sin_addr, address.ip.data(), sizeof made.v4.sin_addr);
      made.size = sizeof made.v4;
      return made;
    case base::Family::kIpv6:
      std::memset(&made.v6, 0, sizeof made.v6);
      made.v6.sin6_family = AF_INET6;
      made.v6.sin6_port = htons(address.port);
      made.v6.sin6_scope_id = address.scope_id;
      std::memcpy(&made.v6.sin6_addr, address.ip.data(), sizeof made.v6.sin6_addr);
      made.size = sizeof made.v6;
      return made;
    case base::Family::kUnix: return unix_sockaddr(endpoint.unix_path);
    case base::Family::kNone: break;
  }
  return std::unexpected(sys_error(base::Code::kInvalid));
}

base::Address address_from(const SocketAddress& address) {
  base::Address made;
  switch (address.any.sa_family) {
    case AF_INET:
      made.family = base::Family::kIpv4;
      made.port = ntohs(address.v4.sin_port);
      std::memcpy(made.ip.data(), &address.v4.sin_addr, sizeof address.v4.sin_addr);
      break;
    case AF_INET6:
      made.family = base::Family::kIpv6;
      made.port = ntohs(address.v6.sin6_port);
      made.scope_id = address.v6.sin6_scope_id;
      std::memcpy(made.ip.data(), &address.v6.sin6_addr, sizeof address.v6.sin6_addr);
      break;
    case AF_UNIX: made.family = base::Family::kUnix; break;
    default: break;
  }
  return made;
}

base::Endpoint endpoint_from(const SocketAddress& address) {
  base::Endpoint made{.address = address_from(address), .unix_path = {}};
  if (made.address.family != base::Family::kUnix) return made;
  constexpr std::size_t kPathAt = offsetof(sockaddr_un, sun_path);
  if (address.size <= kPathAt) return made;  // an unnamed socket
  const std::size_t length = address.size - kPathAt;
  const char* path = address.local.sun_path;
  if (path[0] == '\0') {
    made.unix_path = "@" + std::string(path + 1, length - 1);
  } else {
    made.unix_path.assign(path, ::strnlen(path, length));
  }
  return made;
}

}  // namespace tidegate::platform
