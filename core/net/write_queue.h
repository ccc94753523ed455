// What a stream has still to send: copied bytes, pinned bytes and file ranges, in order.
//
// The queue lives in blocks of a pool that all streams of a worker share; an idle stream holds no block. Small pieces
// that follow one another are joined, so that a head and its body leave as one send. One owner, one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/pin.h"
#include "sys/file.h"
#include "sys/socket.h"

namespace tidegate::net {

// One piece of output. Bytes: `data`; a file range: data == nullptr.
struct Chunk {
  const char* data = nullptr;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  // file ranges
  sys::FileHandle file = sys::kNoFile;
  base::Pin pin;

  [[nodiscard]] bool is_file() const { return data == nullptr; }
};

struct WriteBlock {
  static constexpr std::size_t kSize = 4096;
  static constexpr std::size_t kChunks = 12;
  static constexpr std::size_t kText = kSize - kChunks * sizeof(Chunk) - 2 * sizeof(void*);

  WriteBlock* next = nullptr;
  std::uint16_t first = 0;  // chunks [first, count) are still to send
  std::uint16_t count = 0;
  std::uint16_t text_used = 0;
  std::array<Chunk, kChunks> chunks;
  char text[kText];
};
static_assert(sizeof(WriteBlock) <= WriteBlock::kSize);

// Free blocks of one worker. Keeps at most kKeep of them; the rest goes back to the heap.
class WriteBlockPool {
 public:
  static constexpr std::size_t kKeep = 256;
  WriteBlock* take();
  void give_back(WriteBlock* block);

 private:
  std::vector<std::unique_ptr<WriteBlock>> free_;
};

class WriteQueue {
 public:
  explicit WriteQueue(WriteBlockPool& pool) : pool_(pool) {}
  ~WriteQueue() { clear(); }
  WriteQueue(const WriteQueue&) = delete;
  WriteQueue& operator=(const WriteQueue&) = delete;

  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  // Bytes that are still to send.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Room for up to `size` contiguous bytes (at most WriteBlock::kText): write, then commit what was used.
  char* reserve(std::size_t size);
  void commit(std::size_t size);
  // Copies the bytes.
  void append(std::string_view bytes);
  // The bytes stay where they are until the pin is dropped: after they were sent, or when the queue is cleared.
  void append_pinned(std::string_view bytes, base::Pin pin);
  void append_file(sys::FileHandle file, std::uint64_t offset, std::uint64_t size, base::Pin pin);

  // The first chunk, when it is a file range; else nullptr.
  [[nodiscard]] const Chunk* leading_file() const;
  // Fills `slices` with leading bytes; returns how many. `more_follows`: something stands behind them.
  std::size_t gather(std::span<sys::Slice> slices, bool& more_follows) const;
  // The first `bytes` bytes were sent: drops their pins and blocks.
  void consume(std::uint64_t bytes);
  // Drops everything.
  void clear();

 private:
  Chunk& add_chunk();
  void pop_block();

  WriteBlockPool& pool_;
  WriteBlock* first_ = nullptr;
  WriteBlock* last_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace tidegate::net
