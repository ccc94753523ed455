// The directory that a files route serves from, kept open and looked at again once a second: a build tool may delete
// the directory and make it anew. Shared by all workers; thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sys/file.h"

namespace tidegate::handlers {

class RootDirectory {
 public:
  explicit RootDirectory(std::string path);
  ~RootDirectory();
  RootDirectory(const RootDirectory&) = delete;
  RootDirectory& operator=(const RootDirectory&) = delete;

  // The open directory, or kNoFile while there is none. Usable for a minute after it was replaced.
  [[nodiscard]] sys::FileHandle at(std::int64_t now_ms);

 private:
  void check(std::int64_t now_ms);

  struct Retired {
    sys::FileHandle directory;
    std::int64_t since_ms;
  };

  std::string path_;
  std::atomic<std::int64_t> checked_ms_{0};
  std::atomic<sys::FileHandle> current_{sys::kNoFile};
  std::mutex mutex_;
  std::vector<Retired> retired_;  // may still be in use by look-ups under way
};

}  // namespace tidegate::handlers
