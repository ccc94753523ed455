// The error log as every room uses it: level, module, message. Where lines go is set once by the server; until then
// they go to standard error. Any thread; a call never blocks on a disk once the server has set its sink.
#pragma once

#include <cstdint>
#include <string_view>

namespace tidegate::base {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };

// "debug", "info", "warn", "error".
[[nodiscard]] std::string_view name_of(LogLevel level);

class LogSink {
 public:
  virtual void write(LogLevel level, std::string_view module, std::string_view message) = 0;

 protected:
  ~LogSink() = default;
};

// Null: standard error. The sink must outlive every thread that logs.
void set_log_sink(LogSink* sink);
void set_log_level(LogLevel level);
[[nodiscard]] bool log_enabled(LogLevel level);

// One line. `module` is the room's name. Messages are one sentence without a line end.
void log(LogLevel level, std::string_view module, std::string_view message);

}  // namespace tidegate::base
