// Fuzzes the list-based fields: Accept-Encoding, Accept, entity-tag lists, Connection and preconditions. Input lines are
// separated by line feeds, so that lists over several field lines are covered.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "http/semantics/conditional.h"
#include "http/semantics/entity_tag.h"
#include "http/semantics/hop_by_hop.h"
#include "http/semantics/list.h"
#include "http/semantics/media_type.h"
#include "http/semantics/negotiation.h"

namespace http = tidegate::http;
using http::ContentCoding;
using Lines = std::vector<std::string_view>;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty() && lines.size() < 16) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

void check_lists(const Lines& lines) {
  http::ListReader reader{std::span<const std::string_view>(lines)};
  while (const auto element = reader.next()) {
    if (element->empty()) std::abort();
    http::ParameterReader parameters(*element);
    while (const auto parameter = parameters.next()) {
      if (parameter->name.size() + parameter->value.size() > element->size()) std::abort();
    }
    if (!http::list_contains(lines, *element)) std::abort();
  }
}

void check_encoding(const Lines& lines) {
  constexpr std::array kAvailable = {ContentCoding::kZstd, ContentCoding::kBrotli, ContentCoding::kGzip,
                                     ContentCoding::kIdentity};
  const http::CodingWeights weights = http::parse_accept_encoding(lines);
  std::uint16_t highest = 0;
  for (const std::uint16_t weight : weights.thousandths) {
    if (weight > http::kFullWeight) std::abort();
    highest = weight > highest ? weight : highest;
  }
  const auto choice = http::choose_coding(weights, kAvailable);
  if (choice.has_value() != (highest > 0)) std::abort();
  if (choice && weights.of(*choice) != highest) std::abort();
}

void check_preconditions(const Lines& lines) {
  const http::Validators validators{
      .etag = "\"a\"", .last_modified_s = 784111777, .is_last_modified_strong = true, .exists = true};
  const std::span<const std::string_view> all(lines);
  const auto strong = http::search_tag_list(lines, http::parse_entity_tag("\"a\""), http::TagComparison::kStrong);
  const auto weak = http::search_tag_list(lines, http::parse_entity_tag("\"a\""), http::TagComparison::kWeak);
  if (strong == http::TagListResult::kMatch && weak != http::TagListResult::kMatch) std::abort();
  http::ConditionalFields fields;
  for (auto* field : {&fields.if_match, &fields.if_none_match, &fields.if_modified_since, &fields.if_unmodified_since,
                      &fields.if_range}) {
    fields = {};
    *field = all;
    if (http::evaluate_preconditions(fields, validators, false, 0) == http::Precondition::kNotModified) std::abort();
    const auto for_get = http::evaluate_preconditions(fields, validators, true, 0);
    if (field == &fields.if_match && for_get == http::Precondition::kNotModified) std::abort();
    if (field != &fields.if_range && !http::may_use_range(fields, validators, 0)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Lines lines = split_lines(text);
  check_lists(lines);
  check_encoding(lines);
  check_preconditions(lines);
  constexpr std::array<std::string_view, 3> kOffers = {"text/plain", "text/html", "application/json"};
  const auto offer = http::choose_media_type(lines, kOffers);
  if (offer && *offer >= kOffers.size()) std::abort();
  if (http::is_hop_by_hop(text) && !http::must_drop_for_next_hop(text, lines)) std::abort();
  if (http::media_type_essence(text).size() > size) std::abort();
  if (http::is_compressible_type(text) && text.empty()) std::abort();
  return 0;
}
