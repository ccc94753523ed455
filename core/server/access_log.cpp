#include "server/access_log.h"

#include "base/clock.h"

namespace tidegate::server {

AccessLog::AccessLog(WorkerStats& stats, LogWriter& writer) : stats_(stats), writer_(writer) { writer_.add(ring_); }

AccessLog::~AccessLog() { writer_.remove(ring_); }

std::int64_t AccessLog::start_time_us() { return format_ == AccessFormat::kOff ? 0 : base::wall_us(); }

void AccessLog::count(const pipeline::RoutedExchange& exchange) {
  stats_.requests.add(1);
  if (exchange.response_started) stats_.by_class[exchange.response.status / 100].add(1);
  if (exchange.abandoned) stats_.aborted.add(1);
  stats_.bytes_received.add(exchange.bytes_received);
  stats_.bytes_sent.add(exchange.bytes_sent);
}

void AccessLog::on_exchange(const pipeline::RoutedExchange& exchange) {
  count(exchange);
  if (format_ == AccessFormat::kOff || exchange.started_us == 0) return;
  if (exchange.plan != nullptr && !exchange.plan->logged) return;
  line_.clear();
  const std::int64_t now_us = base::wall_us();
  if (format_ == AccessFormat::kJson) {
    append_json_line(line_, exchange, now_us);
  } else {
    append_combined_line(line_, exchange, now_us);
  }
  ring_.push(line_);
  writer_.nudge();
}

}  // namespace tidegate::server
