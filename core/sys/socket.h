// What the operating system must supply for stream sockets. Every call is non-blocking and thread-safe; a socket made
// here is non-blocking and closed on exec. Sources: socket(7), tcp(7), unix(7) and their Windows counterparts.
//
// Errors are mapped once, in the platform: kWouldBlock, kReset, kRefused, kEndOfStream, kNoDescriptors, kNoMemory,
// kAddressInUse, kDenied, kTimedOut, or kIo with os_code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/address.h"
#include "base/error.h"
#include "sys/file.h"

namespace tidegate::sys {

using SocketHandle = std::intptr_t;
inline constexpr SocketHandle kNoSocket = -1;

// A piece of memory to send. The layout equals struct iovec on POSIX (checked there).
struct Slice {
  const void* data = nullptr;
  std::size_t size = 0;
};

struct ListenOptions {
  int backlog = 4096;
  bool share_port = false;      // several sockets of this process listen at one address; the kernel spreads connections
  bool ipv6_only = true;        // false: an IPv6 wildcard socket takes IPv4 too
  std::uint32_t unix_mode = 0;  // permissions of a unix socket's file; 0 leaves the umask's
};

struct Accepted {
  SocketHandle socket = kNoSocket;
  base::Address peer = {};
};

// Opens a listening socket. A stale unix socket file (nobody accepts there) is replaced. Small packets are sent at once
// (TCP_NODELAY), also on the accepted sockets.
[[nodiscard]] base::Result<SocketHandle> listen_at(const base::Endpoint& endpoint, const ListenOptions& options);
// Prepares a descriptor that somebody else opened and listens on (socket activation). Error: kInvalid if it does not listen.
[[nodiscard]] base::Result<SocketHandle> adopt_listener(SocketHandle inherited);
// A second handle of the same socket, for another worker that accepts from the same queue.
[[nodiscard]] base::Result<SocketHandle> duplicate_socket(SocketHandle socket);
[[nodiscard]] base::Result<Accepted> accept_from(SocketHandle listener);
// Starts a connection; kWouldBlock is not an error here: the socket becomes writable when it is done.
[[nodiscard]] base::Result<SocketHandle> connect_to(const base::Endpoint& endpoint);
// The outcome of a connection that became writable.
[[nodiscard]] base::Error connect_outcome(SocketHandle socket);

// Receives up to `size` bytes; 0 means that the peer has closed its sending side.
[[nodiscard]] base::Result<std::size_t> receive(SocketHandle socket, void* into, std::size_t size);
// Sends the slices in order; may send less. `more_follows` lets the kernel hold back a last partial packet.
[[nodiscard]] base::Result<std::size_t> send(SocketHandle socket, std::span<const Slice> slices, bool more_follows);
// Sends a file range without copying it through this process; may send less. 0: the file ended before `offset`.
[[nodiscard]] base::Result<std::size_t> send_file(SocketHandle socket, FileHandle file, std::uint64_t offset, std::size_t size);

// Ends the sending side (FIN). Errors are of no use to the caller and dropped.
void shutdown_send(SocketHandle socket);
// Closes at once and, if `reset`, tells the peer that the message was cut (RST) instead of ending it.
void close_socket(SocketHandle socket, bool reset);
// Where the socket is bound (the port that 0 was turned into).
[[nodiscard]] base::Result<base::Endpoint> local_endpoint(SocketHandle socket);
// "nginx (pid 812)": who listens at the address already, or an empty string where it cannot be seen.
[[nodiscard]] std::string holder_of(const base::Endpoint& endpoint);

}  // namespace tidegate::sys
