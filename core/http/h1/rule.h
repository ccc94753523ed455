// The rules of the HTTP/1.1 syntax that a peer can break, each with the status to answer and a sentence for the log.
//
// Owner: http/h1. Thread: any. Constant table.
// Invariant: a rule is written once, in the list below; a broken rule always ends the connection after the answer,
// since what follows on it can no longer be told apart with certainty (RFC 9112 section 11.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace tidegate::http::h1 {

// One line a rule: enumerator, status, sentence.
#define TIDEGATE_H1_RULES(X)                                                                                        \
  /* bytes of the head */                                                                                           \
  X(kBareLf, 400, "bare LF: lines end with CRLF (RFC 9112 section 2.2)")                                            \
  X(kBareCr, 400, "bare CR: lines end with CRLF (RFC 9112 section 2.2)")                                            \
  X(kControlCharacter, 400, "control character in the head (RFC 9110 section 5.5)")                                 \
  /* request line */                                                                                                \
  X(kEmptyRequestLine, 400, "more than one empty line before the request line (RFC 9112 section 2.2)")              \
  X(kBadMethod, 400, "the method is not a token followed by one space (RFC 9112 section 3.1)")                      \
  X(kBadTarget, 400, "character in the request target that a URI cannot have (RFC 9112 section 3.2)")               \
  X(kBadTargetForm, 400, "the request target has none of the four forms (RFC 9112 section 3.2)")                    \
  X(kBadTargetAuthority, 400, "invalid host or port in the request target (RFC 9110 section 4.2)")                  \
  X(kBadTargetScheme, 400, "the request target has a scheme other than http and https (RFC 9110 section 4.2)")      \
  X(kConnectTarget, 400, "CONNECT needs host:port as its target (RFC 9112 section 3.2.3)")                          \
  X(kAsteriskTarget, 400, "target * is for OPTIONS only (RFC 9112 section 3.2.4)")                                  \
  X(kMissingVersion, 400, "no protocol version: HTTP/0.9 is not supported (RFC 9112 section 2.3)")                  \
  X(kBadVersion, 400, "the request line does not end with HTTP/digit.digit (RFC 9112 section 2.3)")                 \
  X(kUnsupportedVersion, 505, "major protocol version other than 1 (RFC 9110 section 15.6.6)")                      \
  X(kHttp2Preface, 505, "the HTTP/2 connection preface (RFC 9113 section 3.4)")                                     \
  X(kRequestLineTooLong, 414, "the request line is longer than limits.request_line_size")                           \
  /* field lines */                                                                                                 \
  X(kLeadingWhitespace, 400, "white space before the first field (RFC 9112 section 2.2)")                           \
  X(kFoldedField, 400, "folded field line (RFC 9112 section 5.2)")                                                  \
  X(kSpaceBeforeColon, 400, "white space between field name and colon (RFC 9112 section 5.1)")                      \
  X(kEmptyFieldName, 400, "empty field name (RFC 9110 section 5.1)")                                                \
  X(kBadFieldName, 400, "character in a field name that a token cannot have (RFC 9110 section 5.1)")                \
  X(kMissingColon, 400, "field line without a colon (RFC 9112 section 5)")                                          \
  X(kFieldsTooLarge, 431, "the fields are larger than limits.header_size")                                          \
  X(kTooManyFields, 431, "more fields than limits.header_count")                                                    \
  X(kFieldNameTooLong, 431, "a field name is longer than 65535 bytes")                                              \
  /* meaning of the fields */                                                                                       \
  X(kMissingHost, 400, "no Host field (RFC 9112 section 3.2)")                                                      \
  X(kRepeatedHost, 400, "more than one Host field (RFC 9112 section 3.2)")                                          \
  X(kBadHost, 400, "invalid Host value (RFC 9110 section 7.2)")                                                     \
  X(kBadContentLength, 400, "Content-Length is not a decimal number (RFC 9110 section 8.6)")                        \
  X(kContentLengthTooLarge, 400, "Content-Length is above 9223372036854775807 (RFC 9112 section 6.3)")              \
  X(kRepeatedContentLength, 400, "more than one Content-Length, even if equal (RFC 9112 section 6.3)")              \
  X(kLengthAndCoding, 400, "both Content-Length and Transfer-Encoding (RFC 9112 section 6.1)")                      \
  X(kCodingInHttp10, 400, "Transfer-Encoding in an HTTP/1.0 message (RFC 9112 section 6.1)")                        \
  X(kBadTransferEncoding, 400, "Transfer-Encoding is not a list that ends with one chunked (RFC 9112 section 6.1)") \
  X(kUnknownCoding, 501, "transfer coding other than chunked (RFC 9112 section 6.1)")                               \
  X(kUnknownExpectation, 417, "expectation other than 100-continue (RFC 9110 section 10.1.1)")                      \
  /* chunked bodies */                                                                                              \
  X(kBadChunkSize, 400, "the chunk size is not a hexadecimal number (RFC 9112 section 7.1)")                        \
  X(kChunkSizeTooLarge, 400, "the chunk size has more than 16 digits or is above 2^63-1 (RFC 9112 section 7.1)")    \
  X(kBadChunkExtension, 400, "malformed chunk extension (RFC 9112 section 7.1.1)")                                  \
  X(kChunkExtensionTooLong, 400, "chunk extensions are longer than the limit (RFC 9112 section 7.1.1)")             \
  X(kBadChunkEnd, 400, "chunk size line or chunk data not ended by CRLF (RFC 9112 section 7.1)")                    \
  X(kForbiddenTrailer, 400, "a trailer field that would change the framing (RFC 9110 section 6.5.1)")               \
  X(kTrailersTooLarge, 431, "the trailer section is larger than its limit")                                         \
  X(kTooManyTrailers, 431, "more trailer fields than the limit")

enum class Rule : std::uint8_t {
  kNone,
#define TIDEGATE_ENUMERATOR(id, status, text) id,
  TIDEGATE_H1_RULES(TIDEGATE_ENUMERATOR)
#undef TIDEGATE_ENUMERATOR
};

/// HTTP status to answer when the rule is broken; 0 for kNone.
[[nodiscard]] std::uint16_t status_of(Rule rule) noexcept;

/// A short English sentence with static life, for the log; empty for kNone. The view is terminated by a zero byte.
[[nodiscard]] std::string_view text_of(Rule rule) noexcept;

}  // namespace tidegate::http::h1
