// What a request to the kernel is called, so that its completion finds back: whose it is, which time that slot is
// used, and which of the slot's requests. 64 bits that the kernel hands through unseen.
#pragma once

#include <cstdint>

#include "base/slab.h"

namespace tidegate::platform {

enum class UringKind : std::uint8_t {
  kAccept,
  kReceive,
  kWrite,    // everything of a socket's write side
  kFile,     // a file read; the handle names the read, not a socket
  kWake,     // somebody called wake()
  kIgnored,  // requests whose outcome shows elsewhere
};

struct UringTag {
  static constexpr unsigned kKindBits = 3;
  static constexpr std::uint32_t kIndexMax = UINT32_MAX >> kKindBits;

  UringKind kind = UringKind::kIgnored;
  base::Handle handle = {.index = 0, .generation = 0};

  [[nodiscard]] std::uint64_t packed() const {
    return base::Handle{.index = handle.index << kKindBits | static_cast<std::uint32_t>(kind),
                        .generation = handle.generation}
        .packed();
  }
  static UringTag unpack(std::uint64_t value) {
    const base::Handle both = base::Handle::unpack(value);
    return {.kind = static_cast<UringKind>(both.index & ((1U << kKindBits) - 1)),
            .handle = {.index = both.index >> kKindBits, .generation = both.generation}};
  }
};

}  // namespace tidegate::platform
