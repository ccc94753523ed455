// Network addresses between base's form and the system's. Stateless; any thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/address.h"
#include "base/error.h"

namespace tidegate::platform {

// Room for every address that Tidegate meets. The union is left uninitialised on purpose: the kernel fills it.
struct SocketAddress {
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_un local;
  };
  socklen_t size = sizeof(sockaddr_un);

  SocketAddress() {}  // NOLINT(modernize-use-equals-default): a defaulted one would be deleted or clear the union
};

// Errors: kInvalid (no address; an empty path or one with a NUL byte), kTooLarge (a path that does not fit into sun_path).
[[nodiscard]] base::Result<SocketAddress> to_sockaddr(const base::Endpoint& endpoint);
// The address that the kernel reported; family kNone when it is of an unknown kind.
[[nodiscard]] base::Address address_from(const SocketAddress& address);
// With the path of a unix socket ("@name" for one in the abstract name space).
[[nodiscard]] base::Endpoint endpoint_from(const SocketAddress& address);

}  // namespace tidegate::platform
