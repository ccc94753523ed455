// The log writer: one thread that writes access and error lines to their targets, rotates files by size and opens them
// again on request. Workers never wait for it: their rings drop lines when the disk cannot follow, and count them.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "server/log_file.h"
#include "server/log_ring.h"

namespace tidegate::server {

class LogWriter final : public base::LogSink {
 public:
  LogWriter();
  ~LogWriter();  // writes what is left
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Where lines go from now on. Any thread; the targets are opened here. The error is a sentence that names the file.
  [[nodiscard]] std::expected<void, std::string> configure(const LogTargetSettings& access, const LogTargetSettings& error);
  // Opens the files again (after somebody else has renamed them).
  void reopen();

  // A worker's ring joins and leaves. The ring is drained before it leaves.
  void add(LogRing& ring);
  void remove(LogRing& ring);
  // Called by a worker after a push: wakes the writer if it sleeps.
  void nudge();

  // base::LogSink: error lines, from any thread.
  void write(base::LogLevel level, std::string_view module, std::string_view message) override;

  // Access lines that were dropped because a ring was full, or that could not be written.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  void run();
  bool drain_once();
  bool write_ring(LogRing& ring);

  mutable std::mutex mutex_;  // of everything below but the atomics; never held by a worker
  std::vector<LogRing*> rings_;
  LogFile access_;
  LogFile error_;
  std::uint64_t dropped_by_gone_rings_ = 0;
  std::mutex pending_mutex_;
  std::string pending_errors_;  // error lines that wait for the thread
  std::atomic<std::uint32_t> signal_{0};
  std::atomic<bool> asleep_{false};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace tidegate::server
