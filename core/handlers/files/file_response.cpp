#include "handlers/files/file_response.h"

#include <array>
#include <memory>
#include <span>

#include "base/clock.h"
#include "handlers/files/file_body.h"
#include "http/semantics/conditional.h"
#include "http/semantics/negotiation.h"
#include "http/semantics/range.h"
#include "pipeline/routed_exchange.h"
#include "pipeline/runner.h"
#include "sys/entropy.h"

namespace tidegate::handlers {

namespace {

using http::KnownField;
using pipeline::RoutedExchange;
using pipeline::Verdict;

constexpr std::uint64_t kPreconditionFields = http::bit_of(KnownField::kIfMatch) | http::bit_of(KnownField::kIfNoneMatch) |
                                              http::bit_of(KnownField::kIfModifiedSince) |
                                              http::bit_of(KnownField::kIfUnmodifiedSince);

// The lines of one field; those beyond the eighth are not looked at.
class Lines {
 public:
  Lines(const http::FieldTable& fields, KnownField id) {
    fields.for_each(id, [this](std::string_view value) {
      if (count_ < lines_.size()) lines_[count_++] = value;
    });
  }
  [[nodiscard]] std::span<const std::string_view> span() const { return {lines_.data(), count_}; }

 private:
  std::array<std::string_view, 8> lines_;
  std::size_t count_ = 0;
};

// One response being put together.
class FileResponse {
 public:
  FileResponse(RoutedExchange& exchange, const LocalFile& file, base::Pin pin, const FilesSettings& settings)
      : exchange_(exchange), entry_(*file.entry), pin_(pin), settings_(settings), one_(choose()) {}

  Verdict respond() {
    const http::FieldTable& fields = *exchange_.fields;
    if (exchange_.error_status == 0) {
      if (fields.contains_any(kPreconditionFields)) {
        const http::Precondition outcome = evaluate();
        if (outcome == http::Precondition::kNotModified) return not_modified();
        if (outcome == http::Precondition::kPreconditionFailed) return fail(412, "a precondition of the request does not hold");
      }
      const bool ranged = fields.contains(KnownField::kRange) && exchange_.request.method == http::Method::kGet;
      if (ranged && !fields.is_repeated(KnownField::kRange) && may_use_range()) {
        http::RangeSet* set = std::construct_at(exchange_.arena.allocate_array<http::RangeSet>(1));
        const auto outcome = http::parse_range(*fields.find(KnownField::kRange), one_.stat.size, *set);
        if (outcome == http::RangeResult::kUnsatisfiable) return unsatisfiable();
        if (outcome == http::RangeResult::kSatisfiable) return partial(*set);
      }
    }
    return whole();
  }

 private:
  const Representation& choose() const {
    if (!entry_.has_sidecars()) return entry_.plain();
    const Lines lines(*exchange_.fields, KnownField::kAcceptEncoding);
    std::array<http::ContentCoding, http::kContentCodingCount> available;
    std::size_t count = 0;
    for (const SidecarCoding wanted : settings_.precompressed) {
      const auto coding = wanted == SidecarCoding::kBrotli ? http::ContentCoding::kBrotli
                          : wanted == SidecarCoding::kZstd ? http::ContentCoding::kZstd
                                                           : http::ContentCoding::kGzip;
      if (entry_.representations[static_cast<std::size_t>(coding)].present) available[count++] = coding;
    }
    available[count++] = http::ContentCoding::kIdentity;
    const auto chosen = http::choose_coding(http::parse_accept_encoding(lines.span()), {available.data(), count});
    return entry_.representations[static_cast<std::size_t>(chosen.value_or(http::ContentCoding::kIdentity))];
  }

  [[nodiscard]] http::Validators validators(std::int64_t now_s) const {
    return {.etag = one_.etag,
            .last_modified_s = one_.last_modified_s,
            .is_last_modified_strong = http::is_modification_time_strong(one_.last_modified_s, now_s)};
  }

  [[nodiscard]] http::Precondition evaluate() const {
    const http::FieldTable& fields = *exchange_.fields;
    const Lines if_match(fields, KnownField::kIfMatch);
    const Lines if_none_match(fields, KnownField::kIfNoneMatch);
    const Lines if_modified_since(fields, KnownField::kIfModifiedSince);
    const Lines if_unmodified_since(fields, KnownField::kIfUnmodifiedSince);
    const std::int64_t now_s = base::wall_s();
    return http::evaluate_preconditions({.if_match = if_match.span(),
                                         .if_none_match = if_none_match.span(),
                                         .if_modified_since = if_modified_since.span(),
                                         .if_unmodified_since = if_unmodified_since.span(),
                                         .if_range = {}},
                                        validators(now_s), true, now_s);
  }

  [[nodiscard]] bool may_use_range() const {
    const Lines if_range(*exchange_.fields, KnownField::kIfRange);
    const std::int64_t now_s = base::wall_s();
    http::ConditionalFields conditions;
    conditions.if_range = if_range.span();
    return http::may_use_range(conditions, validators(now_s), now_s);
  }

  Verdict fail(std::uint16_t status, std::string_view hint) {
    pin_.drop();
    return exchange_.runner->fail(exchange_, status, hint);
  }

  Verdict not_modified() {
    exchange_.response.status = 304;
    exchange_.response.add_block(one_.cache_fields);
    // The fields are the entry's: they must last until the head is written, which is before the pin of the body goes.
    exchange_.response.body.pin = pin_;
    return Verdict::kResponded;
  }

  Verdict unsatisfiable() {
    auto* text = exchange_.arena.allocate_array<char>(http::kContentRangeCapacity);
    exchange_.add_field("Content-Range", http::format_unsatisfied_range(
                                             one_.stat.size, std::span<char, http::kContentRangeCapacity>(text, http::kContentRangeCapacity)));
    return fail(416, "the range lies behind the end of the file");
  }

  Verdict whole() {
    exchange_.response.add_block(one_.fields);
    exchange_.response.add_block(one_.cache_fields);
    if (one_.in_memory()) {
      exchange_.response.body.bytes = one_.content();
      exchange_.response.body.pin = pin_;
      return Verdict::kResponded;
    }
    auto* range = exchange_.arena.allocate_array<http::ByteRange>(1);
    *range = {0, one_.stat.size - 1};
    send_ranges({range, 1}, nullptr, one_.stat.size);
    return Verdict::kResponded;
  }

  Verdict partial(const http::RangeSet& set) {
    exchange_.response.status = 206;
    exchange_.response.add_block(one_.cache_fields);
    const auto ranges = set.ranges();
    if (ranges.size() > 1) return multipart(ranges);
    exchange_.response.add_block(one_.fields);
    auto* text = exchange_.arena.allocate_array<char>(http::kContentRangeCapacity);
    exchange_.add_field("Content-Range",
                        http::format_content_range(ranges[0], one_.stat.size,
                                                   std::span<char, http::kContentRangeCapacity>(text, http::kContentRangeCapacity)));
    send_ranges(ranges, nullptr, ranges[0].size());
    return Verdict::kResponded;
  }

  Verdict multipart(std::span<const http::ByteRange> ranges) {
    auto* boundary = exchange_.arena.allocate_array<char>(http::kBoundarySize);
    http::format_boundary(sys::random_u64(), sys::random_u64(), std::span<char, http::kBoundarySize>(boundary, http::kBoundarySize));
    auto* parts = std::construct_at(
        exchange_.arena.allocate_array<http::Multipart>(1),
        http::Multipart{.boundary = {boundary, http::kBoundarySize}, .content_type = one_.media_type, .length = one_.stat.size});
    const std::string type = "multipart/byteranges; boundary=" + std::string(parts->boundary);
    exchange_.add_field("Content-Type", exchange_.arena.copy(type));
    exchange_.add_field("Accept-Ranges", "bytes");
    for (std::size_t i = 0; i < one_.fields.size(); ++i) {
      if (one_.fields.name(i) == "Content-Encoding") exchange_.add_field("Content-Encoding", one_.fields.value(i));
    }
    send_ranges(ranges, parts, parts->body_size(ranges));
    return Verdict::kResponded;
  }

  void send_ranges(std::span<const http::ByteRange> ranges, const http::Multipart* parts, std::uint64_t length) {
    auto* memory = static_cast<FileBody*>(exchange_.arena.allocate(sizeof(FileBody), alignof(FileBody)));
    exchange_.response.body.source = std::construct_at(memory, one_, pin_, ranges, parts);
    exchange_.response.body.length = length;
  }

  RoutedExchange& exchange_;
  const FileEntry& entry_;
  base::Pin pin_;
  const FilesSettings& settings_;
  const Representation& one_;
};

}  // namespace

Verdict respond_with_file(RoutedExchange& exchange, const LocalFile& file, base::Pin pin, const FilesSettings& settings) {
  return FileResponse(exchange, file, pin, settings).respond();
}

}  // namespace tidegate::handlers
