// The portable poller: libevent 2.1, for systems without a selector of their own and as a second opinion on Linux.
//
// Where libevent's method has edges (epoll, kqueue) a socket is one persistent event for its whole life; elsewhere
// (poll, select) a direction is asked for when the driver waits for it and reported once. Owned by one loop, one thread;
// only wake() may be called from others, and it uses nothing of libevent, so no thread support of libevent is needed.
//
// Invariant: entries_[index of the key] belongs to the socket that was added last with that index; a removed event is
// taken out of libevent's own queues too, so a key is not reported after remove().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "io/readiness/selector.h"

struct event;
struct event_base;

namespace tidegate::io {

struct LibeventOptions {
  // The only method that libevent may use ("epoll", "poll", "select", ...); null: its best one. An environment variable
  // EVENT_NO<METHOD> rules a method out as well.
  const char* method = nullptr;
};

class LibeventSelector final : public Selector {
 public:
  ~LibeventSelector() override;
  LibeventSelector(const LibeventSelector&) = delete;
  LibeventSelector& operator=(const LibeventSelector&) = delete;

  [[nodiscard]] std::string_view name() const override { return "libevent"; }
  [[nodiscard]] base::Error add(sys::SocketHandle socket, std::uint64_t key) override;
  void remove(sys::SocketHandle socket, std::uint64_t key) override;
  void want(std::uint64_t key, bool read, bool write) override;
  std::size_t wait(std::int64_t timeout_ms, std::span<ReadyEvent> events) override;
  void wake() override;

  // The method that libevent chose ("epoll", "kqueue", "poll", ...), for status output.
  [[nodiscard]] std::string_view method() const;
  [[nodiscard]] bool edge_triggered() const { return edge_triggered_; }

 private:
  friend base::Result<std::unique_ptr<LibeventSelector>> make_libevent_selector(const LibeventOptions& options);
  struct Entry;

  LibeventSelector() = default;
  bool open(const LibeventOptions& options);
  Entry* find(std::uint64_t key);
  bool watch(Entry& entry, short directions);
  void bound_wait(std::int64_t timeout_ms);
  void on_ready(Entry& entry, short what);
  void on_wake();

  event_base* base_ = nullptr;
  event* timer_ = nullptr;  // ends a wait
  event* wake_event_ = nullptr;
  sys::SocketHandle wake_receiver_ = sys::kNoSocket;
  sys::SocketHandle wake_sender_ = sys::kNoSocket;
  std::atomic<bool> wake_sent_{false};
  bool edge_triggered_ = false;
  bool tells_close_ = false;         // the method reports the end of the peer's stream by itself
  std::int64_t timer_due_ms_ = -1;   // when timer_ fires, or -1: not armed
  std::span<ReadyEvent> ready_;      // during wait()
  std::size_t ready_count_ = 0;
  std::vector<std::unique_ptr<Entry>> entries_;  // by index of the key; kept for the next socket
};

// Errors: kNotSupported (the method does not exist here), kNoDescriptors or kNoMemory as far as libevent tells.
[[nodiscard]] base::Result<std::unique_ptr<LibeventSelector>> make_libevent_selector(const LibeventOptions& options = {});

}  // namespace tidegate::io
