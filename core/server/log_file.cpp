#include "server/log_file.h"

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
  if (settings_.rotate_bytes > 0 && size_ > 0 && size_ + lines.size() > settings_.rotate_bytes) rotate();
  if (file_ == nullptr) return false;
  const std::size_t written = std::fwrite(lines.data(), 1, lines.size(), file_.get());
  size_ += written;
  return written == lines.size();
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
