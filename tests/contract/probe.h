// An op that remembers what happened to it and holds the driver to the rules that can be seen from one op: nothing
// completes inline (1), exactly one final completion a submission (2), buffers only with data (5).
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "io/driver.h"

namespace tidegate::contract {

struct Probe : io::Op {
  explicit Probe(io::Driver& of) : driver(of) { done = &Probe::on_completion; }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  ~Probe() { CHECK(!in_flight); }

  Probe& receive(io::SocketId from) { return start(io::Verb::kReceive, from); }
  Probe& accept(io::SocketId from) { return start(io::Verb::kAccept, from); }
  Probe& connect(io::SocketId which) { return start(io::Verb::kConnect, which); }
  Probe& send(io::SocketId to, std::string_view bytes) {
    slices = {{.data = bytes.data(), .size = bytes.size()}};
    return send_slices(to);
  }
  Probe& send_slices(io::SocketId to) {
    arguments.send = {.slices = slices.data(), .count = static_cast<std::uint32_t>(slices.size()), .more_follows = false};
    return start(io::Verb::kSend, to);
  }
  Probe& send_file(io::SocketId to, sys::FileHandle file, std::uint64_t offset, std::uint64_t size) {
    arguments.file = {.file = file, .offset = offset, .size = size, .into = nullptr};
    return start(io::Verb::kSendFile, to);
  }
  Probe& read_at(sys::FileHandle file, void* into, std::uint64_t size, std::uint64_t offset) {
    arguments.file = {.file = file, .offset = offset, .size = size, .into = into};
    return start(io::Verb::kReadAt, {});
  }
  // The same again.
  Probe& again() { return start(verb, socket); }

  [[nodiscard]] bool over() const { return submissions > 0 && finals == submissions; }
  [[nodiscard]] base::Code code() const { return completions.empty() ? base::Code::kNone : completions.back().error.code; }
  [[nodiscard]] std::uint64_t bytes() const { return completions.empty() ? 0 : completions.back().bytes; }
  [[nodiscard]] bool ended_with(base::Code wanted) const { return over() && code() == wanted; }
  [[nodiscard]] bool ended_in_order() const { return over() && code() == base::Code::kNone; }

  io::Driver& driver;
  std::vector<sys::Slice> slices;
  std::vector<io::Completion> completions;  // their buffers are released unless keep_buffers is set
  std::string data;                         // all that was received
  std::vector<io::Buffer> kept;
  std::function<void(Probe&, const io::Completion&)> on_done;  // last of all: may destroy the probe
  std::uint64_t total = 0;  // bytes of all completions
  int submissions = 0;
  int finals = 0;
  bool keep_buffers = false;

 private:
  Probe& start(io::Verb what, io::SocketId where) {
    verb = what;
    socket = where;
    ++submissions;
    submitting_ = true;
    driver.submit(*this);
    submitting_ = false;
    return *this;
  }

  static void on_completion(io::Op& op, const io::Completion& completion) {
    auto& self = static_cast<Probe&>(op);
    CHECK_MESSAGE(!self.submitting_, "rule 1: completed inside submit");
    CHECK_MESSAGE(self.finals == self.submissions - 1, "rule 2: a completion after the final one");
    CHECK_MESSAGE(self.in_flight == completion.more, "rule 2: in flight until the final completion, and not after it");
    if (!completion.more) ++self.finals;
    const bool with_data = self.verb == io::Verb::kReceive && completion.bytes > 0;
    CHECK(static_cast<bool>(completion.buffer) == with_data);
    if (with_data) self.take(completion.buffer, completion.bytes);
    self.completions.push_back(completion);
    self.total += completion.bytes;
    if (self.on_done) self.on_done(self, completion);
  }

  void take(const io::Buffer& buffer, std::uint64_t bytes) {
    CHECK(buffer.size == bytes);
    CHECK(buffer.size <= driver.buffers().buffer_size());
    CHECK(buffer.data == driver.buffers().data_of(buffer.id));
    data.append(buffer.data, buffer.size);
    if (keep_buffers) {
      kept.push_back(buffer);
    } else {
      driver.buffers().release(buffer);
    }
  }

  bool submitting_ = false;
};

}  // namespace tidegate::contract
