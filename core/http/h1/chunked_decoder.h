// The decoder of chunked request bodies with their trailers (RFC 9112 section 7.1).
//
// Owner: the body source of one HTTP/1.1 exchange. Thread: that of the connection.
// Invariants: body bytes are handed out in place, never copied; every byte is looked at once. The answer depends only on
// the bytes, not on how they were cut. After kError or kDone the decoder takes nothing more until reset().
// Strict: CRLF only, 1 to 16 hexadecimal digits, white space only where chunk-ext has it, extensions by their grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/field_table.h"
#include "http/h1/line_walker.h"
#include "http/h1/rule.h"

namespace tidegate::http::h1 {

/// Limits of one chunked body. A value of n lets n pass and refuses n+1.
struct ChunkLimits {
  /// Bytes of extensions, from the byte after the size to the CR, in one chunk and in the whole body. Nothing that is
  /// in use sends any; without a limit they are a way to keep a server busy for free.
  std::uint32_t extension_size = 256;
  std::uint32_t extensions_total = 4096;
  /// Bytes of all trailer lines with their CRLF, and their number.
  std::uint32_t trailer_size = 8 * 1024;
  std::uint32_t trailer_count = 64;
};

enum class ChunkStatus : std::uint8_t { kNeedMore, kData, kDone, kError };

struct ChunkResult {
  ChunkStatus status = ChunkStatus::kNeedMore;
  Rule rule = Rule::kNone;   // for kError
  std::size_t consumed = 0;  // bytes that the decoder is done with; the next call begins behind them
  std::string_view data;     // for kData: body bytes, the last ones of those consumed; never empty
};

class ChunkedDecoder {
 public:
  ChunkedDecoder() noexcept = default;
  explicit ChunkedDecoder(const ChunkLimits& limits) noexcept : limits_(limits) {}

  /// Ready for the next body.
  void reset() noexcept { *this = ChunkedDecoder(limits_); }

  /// Takes bytes up to the end of the next piece of body.
  ///
  /// kData: use `data`, then call again with what follows `consumed`.
  /// kNeedMore: call again when there are bytes behind `consumed`. A trailer section is read in one piece, as a head
  /// is: as long as it is incomplete its bytes are not consumed and must be there again, with more behind them.
  /// kDone: the body ended; bytes behind `consumed` belong to the next request. `trailers`, if not null, has the
  /// trailer fields, over the bytes of this call. Those that a trailer section must not set (RFC 9110 section 6.5.1)
  /// and aliases of other names are left out and counted in dropped_trailers(); Content-Length, Transfer-Encoding and
  /// Host there are an error.
  /// kError: answer status_of(rule) if nothing has been sent yet, and close.
  [[nodiscard]] ChunkResult next(const char* data, std::size_t size, FieldTable* trailers) noexcept;

  /// Body bytes handed out so far.
  [[nodiscard]] std::uint64_t body_size() const noexcept { return body_size_; }

  /// Body bytes of the current chunk that are still to come.
  [[nodiscard]] std::uint64_t chunk_rest() const noexcept { return step_ == Step::kData ? chunk_rest_ : 0; }

  [[nodiscard]] std::uint32_t dropped_trailers() const noexcept { return dropped_; }

 private:
  enum class Step : std::uint8_t {
    kSizeStart,        // the first digit
    kSize,             // digits, or what ends them
    kBeforeSemicolon,  // white space that only a ';' may end
    kNameStart,        // extension: white space, then the name
    kName,
    kAfterName,  // white space between name and '='
    kValueStart,
    kToken,
    kQuoted,
    kEscaped,
    kAfterQuoted,
    kSizeLf,
    kData,
    kDataCr,
    kDataLf,
    kTrailers,
    kDone,
    kFailed,
  };

  [[nodiscard]] Rule take_line_byte(char c) noexcept;
  [[nodiscard]] Rule take_size_byte(char c) noexcept;
  [[nodiscard]] Rule take_extension_byte(char c) noexcept;
  [[nodiscard]] Rule end_extension_part(char c) noexcept;
  [[nodiscard]] Rule take_end_byte(char c) noexcept;
  [[nodiscard]] Rule go(Step step) noexcept;
  [[nodiscard]] ChunkResult read_trailers(const char* data, std::size_t size, FieldTable* trailers) noexcept;
  [[nodiscard]] Walk walk_trailers(const char* data, std::size_t size, FieldTable* trailers, Rule& rule) noexcept;
  [[nodiscard]] Rule take_trailer(const char* data, const Line& line, FieldTable* trailers) noexcept;

  ChunkLimits limits_;
  Step step_ = Step::kSizeStart;
  std::uint8_t digits_ = 0;           // of the chunk size being read
  std::uint32_t extension_size_ = 0;  // bytes in this chunk's line
  std::uint32_t extensions_total_ = 0;
  std::uint32_t trailer_count_ = 0;
  std::uint32_t dropped_ = 0;
  LineCursor trailer_cursor_;  // relative to the start of the trailer section
  std::uint64_t chunk_rest_ = 0;
  std::uint64_t body_size_ = 0;
};

}  // namespace tidegate::http::h1
