// Helpers of the sys tests: a temporary directory that goes with its owner, and short ways to fill it.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "platform/posix/descriptor.h"
#include "sys/file.h"

namespace tidegate::test {

class TempDir {
 public:
  TempDir() {
    const char* chosen = std::getenv("TMPDIR");
    std::string pattern = std::string(chosen != nullptr ? chosen : "/tmp") + "/tidegate-test-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = std::filesystem::canonical(pattern).string();
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

inline void make_directory(const std::string& path) { REQUIRE(::mkdir(path.c_str(), 0755) == 0); }

inline void write_file(const std::string& path, std::string_view content) {
  const platform::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  REQUIRE(file.valid());
  REQUIRE(::write(file.get(), content.data(), content.size()) == static_cast<ssize_t>(content.size()));
}

inline void link_to(const std::string& target, const std::string& path) {
  REQUIRE(::symlink(target.c_str(), path.c_str()) == 0);
}

// A sys handle that is closed with its owner.
class OwnedFile {
 public:
  explicit OwnedFile(sys::FileHandle file) : file_(file) {}
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;
  ~OwnedFile() {
    if (file_ != sys::kNoFile) sys::close_file(file_);
  }
  [[nodiscard]] sys::FileHandle get() const { return file_; }
  [[nodiscard]] int number() const { return static_cast<int>(file_); }

 private:
  sys::FileHandle file_;
};

[[nodiscard]] inline OwnedFile root_at(const std::string& path) {
  const auto root = sys::open_root(path);
  REQUIRE(root.has_value());
  return OwnedFile(*root);
}

// The first bytes of an opened file.
[[nodiscard]] inline std::string content_of(sys::FileHandle file) {
  std::array<char, 256> buffer{};
  const auto got = sys::read_at(file, buffer.data(), buffer.size(), 0, sys::Wait::kMayBlock);
  REQUIRE(got.has_value());
  return {buffer.data(), *got};
}

}  // namespace tidegate::test
