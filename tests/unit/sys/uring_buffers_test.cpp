// The three places of a receive buffer under io_uring, and the names of requests.
#include "platform/linux/uring_buffers.h"

#include <doctest/doctest.h>

#include <vector>

#include "platform/linux/uring_tag.h"

namespace tidegate {
namespace {

using platform::UringBuffers;
using platform::UringKind;
using platform::UringTag;

}  // namespace

TEST_CASE("the base's free list is empty: only the kernel hands out these buffers") {
  UringBuffers buffers(8, 64);
  CHECK(!buffers.take());
  CHECK(buffers.lent() == 0);
}

TEST_CASE("a lent buffer comes back") {
  auto ring = platform::UringRing::create(8, 16);
  if (!ring) return;  // no io_uring here
  UringBuffers buffers(4, 64);
  REQUIRE(!buffers.lend_to(*ring));
  std::vector<io::Buffer> lent;
  for (std::uint16_t id = 0; id < 4; ++id) {
    lent.push_back(buffers.taken_by_kernel(id, 10U + id));
    CHECK(lent.back().data == buffers.data_of(id));
    CHECK(lent.back().size == 10U + id);
  }
  CHECK(buffers.lent() == 4);
  CHECK(!buffers.refill());  // all are lent
  buffers.release(lent[2]);
  CHECK(buffers.lent() == 3);
  CHECK(buffers.refill());
  for (const std::size_t i : {0U, 1U, 3U}) buffers.release(lent[i]);
  CHECK(buffers.lent() == 0);
  ring->close();
}

TEST_CASE("the kernel's ring holds a part of a large pool and doubles once a turn when it ran dry") {
  auto ring = platform::UringRing::create(8, 16);
  if (!ring) return;
  constexpr std::uint16_t kMin = UringBuffers::kRingTargetMin;
  UringBuffers buffers(5 * kMin, 64);
  REQUIRE(!buffers.lend_to(*ring));
  std::uint16_t in_ring = kMin;
  std::uint16_t next = 0;
  const auto drain = [&] {
    for (; in_ring > 0; --in_ring) static_cast<void>(buffers.taken_by_kernel(next++, 1));
  };
  drain();
  CHECK(buffers.refill());
  CHECK(buffers.refill());  // the same burst: no second doubling
  in_ring = 2 * kMin;
  drain();
  buffers.publish();
  in_ring = 2 * kMin;  // topped up from the reserve
  drain();
  CHECK(buffers.lent() == 5 * kMin);
  CHECK(!buffers.refill());
  ring->close();
}

TEST_CASE("a request's name survives the way through the kernel") {
  for (const UringKind kind : {UringKind::kAccept, UringKind::kReceive, UringKind::kWrite, UringKind::kFile,
                               UringKind::kWake, UringKind::kIgnored}) {
    for (const std::uint32_t index : {0U, 1U, 77U, UringTag::kIndexMax}) {
      for (const std::uint32_t generation : {1U, 2U, UINT32_MAX}) {
        const base::Handle handle{.index = index, .generation = generation};
        const UringTag back = UringTag::unpack(UringTag{.kind = kind, .handle = handle}.packed());
        CHECK(back.kind == kind);
        CHECK(back.handle == handle);
      }
    }
  }
}

}  // namespace tidegate
