// Scans with SSE4.2 and AVX2, compiled into every x86-64 build and chosen at run time. See scan.h.
//
// A byte class is two tables of 16 entries, one for each nibble of the byte; a byte is a member if its two entries
// share a bit. One shuffle instruction looks up 16 or 32 nibbles at once.
// The last bytes of a stretch are read by a second load that overlaps the first, never past the end.
#include "http/h1/scan.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>
#include <cstring>

#define TIDEGATE_SSE [[gnu::target("sse4.2"), gnu::always_inline]] inline
#define TIDEGATE_AVX [[gnu::target("avx2"), gnu::always_inline]] inline

namespace tidegate::http::h1 {
namespace {

// --- 16 bytes at a time -------------------------------------------------------------------------------------------

TIDEGATE_SSE __m128i load16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }

TIDEGATE_SSE std::uint32_t bits16(__m128i lanes) { return static_cast<std::uint32_t>(_mm_movemask_epi8(lanes)); }

TIDEGATE_SSE std::uint32_t control16(__m128i bytes) {
  const __m128i c0 = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
  const __m128i tab = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t'));
  const __m128i del = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
  return bits16(_mm_or_si128(_mm_andnot_si128(tab, c0), del));
}

struct Tables16 {
  __m128i low;
  __m128i high;
};

TIDEGATE_SSE Tables16 tables16(const ByteClass& allowed) { return {load16(&allowed.low), load16(&allowed.high)}; }

// Bits of the bytes that are not in the class.
TIDEGATE_SSE std::uint32_t outside16(__m128i bytes, const Tables16& tables) {
  const __m128i nibble = _mm_set1_epi8(0x0F);
  const __m128i low = _mm_shuffle_epi8(tables.low, _mm_and_si128(bytes, nibble));
  const __m128i high = _mm_shuffle_epi8(tables.high, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble));
  return bits16(_mm_cmpeq_epi8(_mm_and_si128(low, high), _mm_setzero_si128()));
}

// A stretch of fewer than 16 bytes as one vector: two overlapping loads, and how to put the bits back in order.
struct Short {
  __m128i bytes;
  unsigned half;   // lanes of the first load
  unsigned shift;  // where the second load begins
};

TIDEGATE_SSE Short load_short(const char* p, std::size_t size) {
  if (size >= 8) {
    std::uint64_t first;
    std::uint64_t last;
    std::memcpy(&first, p, 8);
    std::memcpy(&last, p + size - 8, 8);
    return {_mm_set_epi64x(static_cast<long long>(last), static_cast<long long>(first)), 8,
            static_cast<unsigned>(size - 8)};
  }
  if (size >= 4) {
    std::uint32_t first;
    std::uint32_t last;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + size - 4, 4);
    return {_mm_set_epi32(0, 0, static_cast<int>(last), static_cast<int>(first)), 4, static_cast<unsigned>(size - 4)};
  }
  // One to three bytes: all of them lie in the first part.
  std::uint32_t word = static_cast<unsigned char>(p[0]);
  if (size > 1) word |= static_cast<std::uint32_t>(static_cast<unsigned char>(p[1])) << 8;
  if (size > 2) word |= static_cast<std::uint32_t>(static_cast<unsigned char>(p[2])) << 16;
  return {_mm_cvtsi32_si128(static_cast<int>(word)), static_cast<unsigned>(size), 0};
}

TIDEGATE_SSE std::uint64_t join_short(std::uint32_t bits, const Short& piece) {
  const std::uint32_t part = (1U << piece.half) - 1;
  return (bits & part) | static_cast<std::uint64_t>((bits >> piece.half) & part) << piece.shift;
}

// Masks of 1 to 63 bytes.
TIDEGATE_SSE void classify_rest(const char* data, std::size_t size, const Tables16& token, std::uint64_t& control,
                                std::uint64_t& nontoken) {
  if (size < 16) {
    const Short piece = load_short(data, size);
    // For three bytes or fewer the lanes above hold zeros; `part` cuts them off and there is no second part.
    const std::uint32_t part = size < 4 ? (1U << size) - 1 : ~0U;
    control = join_short(control16(piece.bytes) & part, piece);
    nontoken = join_short(outside16(piece.bytes, token) & part, piece);
    return;
  }
  control = 0;
  nontoken = 0;
  std::size_t at = 0;
  for (; at + 16 <= size; at += 16) {
    const __m128i bytes = load16(data + at);
    control |= static_cast<std::uint64_t>(control16(bytes)) << at;
    nontoken |= static_cast<std::uint64_t>(outside16(bytes, token)) << at;
  }
  if (at == size) return;
  const __m128i bytes = load16(data + size - 16);
  control |= static_cast<std::uint64_t>(control16(bytes)) << (size - 16);
  nontoken |= static_cast<std::uint64_t>(outside16(bytes, token)) << (size - 16);
}

TIDEGATE_SSE std::size_t find_not_short(const char* data, std::size_t size, const Tables16& tables) {
  const Short piece = load_short(data, size);
  const std::uint32_t part = size < 4 ? (1U << size) - 1 : ~0U;
  const std::uint64_t bits = join_short(outside16(piece.bytes, tables) & part, piece);
  return bits != 0 ? static_cast<std::size_t>(std::countr_zero(bits)) : size;
}

// The rest [at, size) of a stretch of at least 16 bytes whose first `at` bytes are known to be members.
TIDEGATE_SSE std::size_t find_not_rest(const char* data, std::size_t at, std::size_t size, const Tables16& tables) {
  for (; at < size; at += 16) {
    if (at + 16 > size) at = size - 16;
    const std::uint32_t bits = outside16(load16(data + at), tables);
    if (bits != 0) return at + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return size;
}

[[gnu::target("sse4.2")]] void classify_sse42(const char* data, std::size_t size, LineMasks& masks) noexcept {
  const Tables16 token = tables16(kTokenBytes);
  std::size_t word = 0;
  for (; (word + 1) * 64 <= size; ++word) {
    std::uint64_t control = 0;
    std::uint64_t nontoken = 0;
    for (unsigned lane = 0; lane < 64; lane += 16) {
      const __m128i bytes = load16(data + word * 64 + lane);
      control |= static_cast<std::uint64_t>(control16(bytes)) << lane;
      nontoken |= static_cast<std::uint64_t>(outside16(bytes, token)) << lane;
    }
    masks.control[word] = control;
    masks.nontoken[word] = nontoken;
  }
  if (word * 64 == size) return;
  classify_rest(data + word * 64, size - word * 64, token, masks.control[word], masks.nontoken[word]);
}

[[gnu::target("sse4.2")]] std::size_t find_not_sse42(const char* data, std::size_t size,
                                                     const ByteClass& allowed) noexcept {
  if (size == 0) return 0;
  const Tables16 tables = tables16(allowed);
  return size < 16 ? find_not_short(data, size, tables) : find_not_rest(data, 0, size, tables);
}

// --- 32 bytes at a time -------------------------------------------------------------------------------------------

TIDEGATE_AVX __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

TIDEGATE_AVX std::uint32_t bits32(__m256i lanes) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(lanes)); }

TIDEGATE_AVX std::uint32_t control32(__m256i bytes) {
  const __m256i c0 = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
  const __m256i tab = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\t'));
  const __m256i del = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x7F));
  return bits32(_mm256_or_si256(_mm256_andnot_si256(tab, c0), del));
}

TIDEGATE_AVX std::uint32_t outside32(__m256i bytes, const Tables16& tables) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(tables.low), _mm256_and_si256(bytes, nibble));
  const __m256i high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(tables.high),
                                           _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
  return bits32(_mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256()));
}

[[gnu::target("avx2")]] void classify_avx2(const char* data, std::size_t size, LineMasks& masks) noexcept {
  const Tables16 token = tables16(kTokenBytes);
  std::size_t word = 0;
  for (; (word + 1) * 64 <= size; ++word) {
    const __m256i first = load32(data + word * 64);
    const __m256i second = load32(data + word * 64 + 32);
    masks.control[word] = control32(first) | static_cast<std::uint64_t>(control32(second)) << 32;
    masks.nontoken[word] = outside32(first, token) | static_cast<std::uint64_t>(outside32(second, token)) << 32;
  }
  const std::size_t rest = size - word * 64;
  if (rest == 0) return;
  data += word * 64;
  if (rest < 32) return classify_rest(data, rest, token, masks.control[word], masks.nontoken[word]);
  const __m256i first = load32(data);
  const __m256i last = load32(data + rest - 32);
  masks.control[word] = control32(first) | static_cast<std::uint64_t>(control32(last)) << (rest - 32);
  masks.nontoken[word] = outside32(first, token) | static_cast<std::uint64_t>(outside32(last, token)) << (rest - 32);
}

[[gnu::target("avx2")]] std::size_t find_not_avx2(const char* data, std::size_t size,
                                                  const ByteClass& allowed) noexcept {
  if (size == 0) return 0;
  const Tables16 tables = tables16(allowed);
  if (size < 16) return find_not_short(data, size, tables);
  std::size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    const std::uint32_t bits = outside32(load32(data + at), tables);
    if (bits != 0) return at + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return find_not_rest(data, at, size, tables);
}

constexpr ScanOps kSse42Scan = {classify_sse42, find_not_sse42};
[[maybe_unused]] constexpr ScanOps kAvx2Scan = {classify_avx2, find_not_avx2};

}  // namespace

namespace detail {

const ScanOps* sse42_scan() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0 ? &kSse42Scan : nullptr;
}

const ScanOps* avx2_scan() noexcept {
#if defined(_WIN32) && !defined(__clang__)
  // GCC for Windows aligns the stack to 16 bytes only, and may put a 32-byte vector there with an aligned store.
  return nullptr;
#else
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0 ? &kAvx2Scan : nullptr;
#endif
}

}  // namespace detail
}  // namespace tidegate::http::h1

#else

namespace tidegate::http::h1::detail {
const ScanOps* sse42_scan() noexcept { return nullptr; }
const ScanOps* avx2_scan() noexcept { return nullptr; }
}  // namespace tidegate::http::h1::detail

#endif
