// Walks the lines of a head or trailer section by the bit masks of the vector scan.
//
// Owner: the parser that runs it, on its stack. Thread: any.
// Invariants: bytes are looked at strictly from left to right, and what the walker reports depends only on the bytes up
// to the point of the report. So a head that comes in pieces gives the same lines and the same error as one that comes
// at once; a walker continues where another stopped from a LineCursor. Each byte is classified once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "http/h1/rule.h"
#include "http/h1/scan.h"

namespace tidegate::http::h1 {

/// Where a walk stands: all that is kept between two reads. Offsets from the start of the data.
struct LineCursor {
  std::uint32_t line_start = 0;  // first byte of the line that is not complete
  std::uint32_t name_end = 0;    // its first byte that is no token character, if has_name
  std::uint32_t scanned = 0;     // bytes below this have been looked at
  bool has_name = false;
};

/// A complete line without its CRLF. `name_end` is the first byte that is no token character, at most `end`.
struct Line {
  std::uint32_t start;
  std::uint32_t name_end;
  std::uint32_t end;
};

enum class Walk : std::uint8_t { kLine, kNeedMore, kError };

/// What a line's first token must be followed by.
enum class LineKind : std::uint8_t { kRequest, kFirstField, kField };

class LineWalker {
 public:
  /// `size` must fit 32 bits.
  LineWalker(const ScanOps& ops, const char* data, std::size_t size, const LineCursor& cursor) noexcept
      : ops_(ops), data_(data), size_(size), window_start_(cursor.scanned), window_end_(cursor.scanned), at_(cursor) {}

  /// The next line. Bytes at offsets above `limit` belong to no line: if the walk gets there the error is `over_limit`.
  /// The rule that was broken is in rule() after kError.
  Walk next(LineKind kind, std::size_t limit, Rule over_limit, Line& line) noexcept {
    if (!at_.has_name) {
      const std::size_t end = find(masks_.nontoken, at_.scanned);
      if (end > limit) return fail(over_limit);
      if (end == size_) return wait();
      if (const Rule broken = check_name_end(kind, end); broken != Rule::kNone) return fail(broken);
      at_.name_end = static_cast<std::uint32_t>(end);
      at_.scanned = at_.name_end;
      at_.has_name = true;
    }
    const std::size_t end = find(masks_.control, at_.scanned);
    if (end > limit) return fail(over_limit);
    if (end == size_) return wait();
    if (data_[end] != '\r') return fail(data_[end] == '\n' ? Rule::kBareLf : Rule::kControlCharacter);
    if (end + 1 == size_) {
      at_.scanned = static_cast<std::uint32_t>(end);
      return Walk::kNeedMore;
    }
    if (data_[end + 1] != '\n') return fail(Rule::kBareCr);
    line = {at_.line_start, at_.name_end, static_cast<std::uint32_t>(end)};
    at_.line_start = at_.scanned = line.end + 2;
    at_.has_name = false;
    return Walk::kLine;
  }

  /// Where to go on when more bytes have come. Valid after kLine and kNeedMore.
  [[nodiscard]] const LineCursor& cursor() const noexcept { return at_; }
  [[nodiscard]] Rule rule() const noexcept { return rule_; }

 private:
  using Words = std::array<std::uint64_t, LineMasks::kWords>;

  // Position of the first bit at or after `from`, or size_ if there is none.
  [[nodiscard]] std::size_t find(const Words& words, std::size_t from) noexcept {
    while (true) {
      if (from >= window_end_) {
        if (from >= size_) return size_;
        load(from);
      }
      const std::size_t word = (from - window_start_) / 64;
      const std::uint64_t bits = words[word] >> ((from - window_start_) % 64);
      if (bits != 0) return from + static_cast<std::size_t>(std::countr_zero(bits));
      from = window_start_ + (word + 1) * 64;
    }
  }

  // Classifies the bytes from `from` on: few at first, since heads are short and others may follow in the buffer.
  void load(std::size_t from) noexcept {
    const std::size_t rest = size_ - from;
    const std::size_t count = rest < next_window_ ? rest : next_window_;
    ops_.classify(data_ + from, count, masks_);
    window_start_ = from;
    window_end_ = from + count;
    if (next_window_ < LineMasks::kBytes) next_window_ *= 2;
  }

  // The byte after the first token of a line. A control is left to the search for the line's end, which names it.
  [[nodiscard]] Rule check_name_end(LineKind kind, std::size_t end) const noexcept {
    const char c = data_[end];
    if (!kValueBytes.contains(c)) return Rule::kNone;
    const bool is_empty = end == at_.line_start;
    if (kind == LineKind::kRequest) return c == ' ' && !is_empty ? Rule::kNone : Rule::kBadMethod;
    if (c == ':') return is_empty ? Rule::kEmptyFieldName : Rule::kNone;
    if (c != ' ' && c != '\t') return Rule::kBadFieldName;
    if (!is_empty) return Rule::kSpaceBeforeColon;
    return kind == LineKind::kFirstField ? Rule::kLeadingWhitespace : Rule::kFoldedField;
  }

  // All bytes have been looked at, and none of them is above the limit.
  Walk wait() noexcept {
    at_.scanned = static_cast<std::uint32_t>(size_);
    return Walk::kNeedMore;
  }

  Walk fail(Rule rule) noexcept {
    rule_ = rule;
    return Walk::kError;
  }

  const ScanOps& ops_;
  const char* data_;
  std::size_t size_;
  std::size_t window_start_;
  std::size_t window_end_;
  std::size_t next_window_ = 128;
  LineCursor at_;
  Rule rule_ = Rule::kNone;
  LineMasks masks_;
};

}  // namespace tidegate::http::h1
