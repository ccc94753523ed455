#include "base/arena.h"

#include <algorithm>

namespace tidegate::base {

void* Arena::allocate_in_new_block(std::size_t size) {
  const std::size_t block = std::max(size, blocks_.empty() ? first_block_size_ : current_size_ * 2);
  blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block));
  if (blocks_.size() == 1) first_size_ = block;
  current_ = blocks_.back().get();
  current_size_ = block;
  capacity_ += block;
  used_ = size;
  return current_;
}

void Arena::reset() {
  used_ = 0;
  if (blocks_.size() <= 1) return;
  blocks_.resize(1);
  current_ = blocks_.front().get();
  current_size_ = first_size_;
  capacity_ = first_size_;
}

}  // namespace tidegate::base
