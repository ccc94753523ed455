#include "io/sim/sim_files.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace tidegate::io {

sys::FileHandle SimFiles::add(std::string content) {
  const sys::FileHandle file = next_++;
  blobs_.emplace(file, std::move(content));
  return file;
}

std::string& SimFiles::content(sys::FileHandle file) {
  const auto found = blobs_.find(file);
  TIDEGATE_CHECK(found != blobs_.end());
  return found->second;
}

void SimFiles::remove(sys::FileHandle file) { blobs_.erase(file); }

base::Result<std::size_t> SimFiles::read(sys::FileHandle file, void* into, std::size_t size, std::uint64_t offset) const {
  if (file < sys::FileHandle{1} << 30) return sys::read_at(file, into, size, offset, sys::Wait::kMayBlock);
  const auto found = blobs_.find(file);
  if (found == blobs_.end()) return std::unexpected(base::Error{.code = base::Code::kInvalid, .domain = base::Domain::kIo});
  const std::string& blob = found->second;
  if (offset >= blob.size()) return 0;
  const std::size_t count = std::min(size, blob.size() - static_cast<std::size_t>(offset));
  if (count > 0) std::memcpy(into, blob.data() + offset, count);
  return count;
}

}  // namespace tidegate::io
