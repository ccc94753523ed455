#include "io/buffer_pool.h"

#include "base/check.h"

namespace tidegate::io {

BufferPool::BufferPool(std::uint16_t count, std::uint32_t buffer_size)
    : count_(count),
      buffer_size_(buffer_size),
      memory_(std::make_unique_for_overwrite<char[]>(std::size_t{count} * buffer_size)),
      taken_(count, false) {
  TIDEGATE_CHECK(count > 0 && count <= kCountMax && buffer_size > 0);
  free_.reserve(count);
  for (std::uint16_t id = count; id-- > 0;) free_.push_back(id);
}

Buffer BufferPool::take() {
  if (free_.empty()) return {};
  const std::uint16_t id = free_.back();
  free_.pop_back();
  taken_[id] = true;
  ++lent_;
  return {data_of(id), 0, id};
}

void BufferPool::release(Buffer buffer) {
  TIDEGATE_CHECK(buffer.id < count_ && taken_[buffer.id] && buffer.data == data_of(buffer.id));
  taken_[buffer.id] = false;
  free_.push_back(buffer.id);
  --lent_;
}

}  // namespace tidegate::io
