#include "base/log.h"

#include <atomic>
#include <cstdio>

namespace tidegate::base {

namespace {
std::atomic<LogSink*> sink{nullptr};
std::atomic<LogLevel> lowest{LogLevel::kInfo};
}  // namespace

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kError: return "error";
  }
  return "error";
}

void set_log_sink(LogSink* new_sink) { sink.store(new_sink, std::memory_order_release); }
void set_log_level(LogLevel level) { lowest.store(level, std::memory_order_relaxed); }
bool log_enabled(LogLevel level) { return level >= lowest.load(std::memory_order_relaxed); }

void log(LogLevel level, std::string_view module, std::string_view message) {
  if (!log_enabled(level)) return;
  if (LogSink* target = sink.load(std::memory_order_acquire)) return target->write(level, module, message);
  const std::string_view name = name_of(level);
  std::fprintf(stderr, "tidegate: %.*s: %.*s: %.*s\n", static_cast<int>(name.size()), name.data(),
               static_cast<int>(module.size()), module.data(), static_cast<int>(message.size()), message.data());
}

}  // namespace tidegate::base
