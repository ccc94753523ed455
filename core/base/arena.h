// A bump allocator for what lives as long as one exchange. Memory comes in blocks that grow; reset() keeps the first
// block, so that a warm arena allocates nothing. Destructors are not run: only trivially destructible things go in.
// One owner, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tidegate::base {

class Arena {
 public:
  explicit Arena(std::size_t first_block_size = 2048) : first_block_size_(first_block_size) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // `size` bytes aligned to `alignment` (a power of two, at most alignof(max_align_t)).
  void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
    const std::size_t at = (used_ + alignment - 1) & ~(alignment - 1);
    if (current_ != nullptr && at + size <= current_size_) {
      used_ = at + size;
      return current_ + at;
    }
    return allocate_in_new_block(size);
  }

  template <class T>
  T* allocate_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
  }

  // A copy of the text that lives as long as the arena's content.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* bytes = allocate_array<char>(text.size());
    std::memcpy(bytes, text.data(), text.size());
    return {bytes, text.size()};
  }

  // Forgets everything; keeps the first block for the next use.
  void reset();
  // Bytes held from the heap.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  void* allocate_in_new_block(std::size_t size);

  std::size_t first_block_size_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* current_ = nullptr;
  std::size_t current_size_ = 0;
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
  std::size_t first_size_ = 0;
};

}  // namespace tidegate::base
