// One log target: a file with rotation by size, standard output or error, or nothing. Used by the log writer alone.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace tidegate::server {

struct LogTargetSettings {
  enum class Kind : std::uint8_t { kOff, kStdout, kStderr, kFile };
  Kind kind = Kind::kOff;
  std::string path;
  std::uint64_t rotate_bytes = 0;  // 0: never
  std::uint32_t rotate_keep = 0;   // old files kept: path.1 is the youngest
  friend bool operator==(const LogTargetSettings&, const LogTargetSettings&) = default;
};

class LogFile {
 public:
  // Opens the target; the old one stays when that fails. The error is a sentence.
  [[nodiscard]] std::expected<void, std::string> open(const LogTargetSettings& settings);
  // Opens the same path again; the old file stays in use when that fails.
  [[nodiscard]] std::expected<void, std::string> reopen();
  // Appends whole lines. False: they could not be written (disk full, broken pipe); the next write tries again.
  bool write(std::string_view lines);
  [[nodiscard]] const LogTargetSettings& settings() const { return settings_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[nodiscard]] std::size_t part_before_rotation(std::string_view lines) const;
  bool append(std::string_view part);
  void rotate();

  LogTargetSettings settings_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
  bool at_line_start_ = true;
};

}  // namespace tidegate::server
