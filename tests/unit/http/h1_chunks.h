// Decodes chunked bodies for tests and fuzzing, in pieces of any size, from memory of exactly the bytes at hand.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "http/h1/chunked_decoder.h"

namespace tidegate::http::h1 {

/// What came out of a body.
struct Decoded {
  ChunkStatus status = ChunkStatus::kNeedMore;  // kDone, kError, or kNeedMore when the text ended too early
  Rule rule = Rule::kNone;
  std::size_t consumed = 0;  // up to and with the end of the body
  std::string body;
  std::string trailers;  // "name: value|" for each
  std::uint32_t dropped = 0;

  friend bool operator==(const Decoded&, const Decoded&) = default;
};

/// Feeds `text` so that the decoder sees `first` bytes, then `step` more at a time, as a connection would: what it has
/// not consumed is there again.
inline Decoded decode_in_pieces(std::string_view text, std::size_t first, std::size_t step, const ChunkLimits& limits) {
  ChunkedDecoder decoder(limits);
  Decoded out;
  std::size_t start = 0;
  std::size_t end = first < text.size() ? first : text.size();
  while (true) {
    const std::size_t size = end - start;
    const std::unique_ptr<char[]> bytes(new char[size]);
    std::memcpy(bytes.get(), text.data() + start, size);
    FieldTable trailers;
    const ChunkResult result = decoder.next(bytes.get(), size, &trailers);
    start += result.consumed;
    out.status = result.status;
    out.rule = result.rule;
    out.body.append(result.data);
    if (result.status == ChunkStatus::kDone) {
      for (std::size_t i = 0; i < trailers.size(); ++i) {
        out.trailers.append(trailers.name(i)).append(": ").append(trailers.value(i)).append("|");
      }
      out.consumed = start;
      out.dropped = decoder.dropped_trailers();
    }
    if (result.status == ChunkStatus::kDone || result.status == ChunkStatus::kError) return out;
    if (result.status == ChunkStatus::kData) continue;
    if (end == text.size()) return out;
    end = text.size() - end < step ? text.size() : end + step;
  }
}

}  // namespace tidegate::http::h1
