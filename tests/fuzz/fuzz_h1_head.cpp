// Fuzzes the parser of request heads: all scan levels, all ways to cut the bytes and a second, naive reading of the
// text must agree, and what the head says must lie inside the bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "http/authority.h"
#include "http/h1/head_parser.h"
#include "http/semantics/chars.h"
#include "tests/unit/http/h1_describe.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// Parses a copy of exactly these bytes, so that the sanitizer sees every read beyond them.
Outcome parse(const ScanOps& ops, std::string_view text, const HeadLimits& limits, ScanState& state) {
  const std::unique_ptr<char[]> bytes(new char[text.size()]);
  std::memcpy(bytes.get(), text.data(), text.size());
  RequestHead head;
  return outcome_of(parse_request_head(ops, bytes.get(), text.size(), limits, state, head), head);
}

Outcome parse_in_steps(std::string_view text, const HeadLimits& limits, std::size_t first, std::size_t step) {
  ScanState state;
  std::size_t end = first;
  while (true) {
    const Outcome outcome = parse(scan_ops(), text.substr(0, end), limits, state);
    if (outcome.status != HeadStatus::kNeedMore || end >= text.size()) return outcome;
    end += step;
  }
}

// The bytes of a head that passed, read once more by plain splitting.
void check_text(std::string_view text, const RequestHead& head, std::size_t fields_dropped) {
  require(text.ends_with("\r\n\r\n"));
  if (text.starts_with("\r\n")) text.remove_prefix(2);
  text.remove_suffix(2);
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(line.size() + 2);
    require(!line.empty());
    for (const char c : line) require(!is_control(c) || (c == '\t' && lines != 0));
    if (lines++ == 0) {
      const std::size_t first = line.find(' ');
      const std::size_t last = line.rfind(' ');
      require(first != std::string_view::npos && last > first && line.find(' ', first + 1) == last);
      require(line.substr(0, first) == head.view(head.method_token) && is_token(line.substr(0, first)));
      require(line.substr(first + 1, last - first - 1) == head.view(head.target));
      require(line.substr(last + 1).starts_with("HTTP/1."));
    } else {
      require(is_token(line.substr(0, line.find(':'))));
      if (fields_dropped == 0) {
        require(line.substr(0, line.find(':')) == head.fields.name(lines - 2));
        require(trim_ows(line.substr(line.find(':') + 1)) == head.fields.value(lines - 2));
      }
    }
  }
  require(lines - 1 == head.fields.size() + fields_dropped);
}

void check_meaning(const RequestHead& head) {
  const FieldTable& fields = head.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) require(fields.id(i) == known_field(fields.name(i)));
  require(fields.count(KnownField::kHost) == 1 ||
          (head.version == Version::kHttp10 && !fields.contains(KnownField::kHost)));
  require(head.host.empty() || parse_authority(head.view(head.host)));
  require(fields.count(KnownField::kContentLength) <= 1);
  require(!fields.contains(KnownField::kContentLength) || !fields.contains(KnownField::kTransferEncoding));
  require((head.body == BodyKind::kChunked) == fields.contains(KnownField::kTransferEncoding));
  require((head.body == BodyKind::kLength) == fields.contains(KnownField::kContentLength));
  require(head.content_length <= INT64_MAX);
  require(head.target_form != TargetForm::kOrigin || head.view(head.target).starts_with(head.view(head.path)));
  require(head.target_form != TargetForm::kOrigin || head.request_path().starts_with('/'));
}

HeadLimits limits_for(std::uint32_t choice) {
  HeadLimits limits;
  if ((choice & 3) == 1) limits.request_line_size = choice >> 2 & 63;
  if ((choice & 3) == 2) limits.header_size = choice >> 2 & 127;
  if ((choice & 3) == 3) limits.header_count = choice >> 2 & 7;
  limits.keeps_aliases = (choice >> 12 & 1) != 0;
  return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::uint32_t hash = 2166136261U;  // limits and cuts are chosen by the bytes, so that any text is an input
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  const HeadLimits limits = (hash >> 28) < 8 ? HeadLimits{} : limits_for(hash);

  while (true) {
    ScanState state;
    const Outcome whole = parse(scan_ops(), text, limits, state);
    for (const ScanLevel level : {ScanLevel::kScalar, ScanLevel::kSse42, ScanLevel::kAvx2, ScanLevel::kNeon}) {
      ScanState again;
      if (scan_ops_at(level) != nullptr) require(parse(*scan_ops_at(level), text, limits, again) == whole);
    }
    require(parse_in_steps(text, limits, hash % (text.size() + 1), text.size() + 1) == whole);
    if (text.size() <= 600) require(parse_in_steps(text, limits, 0, 1) == whole);
    if (whole.status == HeadStatus::kError) require(status_of(whole.rule) >= 400 && !text_of(whole.rule).empty());
    if (whole.status != HeadStatus::kDone) return 0;
    require(whole.consumed <= text.size() && whole.consumed <= limits.max_head_size());

    RequestHead head;
    ScanState third;
    require(parse_request_head(text.data(), text.size(), limits, third, head).status == HeadStatus::kDone);
    check_text(text.substr(0, whole.consumed), head, head.dropped_aliases);
    check_meaning(head);
    text.remove_prefix(whole.consumed);
  }
}
