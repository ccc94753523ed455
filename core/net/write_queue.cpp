#include "net/write_queue.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace tidegate::net {

WriteBlock* WriteBlockPool::take() {
  if (free_.empty()) return std::make_unique_for_overwrite<WriteBlock>().release();
  WriteBlock* block = free_.back().release();
  free_.pop_back();
  return block;
}

void WriteBlockPool::give_back(WriteBlock* block) {
  std::unique_ptr<WriteBlock> owned(block);
  if (free_.size() >= kKeep) return;
  owned->next = nullptr;
  owned->first = owned->count = owned->text_used = 0;
  free_.push_back(std::move(owned));
}

char* WriteQueue::reserve(std::size_t size) {
  TIDEGATE_CHECK(size <= WriteBlock::kText);
  const bool fits = last_ != nullptr && last_->text_used + size <= WriteBlock::kText && last_->count < WriteBlock::kChunks;
  if (!fits) {
    WriteBlock* block = pool_.take();
    (last_ == nullptr ? first_ : last_->next) = block;
    last_ = block;
  }
  return last_->text + last_->text_used;
}

void WriteQueue::commit(std::size_t size) {
  if (size == 0) return;
  char* at = last_->text + last_->text_used;
  last_->text_used = static_cast<std::uint16_t>(last_->text_used + size);
  size_ += size;
  if (last_->count > last_->first) {
    Chunk& chunk = last_->chunks[last_->count - 1U];
    if (!chunk.is_file() && chunk.data + chunk.size == at) {
      chunk.size += size;
      return;
    }
  }
  Chunk& chunk = add_chunk();
  chunk.data = at;
  chunk.size = size;
}

void WriteQueue::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t free_here =
        last_ == nullptr || last_->count == WriteBlock::kChunks ? 0 : WriteBlock::kText - last_->text_used;
    const std::size_t part = std::min(bytes.size(), free_here > 0 ? free_here : WriteBlock::kText);
    std::memcpy(reserve(part), bytes.data(), part);
    commit(part);
    bytes.remove_prefix(part);
  }
}

Chunk& WriteQueue::add_chunk() {
  if (last_ == nullptr || last_->count == WriteBlock::kChunks) {
    WriteBlock* block = pool_.take();
    (last_ == nullptr ? first_ : last_->next) = block;
    last_ = block;
  }
  Chunk& chunk = last_->chunks[last_->count++];
  chunk = Chunk{};
  return chunk;
}

void WriteQueue::append_pinned(std::string_view bytes, base::Pin pin) {
  if (bytes.empty()) return pin.drop();
  Chunk& chunk = add_chunk();
  chunk.data = bytes.data();
  chunk.size = bytes.size();
  chunk.pin = pin;
  size_ += bytes.size();
}

void WriteQueue::append_file(sys::FileHandle file, std::uint64_t offset, std::uint64_t size, base::Pin pin) {
  if (size == 0) return pin.drop();
  Chunk& chunk = add_chunk();
  chunk.file = file;
  chunk.offset = offset;
  chunk.size = size;
  chunk.pin = pin;
  size_ += size;
}

const Chunk* WriteQueue::leading_file() const {
  if (first_ == nullptr || first_->first == first_->count) return nullptr;
  const Chunk& chunk = first_->chunks[first_->first];
  return chunk.is_file() ? &chunk : nullptr;
}

std::size_t WriteQueue::gather(std::span<sys::Slice> slices, bool& more_follows) const {
  std::size_t used = 0;
  more_follows = false;
  for (const WriteBlock* block = first_; block != nullptr; block = block->next) {
    for (std::size_t i = block->first; i < block->count; ++i) {
      const Chunk& chunk = block->chunks[i];
      if (chunk.is_file() || used == slices.size()) {
        more_follows = true;
        return used;
      }
      slices[used++] = {chunk.data, chunk.size};
    }
  }
  return used;
}

void WriteQueue::consume(std::uint64_t bytes) {
  TIDEGATE_CHECK(bytes <= size_);
  size_ -= bytes;
  while (first_ != nullptr) {
    if (first_->first == first_->count) {
      if (size_ > 0 && first_->next == nullptr) return;
      pop_block();
      continue;
    }
    Chunk& chunk = first_->chunks[first_->first];
    if (bytes < chunk.size) {
      chunk.size -= bytes;
      if (chunk.is_file()) {
        chunk.offset += bytes;
      } else {
        chunk.data += bytes;
      }
      return;
    }
    bytes -= chunk.size;
    chunk.pin.drop();
    ++first_->first;
  }
}

void WriteQueue::pop_block() {
  WriteBlock* block = first_;
  first_ = block->next;
  if (first_ == nullptr) last_ = nullptr;
  pool_.give_back(block);
}

void WriteQueue::clear() {
  while (first_ != nullptr) {
    for (std::size_t i = first_->first; i < first_->count; ++i) first_->chunks[i].pin.drop();
    pop_block();
  }
  size_ = 0;
}

}  // namespace tidegate::net
