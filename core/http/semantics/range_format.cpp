// Writing Content-Range and multipart/byteranges. See range.h.
#include <algorithm>
#include <charconv>

#include "http/semantics/range.h"

namespace tidegate::http {
namespace {

constexpr std::string_view kDashes = "--";
constexpr std::string_view kBreak = "\r\n";
constexpr std::string_view kTypeField = "\r\nContent-Type: ";
constexpr std::string_view kRangeField = "\r\nContent-Range: ";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

// Appends to a buffer that the caller has measured.
struct Writer {
  char* at;

  void text(std::string_view piece) noexcept { at = std::copy(piece.begin(), piece.end(), at); }
  void number(std::uint64_t value) noexcept { at = std::to_chars(at, at + 20, value).ptr; }
};

std::size_t digits_of(std::uint64_t value) noexcept {
  std::size_t count = 1;
  while (value >= 10) {
    value /= 10;
    ++count;
  }
  return count;
}

std::size_t content_range_size(const ByteRange& range, std::uint64_t length) noexcept {
  return std::string_view("bytes -/").size() + digits_of(range.first) + digits_of(range.last) + digits_of(length);
}

}  // namespace

std::string_view format_content_range(const ByteRange& range, std::uint64_t length,
                                      std::span<char, kContentRangeCapacity> out) noexcept {
  Writer writer{out.data()};
  writer.text("bytes ");
  writer.number(range.first);
  writer.text("-");
  writer.number(range.last);
  writer.text("/");
  writer.number(length);
  return {out.data(), writer.at};
}

std::string_view format_unsatisfied_range(std::uint64_t length, std::span<char, kContentRangeCapacity> out) noexcept {
  Writer writer{out.data()};
  writer.text("bytes */");
  writer.number(length);
  return {out.data(), writer.at};
}

void format_boundary(std::uint64_t random_high, std::uint64_t random_low, std::span<char, kBoundarySize> out) noexcept {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (std::size_t i = 0; i < 16; ++i) {
    const auto shift = 60 - 4 * i;
    out[i] = kHex[(random_high >> shift) & 0x0F];
    out[16 + i] = kHex[(random_low >> shift) & 0x0F];
  }
}

std::size_t Multipart::part_head_capacity() const noexcept {
  return kBreak.size() + kDashes.size() + boundary.size() + kTypeField.size() + content_type.size() +
         kRangeField.size() + kContentRangeCapacity + kHeadEnd.size();
}

std::size_t Multipart::part_head_size(const ByteRange& range, bool is_first) const noexcept {
  const std::size_t type_size = content_type.empty() ? 0 : kTypeField.size() + content_type.size();
  return (is_first ? 0 : kBreak.size()) + kDashes.size() + boundary.size() + type_size + kRangeField.size() +
         content_range_size(range, length) + kHeadEnd.size();
}

std::string_view Multipart::write_part_head(const ByteRange& range, bool is_first, std::span<char> out) const noexcept {
  if (out.size() < part_head_size(range, is_first)) return {};
  Writer writer{out.data()};
  if (!is_first) writer.text(kBreak);
  writer.text(kDashes);
  writer.text(boundary);
  if (!content_type.empty()) {
    writer.text(kTypeField);
    writer.text(content_type);
  }
  writer.text(kRangeField);
  std::array<char, kContentRangeCapacity> content_range;
  writer.text(format_content_range(range, length, content_range));
  writer.text(kHeadEnd);
  return {out.data(), writer.at};
}

std::string_view Multipart::write_tail(std::span<char> out) const noexcept {
  if (out.size() < tail_size()) return {};
  Writer writer{out.data()};
  writer.text(kBreak);
  writer.text(kDashes);
  writer.text(boundary);
  writer.text(kDashes);
  writer.text(kBreak);
  return {out.data(), writer.at};
}

std::uint64_t Multipart::body_size(std::span<const ByteRange> ranges) const noexcept {
  std::uint64_t total = tail_size();
  bool is_first = true;
  for (const ByteRange& range : ranges) {
    total += part_head_size(range, is_first) + range.size();
    is_first = false;
  }
  return total;
}

}  // namespace tidegate::http
