#include "server/log_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tidegate::server {

namespace {

std::string numbered(const std::string& path, std::uint32_t number) { return path + "." + std::to_string(number); }

}  // namespace

std::expected<void, std::string> LogFile::open(const LogTargetSettings& settings) {
  std::unique_ptr<std::FILE, Close> opened;
  std::uint64_t size = 0;
  if (settings.kind == LogTargetSettings::Kind::kFile) {
    opened.reset(std::fopen(settings.path.c_str(), "ae"));
    if (opened == nullptr) {
      return std::unexpected("cannot open the log file " + settings.path + ": " + std::strerror(errno) +
                             "; create its directory or change `log`");
    }
    std::setvbuf(opened.get(), nullptr, _IONBF, 0);
    std::error_code ignored;
    const auto found = std::filesystem::file_size(settings.path, ignored);
    size = ignored ? 0 : found;
  }
  settings_ = settings;
  file_ = std::move(opened);
  size_ = size;
  return {};
}

std::expected<void, std::string> LogFile::reopen() {
  const LogTargetSettings same = settings_;
  return open(same);
}

bool LogFile::write(std::string_view lines) {
  if (lines.empty()) return true;
  switch (settings_.kind) {
    case LogTargetSettings::Kind::kOff: return true;
    case LogTargetSettings::Kind::kStdout:
      return std::fwrite(lines.data(), 1, lines.size(), stdout) == lines.size() && std::fflush(stdout) == 0;
    case LogTargetSettings::Kind::kStderr: return std::fwrite(lines.data(), 1, lines.size(), stderr) == lines.size();
    case LogTargetSettings::Kind::kFile: break;
  }
  while (!lines.empty()) {
    const std::string_view part = lines.substr(0, part_before_rotation(lines));
    if (part.empty()) {
      rotate();
      if (size_ > 0) return append(lines);  // the old file could not be put aside: better a long one than none
      continue;
    }
    if (!append(part)) return false;
    lines.remove_prefix(part.size());
  }
  return true;
}

// How much may go into the current file: whole lines up to the limit, at least one line in an empty file. A line whose
// beginning is in the file is ended there.
std::size_t LogFile::part_before_rotation(std::string_view lines) const {
  if (settings_.rotate_bytes == 0) return lines.size();
  const std::size_t first_line = std::min(lines.find('\n'), lines.size() - 1) + 1;
  if (!at_line_start_) return first_line;
  const std::uint64_t room = settings_.rotate_bytes - std::min(settings_.rotate_bytes, size_);
  if (lines.size() <= room) return lines.size();
  const auto last_end = lines.substr(0, room).rfind('\n');
  if (last_end != std::string_view::npos) return last_end + 1;
  return size_ == 0 ? first_line : 0;
}

bool LogFile::append(std::string_view part) {
  if (file_ == nullptr) return false;
  const std::size_t written = std::fwrite(part.data(), 1, part.size(), file_.get());
  size_ += written;
  at_line_start_ = written == part.size() && part.ends_with('\n');
  return written == part.size();
}

// path.(n-1) becomes path.n, ..., path becomes path.1; what is beyond `keep` goes.
void LogFile::rotate() {
  std::error_code ignored;
  std::filesystem::remove(numbered(settings_.path, settings_.rotate_keep), ignored);
  for (std::uint32_t i = settings_.rotate_keep; i > 1; --i) {
    std::filesystem::rename(numbered(settings_.path, i - 1), numbered(settings_.path, i), ignored);
  }
  if (settings_.rotate_keep > 0) {
    std::filesystem::rename(settings_.path, numbered(settings_.path, 1), ignored);
  } else {
    std::filesystem::remove(settings_.path, ignored);
  }
  static_cast<void>(reopen());
}

}  // namespace tidegate::server
