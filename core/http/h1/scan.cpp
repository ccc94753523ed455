// The scalar scans and the choice of the level. See scan.h.
#include "http/h1/scan.h"

namespace tidegate::http::h1 {
namespace {

void classify_scalar(const char* data, std::size_t size, LineMasks& masks) noexcept {
  for (std::size_t word = 0; word * 64 < size; ++word) {
    const std::size_t end = size - word * 64 < 64 ? size - word * 64 : 64;
    std::uint64_t control = 0;
    std::uint64_t nontoken = 0;
    for (std::size_t bit = 0; bit < end; ++bit) {
      const char c = data[word * 64 + bit];
      control |= static_cast<std::uint64_t>(!kValueBytes.contains(c)) << bit;
      nontoken |= static_cast<std::uint64_t>(!kTokenBytes.contains(c)) << bit;
    }
    masks.control[word] = control;
    masks.nontoken[word] = nontoken;
  }
}

std::size_t find_not_scalar(const char* data, std::size_t size, const ByteClass& allowed) noexcept {
  std::size_t i = 0;
  while (i < size && allowed.contains(data[i])) ++i;
  return i;
}

ScanLevel best_level() noexcept {
  for (const ScanLevel level : {ScanLevel::kNeon, ScanLevel::kAvx2, ScanLevel::kSse42}) {
    if (scan_ops_at(level) != nullptr) return level;
  }
  return ScanLevel::kScalar;
}

}  // namespace

namespace detail {

constinit const ScanOps kScalarScan = {classify_scalar, find_not_scalar};

// Starts as a constant, so a parser that runs in another static initialiser finds a valid level as well.
constinit const ScanOps* chosen_scan = &kScalarScan;

namespace {
[[maybe_unused]] const bool kIsChosen = [] {
  chosen_scan = scan_ops_at(best_level());
  return true;
}();
}  // namespace

}  // namespace detail

const ScanOps* scan_ops_at(ScanLevel level) noexcept {
  switch (level) {
    case ScanLevel::kScalar: return &detail::kScalarScan;
    case ScanLevel::kSse42: return detail::sse42_scan();
    case ScanLevel::kAvx2: return detail::avx2_scan();
    case ScanLevel::kNeon: return detail::neon_scan();
  }
  return nullptr;
}

ScanLevel scan_level() noexcept { return best_level(); }

std::string_view name_of(ScanLevel level) noexcept {
  switch (level) {
    case ScanLevel::kScalar: return "scalar";
    case ScanLevel::kSse42: return "sse4.2";
    case ScanLevel::kAvx2: return "avx2";
    case ScanLevel::kNeon: return "neon";
  }
  return {};
}

}  // namespace tidegate::http::h1
