// Scans with NEON, which every 64-bit ARM processor has, so the choice is made when compiling. See scan.h.
//
// The method is the one of scan_x86.cpp: two table lookups a byte, one for each nibble.
#include "http/h1/scan.h"

#if defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

#include <bit>
#include <cstring>

namespace tidegate::http::h1 {
namespace {

struct Tables {
  uint8x16_t low;
  uint8x16_t high;
};

Tables tables_of(const ByteClass& allowed) { return {vld1q_u8(allowed.low.data()), vld1q_u8(allowed.high.data())}; }

uint8x16_t load(const char* p) {
  uint8x16_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return bytes;
}

// Lanes of all ones where the byte is a control other than tab.
uint8x16_t control(uint8x16_t bytes) {
  const uint8x16_t c0 = vcltq_u8(bytes, vdupq_n_u8(0x20));
  const uint8x16_t tab = vceqq_u8(bytes, vdupq_n_u8('\t'));
  return vorrq_u8(vbicq_u8(c0, tab), vceqq_u8(bytes, vdupq_n_u8(0x7F)));
}

// Lanes of all ones where the byte is not in the class.
uint8x16_t outside(uint8x16_t bytes, const Tables& tables) {
  const uint8x16_t low = vqtbl1q_u8(tables.low, vandq_u8(bytes, vdupq_n_u8(0x0F)));
  const uint8x16_t high = vqtbl1q_u8(tables.high, vshrq_n_u8(bytes, 4));
  return vceqzq_u8(vandq_u8(low, high));
}

// One bit a lane of four vectors: NEON has no movemask, three rounds of pairwise additions do the same.
std::uint64_t bits64(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  constexpr std::uint8_t kBits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t bits = vld1q_u8(kBits);
  const uint8x16_t ab = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
  const uint8x16_t cd = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
  const uint8x16_t all = vpaddq_u8(ab, cd);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

void classify_word(const char* data, const Tables& token, std::uint64_t& control_bits, std::uint64_t& nontoken_bits) {
  const uint8x16_t a = load(data);
  const uint8x16_t b = load(data + 16);
  const uint8x16_t c = load(data + 32);
  const uint8x16_t d = load(data + 48);
  control_bits = bits64(control(a), control(b), control(c), control(d));
  nontoken_bits = bits64(outside(a, token), outside(b, token), outside(c, token), outside(d, token));
}

void classify_neon(const char* data, std::size_t size, LineMasks& masks) noexcept {
  const Tables token = tables_of(kTokenBytes);
  std::size_t word = 0;
  for (; (word + 1) * 64 <= size; ++word) {
    classify_word(data + word * 64, token, masks.control[word], masks.nontoken[word]);
  }
  const std::size_t rest = size - word * 64;
  if (rest == 0) return;
  if (size >= 64) {
    // The last 64 bytes once more; those that were seen fall out at the bottom.
    classify_word(data + size - 64, token, masks.control[word], masks.nontoken[word]);
    masks.control[word] >>= 64 - rest;
    masks.nontoken[word] >>= 64 - rest;
    return;
  }
  char padded[64] = {};
  std::memcpy(padded, data, rest);
  classify_word(padded, token, masks.control[word], masks.nontoken[word]);
  const std::uint64_t valid = (std::uint64_t{1} << rest) - 1;
  masks.control[word] &= valid;
  masks.nontoken[word] &= valid;
}

// Index of the first outside byte of 16, or 16. Narrowing keeps four bits a lane.
std::size_t first_outside(uint8x16_t bytes, const Tables& tables) {
  const uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(outside(bytes, tables)), 4);
  const std::uint64_t bits = vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
  return static_cast<std::size_t>(std::countr_zero(bits)) / 4;
}

std::size_t find_not_neon(const char* data, std::size_t size, const ByteClass& allowed) noexcept {
  const Tables tables = tables_of(allowed);
  std::size_t at = 0;
  if (size >= 16) {
    for (; at < size; at += 16) {
      if (at + 16 > size) at = size - 16;
      const std::size_t found = first_outside(load(data + at), tables);
      if (found < 16) return at + found;
    }
    return size;
  }
  while (at < size && allowed.contains(data[at])) ++at;
  return at;
}

constexpr ScanOps kNeonScan = {classify_neon, find_not_neon};

}  // namespace

namespace detail {
const ScanOps* neon_scan() noexcept { return &kNeonScan; }
}  // namespace detail
}  // namespace tidegate::http::h1

#else

namespace tidegate::http::h1::detail {
const ScanOps* neon_scan() noexcept { return nullptr; }
}  // namespace tidegate::http::h1::detail

#endif
