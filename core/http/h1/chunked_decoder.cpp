// The state machine of the chunked coding. See chunked_decoder.h.
//
// Size lines go byte by byte: they are short, and may be cut anywhere. Data goes in the largest pieces there are.
#include "http/h1/chunked_decoder.h"

#include <algorithm>
#include <limits>

#include "http/h1/aliases.h"
#include "http/h1/field_line.h"
#include "http/semantics/chars.h"

namespace tidegate::http::h1 {
namespace {

constexpr std::uint8_t kMaxDigits = 16;  // padding with zeros is a way to send an endless line
constexpr std::uint64_t kMaxChunk = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxData = std::size_t{1} << 30;  // offsets in a trailer section have 32 bits

}  // namespace

Rule ChunkedDecoder::go(Step step) noexcept {
  step_ = step;
  return Rule::kNone;
}

Rule ChunkedDecoder::take_size_byte(char c) noexcept {
  const int digit = hex_value(c);
  if (digit >= 0) {
    if (++digits_ > kMaxDigits) return Rule::kChunkSizeTooLarge;
    chunk_rest_ = chunk_rest_ << 4 | static_cast<unsigned>(digit);
    if (chunk_rest_ > kMaxChunk) return Rule::kChunkSizeTooLarge;
    return go(Step::kSize);
  }
  if (step_ == Step::kSizeStart) return c == '\n' ? Rule::kBareLf : Rule::kBadChunkSize;
  if (c == '\r') return go(Step::kSizeLf);
  if (c == '\n') return Rule::kBareLf;
  if (c != ';' && !is_ows(c)) return Rule::kBadChunkSize;
  return take_extension_byte(c);
}

// After a name or value: the next extension, white space before it, or the end of the line.
Rule ChunkedDecoder::end_extension_part(char c) noexcept {
  if (c == ';') return go(Step::kNameStart);
  if (is_ows(c)) return go(Step::kBeforeSemicolon);
  if (c == '\r') return go(Step::kSizeLf);
  return c == '\n' ? Rule::kBareLf : Rule::kBadChunkExtension;
}

// chunk-ext = *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ) (RFC 9112 section 7.1.1)
Rule ChunkedDecoder::take_extension_byte(char c) noexcept {
  if (c != '\r') {
    ++extension_size_;
    ++extensions_total_;
    if (extension_size_ > limits_.extension_size || extensions_total_ > limits_.extensions_total) {
      return Rule::kChunkExtensionTooLong;
    }
  }
  switch (step_) {
    case Step::kSize:
    case Step::kAfterQuoted: return end_extension_part(c);
    case Step::kBeforeSemicolon:
      if (is_ows(c)) return Rule::kNone;
      return c == ';' ? go(Step::kNameStart) : Rule::kBadChunkExtension;
    case Step::kNameStart:
      if (is_ows(c)) return Rule::kNone;
      return is_tchar(c) ? go(Step::kName) : Rule::kBadChunkExtension;
    case Step::kName:
      if (is_tchar(c)) return Rule::kNone;
      if (c == '=') return go(Step::kValueStart);
      return is_ows(c) ? go(Step::kAfterName) : end_extension_part(c);
    case Step::kAfterName:
      if (is_ows(c)) return Rule::kNone;
      if (c == '=') return go(Step::kValueStart);
      return c == ';' ? go(Step::kNameStart) : Rule::kBadChunkExtension;
    case Step::kValueStart:
      if (is_ows(c)) return Rule::kNone;
      if (c == '"') return go(Step::kQuoted);
      return is_tchar(c) ? go(Step::kToken) : Rule::kBadChunkExtension;
    case Step::kToken: return is_tchar(c) ? Rule::kNone : end_extension_part(c);
    case Step::kQuoted:
      if (c == '"') return go(Step::kAfterQuoted);
      if (c == '\\') return go(Step::kEscaped);
      return kValueBytes.contains(c) ? Rule::kNone : Rule::kBadChunkExtension;
    case Step::kEscaped: return kValueBytes.contains(c) ? go(Step::kQuoted) : Rule::kBadChunkExtension;
    default: return Rule::kBadChunkExtension;
  }
}

Rule ChunkedDecoder::take_end_byte(char c) noexcept {
  switch (step_) {
    case Step::kSizeLf:
      if (c != '\n') return Rule::kBareCr;
      digits_ = 0;
      extension_size_ = 0;
      return go(chunk_rest_ == 0 ? Step::kTrailers : Step::kData);
    case Step::kDataCr: return c == '\r' ? go(Step::kDataLf) : Rule::kBadChunkEnd;
    default: return c == '\n' ? go(Step::kSizeStart) : Rule::kBadChunkEnd;
  }
}

Rule ChunkedDecoder::take_line_byte(char c) noexcept {
  switch (step_) {
    case Step::kSizeStart:
    case Step::kSize: return take_size_byte(c);
    case Step::kSizeLf:
    case Step::kDataCr:
    case Step::kDataLf: return take_end_byte(c);
    default: return take_extension_byte(c);
  }
}

ChunkResult ChunkedDecoder::next(const char* data, std::size_t size, FieldTable* trailers) noexcept {
  std::size_t at = 0;
  while (step_ < Step::kTrailers && at < size) {
    if (step_ == Step::kData) {
      const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_rest_, size - at));
      chunk_rest_ -= piece;
      body_size_ += piece;
      if (chunk_rest_ == 0) step_ = Step::kDataCr;
      return {ChunkStatus::kData, Rule::kNone, at + piece, {data + at, piece}};
    }
    if (const Rule broken = take_line_byte(data[at]); broken != Rule::kNone) {
      step_ = Step::kFailed;
      return {ChunkStatus::kError, broken, at, {}};
    }
    ++at;
  }
  if (step_ != Step::kTrailers) return {ChunkStatus::kNeedMore, Rule::kNone, at, {}};
  ChunkResult result = read_trailers(data + at, size - at, trailers);
  result.consumed += at;
  return result;
}

ChunkResult ChunkedDecoder::read_trailers(const char* data, std::size_t size, FieldTable* trailers) noexcept {
  size = std::min(size, kMaxData);
  const bool is_resumed = trailer_cursor_.scanned != 0;
  Rule broken = Rule::kNone;
  if (trailers != nullptr) trailers->reset(data);
  Walk walk = walk_trailers(data, size, is_resumed ? nullptr : trailers, broken);
  const std::size_t end = trailer_cursor_.line_start;
  if (walk == Walk::kLine && is_resumed && trailers != nullptr) {
    // Only the last lines were seen in this call. All are here: read them once more, into the table.
    trailer_cursor_ = {};
    trailer_count_ = 0;
    dropped_ = 0;
    walk = walk_trailers(data, end, trailers, broken);
  }
  if (walk == Walk::kNeedMore) return {};
  if (walk == Walk::kError) {
    step_ = Step::kFailed;
    return {ChunkStatus::kError, broken, 0, {}};
  }
  if (trailers != nullptr) dropped_ += drop_aliases(scan_ops(), *trailers);
  step_ = Step::kDone;
  return {ChunkStatus::kDone, Rule::kNone, end, {}};
}

// kLine: the empty line was reached.
Walk ChunkedDecoder::walk_trailers(const char* data, std::size_t size, FieldTable* trailers, Rule& rule) noexcept {
  LineWalker walker(scan_ops(), data, size, trailer_cursor_);
  while (true) {
    const LineKind kind = trailer_count_ == 0 ? LineKind::kFirstField : LineKind::kField;
    Line line;
    const Walk walk = walker.next(kind, limits_.trailer_size, Rule::kTrailersTooLarge, line);
    rule = walker.rule();
    if (walk == Walk::kError) return walk;
    trailer_cursor_ = walker.cursor();
    if (walk == Walk::kNeedMore || line.start == line.end) return walk;
    rule = take_trailer(data, line, trailers);
    if (rule != Rule::kNone) return Walk::kError;
  }
}

Rule ChunkedDecoder::take_trailer(const char* data, const Line& line, FieldTable* trailers) noexcept {
  if (const Rule broken = check_field_line(data, line); broken != Rule::kNone) return broken;
  if (trailer_count_ == std::min<std::size_t>(limits_.trailer_count, FieldTable::kMaxFields)) {
    return Rule::kTooManyTrailers;
  }
  ++trailer_count_;
  const KnownField id = known_field({data + line.start, line.name_end - line.start});
  switch (id) {
    case KnownField::kContentLength:
    case KnownField::kTransferEncoding:
    case KnownField::kHost: return Rule::kForbiddenTrailer;
    default: break;
  }
  if (is_forbidden_in_trailers(id)) {
    ++dropped_;
    return Rule::kNone;
  }
  if (trailers != nullptr) append_field_line(data, line, id, *trailers);
  return Rule::kNone;
}

}  // namespace tidegate::http::h1
