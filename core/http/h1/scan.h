// Vector scans over received bytes: the two operations from which all HTTP/1.1 parsing here is built.
//
// Owner: http/h1. Thread: any; the choice of the level is made once, before main.
// Invariants: no scan reads a byte outside [data, data + size). Every level gives exactly what the scalar one gives.
// A scan is called once for a stretch of bytes, never for a single byte, so the indirect call does not count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/h1/byte_class.h"

namespace tidegate::http::h1 {

/// One bit a byte, bit 0 of word 0 for the first.
struct LineMasks {
  static constexpr std::size_t kBytes = 1024;  // the most that one call of classify() takes
  static constexpr std::size_t kWords = kBytes / 64;

  std::array<std::uint64_t, kWords> control;   // C0 controls but tab, and DEL: what ends a line or must not be there
  std::array<std::uint64_t, kWords> nontoken;  // what ends a method or a field name; a superset of control
};

struct ScanOps {
  /// Writes the masks of `size` bytes, size <= LineMasks::kBytes. Words that hold no byte are not written; bits of the
  /// last word above the last byte are zero.
  void (*classify)(const char* data, std::size_t size, LineMasks& masks) noexcept;

  /// Index of the first byte that is not in `allowed`, or `size`.
  std::size_t (*find_not)(const char* data, std::size_t size, const ByteClass& allowed) noexcept;
};

enum class ScanLevel : std::uint8_t { kScalar, kSse42, kAvx2, kNeon };

/// The operations of one level, or nullptr if this build or this processor does not have it. For tests and reports.
[[nodiscard]] const ScanOps* scan_ops_at(ScanLevel level) noexcept;

/// The best level that this processor has.
[[nodiscard]] ScanLevel scan_level() noexcept;
[[nodiscard]] std::string_view name_of(ScanLevel level) noexcept;

namespace detail {
extern const ScanOps kScalarScan;
// The scalar operations until the choice has been made, which happens before main.
extern const ScanOps* chosen_scan;
// Null where the build or the processor does not have the level.
const ScanOps* sse42_scan() noexcept;
const ScanOps* avx2_scan() noexcept;
const ScanOps* neon_scan() noexcept;
}  // namespace detail

/// The operations of the best level.
[[nodiscard]] inline const ScanOps& scan_ops() noexcept { return *detail::chosen_scan; }

}  // namespace tidegate::http::h1
