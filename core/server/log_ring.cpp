#include "server/log_ring.h"

#include <algorithm>
#include <cstring>

namespace tidegate::server {

bool LogRing::push(std::string_view line) {
  const std::size_t head = head_.load(std::memory_order_relaxed);
  const std::size_t used = head - tail_.load(std::memory_order_acquire);
  if (line.size() > kSize - used) {
    dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return false;
  }
  const std::size_t at = head & (kSize - 1);
  const std::size_t front = std::min(line.size(), kSize - at);
  std::memcpy(bytes_.get() + at, line.data(), front);
  std::memcpy(bytes_.get(), line.data() + front, line.size() - front);
  head_.store(head + line.size(), std::memory_order_release);
  return true;
}

LogRing::Pieces LogRing::peek() const {
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  const std::size_t size = head_.load(std::memory_order_acquire) - tail;
  const std::size_t at = tail & (kSize - 1);
  const std::size_t front = std::min(size, kSize - at);
  return {{bytes_.get() + at, front}, {bytes_.get(), size - front}};
}

}  // namespace tidegate::server
