// Files of a simulation: blobs in memory that a test may change at any time. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/error.h"
#include "sys/file.h"

namespace tidegate::io {

class SimFiles {
 public:
  // A new file with this content. Its handle is good for ops of a SimDriver, not for calls of sys/file.h.
  sys::FileHandle add(std::string content);
  // The content, to change it: a file may shrink or grow while it is sent.
  [[nodiscard]] std::string& content(sys::FileHandle file);
  void remove(sys::FileHandle file);

  // Reads as sys::read_at does. A handle that was not given out here is one of the real system, and is read there.
  // Errors: kInvalid for a removed file.
  [[nodiscard]] base::Result<std::size_t> read(sys::FileHandle file, void* into, std::size_t size, std::uint64_t offset) const;

 private:
  std::map<sys::FileHandle, std::string> blobs_;
  sys::FileHandle next_ = sys::FileHandle{1} << 30;  // beyond all descriptors
};

}  // namespace tidegate::io
