#include "server/log_writer.h"

#include <array>
#include <chrono>

#include "base/clock.h"
#include "http/semantics/date.h"
#include "sys/thread.h"

namespace tidegate::server {

namespace {
constexpr auto kBatch = std::chrono::milliseconds(20);  // lines are written at most so often under load
constexpr std::size_t kPendingMax = 1024 * 1024;        // bytes of error lines that may wait
}  // namespace

LogWriter::LogWriter() : thread_([this] { run(); }) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(access_.open({}));
  static_cast<void>(error_.open({.kind = LogTargetSettings::Kind::kStderr, .path = {}}));
}

LogWriter::~LogWriter() {
  stopping_.store(true);
  nudge();
  thread_.join();
}

std::expected<void, std::string> LogWriter::configure(const LogTargetSettings& access, const LogTargetSettings& error) {
  LogFile new_access;
  LogFile new_error;
  if (auto opened = new_access.open(access); !opened) return opened;
  if (auto opened = new_error.open(error); !opened) return opened;
  const std::lock_guard lock(mutex_);
  access_ = std::move(new_access);
  error_ = std::move(new_error);
  return {};
}

void LogWriter::reopen() {
  std::string failure;
  {
    const std::lock_guard lock(mutex_);
    for (LogFile* file : {&access_, &error_}) {
      if (auto opened = file->reopen(); !opened) failure = opened.error();
    }
  }
  base::log(failure.empty() ? base::LogLevel::kInfo : base::LogLevel::kError, "server",
            failure.empty() ? "log files were opened again" : failure + "; the old file stays in use");
}

void LogWriter::add(LogRing& ring) {
  const std::lock_guard lock(mutex_);
  rings_.push_back(&ring);
}

void LogWriter::remove(LogRing& ring) {
  const std::lock_guard lock(mutex_);
  write_ring(ring);
  dropped_by_gone_rings_ += ring.dropped();
  std::erase(rings_, &ring);
}

// Writes what the ring holds; false when it was empty.
bool LogWriter::write_ring(LogRing& ring) {
  const LogRing::Pieces pieces = ring.peek();
  const std::size_t size = pieces.first.size() + pieces.second.size();
  if (size == 0) return false;
  static_cast<void>(access_.write(pieces.first));
  static_cast<void>(access_.write(pieces.second));
  ring.pop(size);
  return true;
}

void LogWriter::nudge() {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // the push before, the flag after: or a line waits for the next
  if (!asleep_.load(std::memory_order_relaxed) || !asleep_.exchange(false)) return;
  signal_.fetch_add(1);
  signal_.notify_one();
}

void LogWriter::write(base::LogLevel level, std::string_view module, std::string_view message) {
  std::array<char, http::kRfc3339Size> time;
  http::format_rfc3339(base::wall_s(), time);
  {
    const std::lock_guard lock(pending_mutex_);
    if (pending_errors_.size() > kPendingMax) return;
    pending_errors_.append(time.data(), time.size()).append(" ").append(base::name_of(level)).append(" ");
    pending_errors_.append(module).append(": ").append(message).append("\n");
  }
  nudge();
}

std::uint64_t LogWriter::dropped() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = dropped_by_gone_rings_;
  for (const LogRing* ring : rings_) sum += ring->dropped();
  return sum;
}

void LogWriter::run() {
  sys::name_this_thread("tg-log");
  while (true) {
    const bool wrote = drain_once();
    if (wrote) {
      std::this_thread::sleep_for(kBatch);
      continue;
    }
    if (stopping_.load()) return;
    const std::uint32_t before = signal_.load();
    asleep_.store(true);
    // What was pushed before the flag was up is seen here; what comes later wakes.
    if (drain_once() || stopping_.load()) {
      asleep_.store(false);
      continue;
    }
    signal_.wait(before);
    asleep_.store(false);
  }
}

// Writes what is there; false when there was nothing.
bool LogWriter::drain_once() {
  std::string errors;
  {
    const std::lock_guard lock(pending_mutex_);
    errors.swap(pending_errors_);
  }
  bool wrote = !errors.empty();
  const std::lock_guard lock(mutex_);
  static_cast<void>(error_.write(errors));
  for (LogRing* ring : rings_) wrote = write_ring(*ring) || wrote;
  return wrote;
}

}  // namespace tidegate::server
