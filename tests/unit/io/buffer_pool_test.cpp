#include "io/buffer_pool.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <vector>

namespace tidegate::io {

TEST_CASE("buffer pool: every buffer once, then none, then again") {
  BufferPool pool(7, 100);
  CHECK(pool.count() == 7);
  CHECK(pool.buffer_size() == 100);
  std::vector<Buffer> taken;
  std::set<std::uint16_t> ids;
  while (Buffer buffer = pool.take()) {
    CHECK(buffer.size == 0);
    CHECK(buffer.data == pool.data_of(buffer.id));
    std::memset(buffer.data, 'a' + buffer.id, 100);  // all of it is usable
    ids.insert(buffer.id);
    taken.push_back(buffer);
    REQUIRE(taken.size() <= 7);
  }
  CHECK(ids.size() == 7);
  CHECK(pool.lent() == 7);
  CHECK(!pool.take());
  CHECK(pool.lent() == 7);
  for (const Buffer& buffer : taken) {
    for (int i = 0; i < 100; ++i) {
      if (buffer.data[i] != 'a' + buffer.id) FAIL("buffers overlap");
    }
  }
  for (const Buffer& buffer : taken) pool.release(buffer);
  CHECK(pool.lent() == 0);
  const Buffer warm = pool.take();
  CHECK(warm.id == taken.back().id);  // the last one in is the first one out
  pool.release(warm);
}

TEST_CASE("buffer pool: the largest one") {
  BufferPool pool(BufferPool::kCountMax, 16);
  int count = 0;
  while (pool.take()) ++count;
  CHECK(count == BufferPool::kCountMax);
  CHECK(pool.lent() == BufferPool::kCountMax);
}

}  // namespace tidegate::io
