// Parses heads for tests. Every head that a test looks at goes through the parser in all the ways that must agree: at
// once and byte by byte, at every scan level that this processor has, and from memory that ends with the last byte.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/h1/head_parser.h"
#include "tests/unit/http/h1_describe.h"

namespace tidegate::http::h1 {

inline std::vector<ScanLevel> available_levels() {
  std::vector<ScanLevel> levels;
  for (const ScanLevel level : {ScanLevel::kScalar, ScanLevel::kSse42, ScanLevel::kAvx2, ScanLevel::kNeon}) {
    if (scan_ops_at(level) != nullptr) levels.push_back(level);
  }
  return levels;
}

/// A copy in memory of exactly its size, so that the sanitizer sees every read beyond it.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    std::memcpy(bytes_.get(), text.data(), size_);
  }
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

inline Outcome parse_at_once(const ScanOps& ops, std::string_view text, const HeadLimits& limits) {
  const ExactBytes bytes(text);
  ScanState state;
  RequestHead head;
  return outcome_of(parse_request_head(ops, bytes.data(), bytes.size(), limits, state, head), head);
}

/// Feeds the pieces that end at `cuts` one after the other; the bytes move between two calls.
inline Outcome parse_in_pieces(const ScanOps& ops, std::string_view text, const std::vector<std::size_t>& cuts,
                               const HeadLimits& limits) {
  ScanState state;
  Outcome outcome{HeadStatus::kNeedMore, Rule::kNone, 0, ""};
  for (const std::size_t cut : cuts) {
    const ExactBytes bytes(text.substr(0, cut));
    RequestHead head;
    outcome = outcome_of(parse_request_head(ops, bytes.data(), bytes.size(), limits, state, head), head);
    if (outcome.status != HeadStatus::kNeedMore) break;
  }
  return outcome;
}

inline Outcome parse_byte_by_byte(const ScanOps& ops, std::string_view text, const HeadLimits& limits) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i <= text.size(); ++i) cuts.push_back(i);
  return parse_in_pieces(ops, text, cuts, limits);
}

/// The outcome of `text`, after it was found to be the same in all ways.
inline Outcome parse_all_ways(std::string_view text, const HeadLimits& limits = {}) {
  const Outcome expected = parse_at_once(scan_ops(), text, limits);
  for (const ScanLevel level : available_levels()) {
    CAPTURE(name_of(level));
    const ScanOps& ops = *scan_ops_at(level);
    CHECK(parse_at_once(ops, text, limits) == expected);
    const Outcome pieces = parse_byte_by_byte(ops, text, limits);
    CHECK(pieces.status == expected.status);
    CHECK(text_of(pieces.rule) == text_of(expected.rule));
    CHECK(pieces == expected);
  }
  return expected;
}

/// The text is refused for this rule.
inline void check_refused(std::string_view text, Rule rule, int status, const HeadLimits& limits = {}) {
  const std::string shown(text.substr(0, 200));
  CAPTURE(shown);
  const Outcome outcome = parse_all_ways(text, limits);
  CHECK(outcome.status == HeadStatus::kError);
  CHECK(text_of(outcome.rule) == text_of(rule));
  CHECK(status_of(outcome.rule) == status);
}

/// The whole text is one head that passes.
inline void check_accepted(std::string_view text, const HeadLimits& limits = {}) {
  const std::string shown(text.substr(0, 200));
  CAPTURE(shown);
  const Outcome outcome = parse_all_ways(text, limits);
  CHECK(outcome.status == HeadStatus::kDone);
  CHECK(text_of(outcome.rule) == "");
  CHECK(outcome.consumed == text.size());
}

/// A head that passes, kept with its bytes for a closer look.
class ParsedHead {
 public:
  explicit ParsedHead(std::string_view text, const HeadLimits& limits = {}) : bytes_(text) {
    check_accepted(text, limits);
    ScanState state;
    const ParseResult result = parse_request_head(bytes_.data(), bytes_.size(), limits, state, head_);
    REQUIRE(result.status == HeadStatus::kDone);
  }
  const RequestHead* operator->() const { return &head_; }
  const RequestHead& operator*() const { return head_; }
  std::string_view text(Span span) const { return head_.view(span); }

 private:
  std::string bytes_;
  RequestHead head_;
};

/// A request to host "a" with these field lines (each with its CRLF).
inline std::string get_with(std::string_view lines) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n";
}

}  // namespace tidegate::http::h1
