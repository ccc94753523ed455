// The strict parser of HTTP/1.x request heads (RFC 9112 sections 2 to 7, RFC 9110).
//
// Owner: the HTTP/1.1 connection. Thread: that of the connection.
// Invariants: bytes are never copied and never read beyond data + size. No allocation for up to 64 fields. The answer
// depends only on the bytes, not on how they were cut: a head that comes byte by byte gives the same head or the same
// broken rule as one that comes at once, as early as the bytes allow. A client that sends single bytes costs a constant
// for each, since the scan goes on where it stopped; when such a head is complete it is read once more.
//
// What is refused, with which status and why: rule.h. Names that could pass for others: aliases.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "http/h1/line_walker.h"
#include "http/h1/request_head.h"
#include "http/h1/rule.h"
#include "http/h1/scan.h"

namespace tidegate::http::h1 {

/// Limits of one head. A value of n lets n pass and refuses n+1.
struct HeadLimits {
  /// Bytes of the request line without CRLF; beyond: 414. 16 KiB holds any URL that a browser or CDN lets through.
  std::uint32_t request_line_size = 16 * 1024;
  /// Bytes of all field lines with their CRLF, without the empty line; beyond: 431.
  std::uint32_t header_size = 64 * 1024;
  /// Field lines; beyond: 431. At most FieldTable::kMaxFields.
  std::uint32_t header_count = 128;
  /// Lets names through that are aliases of others (aliases.h).
  bool keeps_aliases = false;

  /// The most bytes that a head within these limits takes: what a connection must be able to hold in one piece.
  [[nodiscard]] constexpr std::size_t max_head_size() const noexcept {
    return std::size_t{request_line_size} + header_size + 6;  // empty line before, CRLF of the line, empty line after
  }
};

enum class HeadStatus : std::uint8_t { kNeedMore, kDone, kError };

struct ParseResult {
  HeadStatus status = HeadStatus::kNeedMore;
  Rule rule = Rule::kNone;   // for kError; status_of(rule) is the answer to send, text_of(rule) the reason
  std::size_t consumed = 0;  // for kDone: bytes of the head with its empty line
};

/// What is kept of an incomplete head between two calls. A default value starts a new head.
struct ScanState {
  LineCursor cursor;
  std::uint32_t fields_start = 0;  // 0 until the request line is complete
  std::uint32_t field_count = 0;
  bool is_started = false;
};

/// Parses one request head at the beginning of [data, data + size).
///
/// kNeedMore: no complete head yet, nothing wrong so far; call again with the same bytes and more behind them. They may
/// have moved. `out` holds nothing of use and need not be kept.
/// kDone: `out` describes the head, over `data`; `state` is as new, for the head that follows at data + consumed.
/// kError: answer status_of(rule) and close; Rule::kHttp2Preface means that the peer speaks HTTP/2.
/// One empty line before the request line is skipped (RFC 9112 section 2.2).
[[nodiscard]] ParseResult parse_request_head(const char* data, std::size_t size, const HeadLimits& limits,
                                             ScanState& state, RequestHead& out) noexcept;

/// The same at a given scan level, for tests.
[[nodiscard]] ParseResult parse_request_head(const ScanOps& ops, const char* data, std::size_t size,
                                             const HeadLimits& limits, ScanState& state, RequestHead& out) noexcept;

}  // namespace tidegate::http::h1
