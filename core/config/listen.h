// The address of a listener, as written: a scheme says what is spoken, the rest where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/address.h"
#include "config/source.h"
#include "config/units.h"

namespace tidegate::config {

struct Listen {
  enum class Kind : std::uint8_t {
    kAny,        // http://:80            every address of the machine, IPv6 and IPv4
    kAddress,    // http://127.0.0.1:80, http://[::1]:80
    kLocalhost,  // http://localhost:80   127.0.0.1 and ::1
    kUnix,       // http://unix:/run/x.sock
    kInherited,  // fd:3                  a descriptor that the parent process opened
    kSystemd,    // systemd:web           the descriptor of that name, by socket activation
  };
  Kind kind = Kind::kAny;
  base::Address address{};  // kAddress: address and port; kAny, kLocalhost: the port only
  std::string path{};       // kUnix: absolute path of the socket; kSystemd: the name
  int descriptor = -1;      // kInherited
  std::string text{};       // canonical form; two listeners are the same if and only if these are equal
  Written written{};

  [[nodiscard]] bool loopback() const;  // reachable from this machine only
  friend bool operator==(const Listen&, const Listen&) = default;
};

// Relative socket paths stay relative: the reader resolves them and then calls set_path.
[[nodiscard]] Parsed<Listen> parse_listen(std::string_view text);
// For [admin]: also "unix:/path", and no inherited descriptors.
[[nodiscard]] Parsed<Listen> parse_admin_listen(std::string_view text);
void set_path(Listen& listen, std::string path);

}  // namespace tidegate::config
