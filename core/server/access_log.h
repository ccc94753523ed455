// Sees every exchange of one worker: counts it and writes its access line into the worker's ring. On the worker's
// thread.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/runner.h"
#include "server/log_ring.h"
#include "server/log_writer.h"
#include "server/worker_stats.h"

namespace tidegate::server {

enum class AccessFormat : std::uint8_t { kOff, kJson, kCombined };

class AccessLog final : public pipeline::ExchangeObserver {
 public:
  AccessLog(WorkerStats& stats, LogWriter& writer);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void set_format(AccessFormat format) { format_ = format; }

  void on_exchange(const pipeline::RoutedExchange& exchange) override;
  std::int64_t start_time_us() override;

 private:
  void count(const pipeline::RoutedExchange& exchange);

  WorkerStats& stats_;
  LogWriter& writer_;
  LogRing ring_;
  AccessFormat format_ = AccessFormat::kOff;
  std::string line_;  // keeps its memory
};

// One line with its end, appended to `line`. `now_us`: wall clock.
void append_json_line(std::string& line, const pipeline::RoutedExchange& exchange, std::int64_t now_us);
// The Combined Log Format of Apache httpd, to the letter, so that fail2ban and the like can read it.
void append_combined_line(std::string& line, const pipeline::RoutedExchange& exchange, std::int64_t now_us);

}  // namespace tidegate::server
