// Fuzzes the decoder of chunked bodies: all ways to cut the bytes must agree, and so must a second decoder that is
// written straight from the grammar and works on whole lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "http/h1/chunked_decoder.h"
#include "http/semantics/chars.h"
#include "tests/unit/http/h1_chunks.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

struct Reference {
  std::size_t consumed = 0;
  std::string body;
  std::size_t trailers = 0;
};

void skip_space(std::string_view& line) {
  while (!line.empty() && is_ows(line.front())) line.remove_prefix(1);
}

bool skip_token(std::string_view& line) {
  std::size_t size = 0;
  while (size < line.size() && is_tchar(line[size])) ++size;
  line.remove_prefix(size);
  return size != 0;
}

bool skip_quoted(std::string_view& line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (is_control(line[i]) && line[i] != '\t') return false;
    if (line[i] == '"') {
      line.remove_prefix(i + 1);
      return true;
    }
    if (line[i] != '\\') continue;
    if (++i == line.size() || (is_control(line[i]) && line[i] != '\t')) return false;
  }
  return false;
}

// chunk-ext, up to the end of the line.
bool is_extensions(std::string_view line) {
  while (!line.empty()) {
    skip_space(line);
    if (!line.starts_with(';')) return false;
    line.remove_prefix(1);
    skip_space(line);
    if (!skip_token(line)) return false;
    std::string_view ahead = line;
    skip_space(ahead);
    if (!ahead.starts_with('=')) continue;
    line = ahead.substr(1);
    skip_space(line);
    if (!(line.starts_with('"') ? skip_quoted(line) : skip_token(line))) return false;
  }
  return true;
}

std::optional<std::uint64_t> size_of_chunk(std::string_view line) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; digits < line.size() && hex_value(line[digits]) >= 0; ++digits) {
    if (digits == 16) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(hex_value(line[digits]));
  }
  if (digits == 0 || value > INT64_MAX || !is_extensions(line.substr(digits))) return std::nullopt;
  return value;
}

bool is_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  for (const char c : line.substr(colon)) {
    if (is_control(c) && c != '\t') return false;
  }
  return true;
}

// The next line, without a CR or LF that is not its end.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  if (line.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
  text.remove_prefix(end + 2);
  return line;
}

// A complete, correct body at the beginning of `text`, or nothing. Knows no limits.
std::optional<Reference> decode_plainly(std::string_view text) {
  const std::size_t whole = text.size();
  Reference out;
  while (true) {
    const auto line = take_line(text);
    if (!line) return std::nullopt;
    const auto size = size_of_chunk(*line);
    if (!size) return std::nullopt;
    if (*size == 0) break;
    if (*size > text.size()) return std::nullopt;
    out.body.append(text.substr(0, *size));
    text.remove_prefix(*size);
    if (!text.starts_with("\r\n")) return std::nullopt;
    text.remove_prefix(2);
  }
  while (true) {
    const auto line = take_line(text);
    if (!line) return std::nullopt;
    if (line->empty()) break;
    if (!is_field(*line)) return std::nullopt;
    ++out.trailers;
  }
  out.consumed = whole - text.size();
  return out;
}

bool is_limit(Rule rule) {
  return rule == Rule::kChunkExtensionTooLong || rule == Rule::kTrailersTooLarge || rule == Rule::kTooManyTrailers ||
         rule == Rule::kForbiddenTrailer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  ChunkLimits limits;
  if (hash >> 30 == 0) limits = {hash & 15, hash >> 4 & 31, hash >> 9 & 63, hash >> 15 & 3};

  const Decoded whole = decode_in_pieces(text, size, 1, limits);
  require(decode_in_pieces(text, hash % (size + 1), size + 1, limits) == whole);
  require(decode_in_pieces(text, hash % 7, 1 + hash % 13, limits) == whole);
  if (size <= 600) require(decode_in_pieces(text, 0, 1, limits) == whole);

  const auto reference = decode_plainly(text);
  if (whole.status == ChunkStatus::kDone) {
    require(reference && reference->consumed == whole.consumed && reference->body == whole.body);
  } else {
    require(!reference || (whole.status == ChunkStatus::kError && is_limit(whole.rule)));
  }
  return 0;
}
