// One input/output operation: intrusive, embedded in its owner, never allocated alone, never moved while in flight.
//
// The owner fills verb, socket and arguments, sets `done`, and hands the op to Driver::submit. The op belongs to the
// driver until its final completion (more == false); the owner must keep it, and what its arguments point to, alive
// until then. Fields named driver_* are the driver's.
#pragma once

#include <cstdint>

#include "base/address.h"
#include "base/error.h"
#include "base/slab.h"
#include "io/buffer_pool.h"
#include "sys/file.h"
#include "sys/socket.h"

namespace tidegate::io {

// A socket attached to a driver. Stale ids are recognised.
using SocketId = base::Handle;

enum class Verb : std::uint8_t {
  kAccept,    // read side, multishot: a completion a connection until cancelled
  kConnect,   // write side: arguments.endpoint; the socket was made by sys::connect_to
  kReceive,   // read side, multishot: a completion with a pool buffer each time data came; 0 bytes = end of stream
  kSend,      // write side: slices
  kSendFile,  // write side: a file range
  kReadAt,    // no socket: a file read into the owner's memory
};

struct Completion {
  base::Error error = {};          // kNone: success
  bool more = false;               // the op stays armed; another completion will follow
  std::uint64_t bytes = 0;         // transferred; may be short
  Buffer buffer = {};              // kReceive with bytes > 0: the receiver's until released
  sys::SocketHandle accepted = sys::kNoSocket;  // kAccept: the receiver's
  base::Address peer = {};         // kAccept
};

struct Op {
  using Done = void (*)(Op& op, const Completion& completion);

  struct SendArguments {
    const sys::Slice* slices;
    std::uint32_t count;
    bool more_follows;
  };
  struct FileArguments {
    sys::FileHandle file;
    std::uint64_t offset;
    std::uint64_t size;
    void* into;  // kReadAt only
  };
  union Arguments {
    SendArguments send;
    FileArguments file;
    Arguments() : file{} {}
  };

  Done done = nullptr;
  void* owner = nullptr;            // for `done`
  Op* driver_next = nullptr;        // the driver's queue
  SocketId socket;
  Arguments arguments;
  std::uint64_t driver_word = 0;
  Verb verb = Verb::kReceive;
  bool in_flight = false;           // between submit and the final completion
  std::uint8_t driver_state = 0;
};
static_assert(sizeof(Op) <= 96);

}  // namespace tidegate::io
