// Byte ranges: reading the Range field, and writing Content-Range and multipart/byteranges (RFC 9110 section 14).
//
// Owner: http/semantics. Thread: any. Fixed capacity, no allocation; all arithmetic is safe for any 64-bit length.
//
// Policy against abuse (RFC 9110 sections 14.2 and 17.15): a Range with more than kMaxRanges ranges, or in which more than
// kMaxOverlapping ranges overlap another one, is ignored and the whole representation is sent. Ranges that overlap or
// touch are joined, so the parts sent never sum up to more than the representation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tidegate::http {

inline constexpr std::size_t kMaxRanges = 32;      // ranges in one request; players and PDF readers ask for a few
inline constexpr std::size_t kMaxOverlapping = 2;  // "more than two overlapping ranges" is the RFC's mark of abuse

/// Bytes `first` to `last`, both included. Always first <= last < length of the representation.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return last - first + 1; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

enum class RangeResult : std::uint8_t {
  kIgnored,        // not bytes, malformed or abusive: answer as if there were no Range
  kUnsatisfiable,  // 416 with `Content-Range: bytes */length`
  kSatisfiable,    // 206; `ranges` has at least one entry
};

class RangeSet {
 public:
  [[nodiscard]] std::span<const ByteRange> ranges() const noexcept { return {ranges_.data(), count_}; }

  /// Sum of the sizes; never more than the length of the representation.
  [[nodiscard]] std::uint64_t total_size() const noexcept;

 private:
  friend RangeResult parse_range(std::string_view, std::uint64_t, RangeSet&) noexcept;
  friend class RangeCollector;

  std::array<ByteRange, kMaxRanges> ranges_;
  std::size_t count_ = 0;
};

/// Reads the value of a Range field against a representation of `length` bytes (RFC 9110 section 14.1.2). A request with
/// two Range lines is malformed: do not call, ignore them. Ranges come out in the order asked for, joined where they
/// overlap or touch. A number too large for 64 bits counts as larger than any length.
///
/// On an empty representation every range that names a first byte is unsatisfiable. A suffix range such as `bytes=-5`
/// is satisfiable by the letter but has no Content-Range to describe it, so the field is ignored and 200 sent.
[[nodiscard]] RangeResult parse_range(std::string_view field, std::uint64_t length, RangeSet& out) noexcept;

/// Room for any value that format_content_range or format_unsatisfied_range writes.
inline constexpr std::size_t kContentRangeCapacity = 70;

/// "bytes 0-499/1234" (RFC 9110 section 14.4). Returns the view of what was written.
[[nodiscard]] std::string_view format_content_range(const ByteRange& range, std::uint64_t length,
                                                    std::span<char, kContentRangeCapacity> out) noexcept;

/// "bytes */1234", for a 416.
[[nodiscard]] std::string_view format_unsatisfied_range(std::uint64_t length,
                                                        std::span<char, kContentRangeCapacity> out) noexcept;

inline constexpr std::size_t kBoundarySize = 32;

/// Spells 128 random bits as a boundary of 32 hexadecimal digits. Randomness is what keeps the boundary out of the
/// content, so the bits must come from the system's entropy or a generator seeded by it.
void format_boundary(std::uint64_t random_high, std::uint64_t random_low, std::span<char, kBoundarySize> out) noexcept;

/// The pieces of a multipart/byteranges body (RFC 9110 section 14.6): for each range its part head, then its bytes; the
/// tail after the last. `content_type` is that of the representation and may be empty, and then is left out.
struct Multipart {
  std::string_view boundary;
  std::string_view content_type;
  std::uint64_t length = 0;  // of the whole representation

  /// Bytes that write_part_head needs at most.
  [[nodiscard]] std::size_t part_head_capacity() const noexcept;

  /// Writes the delimiter and fields before a part. Only the first part has no line break in front. Returns the view of
  /// what was written, or an empty view if `out` is too small.
  [[nodiscard]] std::string_view write_part_head(const ByteRange& range, bool is_first,
                                                 std::span<char> out) const noexcept;

  [[nodiscard]] std::size_t part_head_size(const ByteRange& range, bool is_first) const noexcept;

  /// The closing delimiter: CRLF "--" boundary "--" CRLF.
  [[nodiscard]] std::size_t tail_size() const noexcept { return boundary.size() + 8; }
  [[nodiscard]] std::string_view write_tail(std::span<char> out) const noexcept;

  /// Content-Length of the whole body for these ranges.
  [[nodiscard]] std::uint64_t body_size(std::span<const ByteRange> ranges) const noexcept;
};

}  // namespace tidegate::http
