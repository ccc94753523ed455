// Accept-Encoding and Accept. See negotiation.h.
#include "http/semantics/negotiation.h"

#include <algorithm>

#include "http/semantics/chars.h"
#include "http/semantics/list.h"

namespace tidegate::http {
namespace {

constexpr std::uint16_t kLeastWeight = 1;
constexpr std::uint16_t kUnset = 0xFFFF;

constexpr std::array<std::string_view, kContentCodingCount> kCodingNames = {"identity", "gzip", "br", "zstd"};

// The weight of an element: its first `q` parameter, or 1. Nothing if that is malformed.
std::optional<std::uint16_t> weight_of(ParameterReader& element) noexcept {
  while (const auto parameter = element.next()) {
    if (equals_ignore_case(parameter->name, "q")) {
      return parameter->is_quoted ? std::nullopt : parse_weight(parameter->value);
    }
  }
  return kFullWeight;
}

void lower(std::uint16_t& slot, std::uint16_t weight) noexcept { slot = std::min(slot, weight); }

// How narrowly a media range covers an offer.
enum class Specificity : std::uint8_t { kNone, kAny, kType, kExact };

struct MediaRange {
  std::string_view type;
  std::string_view subtype;
  std::uint16_t weight = kFullWeight;
  bool has_parameters = false;

  Specificity covers(std::string_view offer) const noexcept {
    if (type == "*") return has_parameters ? Specificity::kNone : Specificity::kAny;
    const std::size_t slash = offer.find('/');
    if (has_parameters || slash == std::string_view::npos) return Specificity::kNone;
    if (!equals_ignore_case(type, offer.substr(0, slash))) return Specificity::kNone;
    if (subtype == "*") return Specificity::kType;
    return equals_ignore_case(subtype, offer.substr(slash + 1)) ? Specificity::kExact : Specificity::kNone;
  }
};

std::optional<MediaRange> parse_media_range(std::string_view element) noexcept {
  ParameterReader reader(element);
  const std::string_view head = reader.head();
  const std::size_t slash = head.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  MediaRange range{.type = head.substr(0, slash), .subtype = head.substr(slash + 1)};
  if (!is_token(range.type) || !is_token(range.subtype)) return std::nullopt;
  if (range.type == "*" && range.subtype != "*") return std::nullopt;
  while (const auto parameter = reader.next()) {
    if (equals_ignore_case(parameter->name, "q")) {
      const auto weight = parameter->is_quoted ? std::nullopt : parse_weight(parameter->value);
      if (!weight) return std::nullopt;
      range.weight = *weight;
      return range;  // what follows q is not part of the media range
    }
    if (!equals_ignore_case(parameter->name, "charset")) range.has_parameters = true;
  }
  return range;
}

struct OfferWeight {
  std::uint16_t weight = 0;
  Specificity specificity = Specificity::kNone;
  bool is_field_usable = false;

  bool beats(const OfferWeight& other) const noexcept {
    return weight != other.weight ? weight > other.weight : specificity > other.specificity;
  }
};

OfferWeight weigh_offer(std::span<const std::string_view> lines, std::string_view offer) noexcept {
  OfferWeight result;
  ListReader reader(lines);
  while (const auto element = reader.next()) {
    const auto range = parse_media_range(*element);
    if (!range) continue;
    result.is_field_usable = true;
    const Specificity specificity = range->covers(offer);
    if (specificity == Specificity::kNone || specificity < result.specificity) continue;
    result.weight = specificity == result.specificity ? std::max(result.weight, range->weight) : range->weight;
    result.specificity = specificity;
  }
  return result;
}

}  // namespace

std::optional<std::uint16_t> parse_weight(std::string_view text) noexcept {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  if (text.size() > 1 && text[1] != '.') return std::nullopt;
  int weight = (text[0] - '0') * 1000;
  int unit = 100;
  for (std::size_t i = 2; i < text.size(); ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    weight += (text[i] - '0') * unit;
    unit /= 10;
  }
  if (weight > kFullWeight) return std::nullopt;
  return static_cast<std::uint16_t>(weight);
}

std::string_view coding_name(ContentCoding coding) noexcept { return kCodingNames[static_cast<std::size_t>(coding)]; }

std::optional<ContentCoding> coding_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kCodingNames.size(); ++i) {
    if (equals_ignore_case(name, kCodingNames[i])) return static_cast<ContentCoding>(i);
  }
  if (equals_ignore_case(name, "x-gzip")) return ContentCoding::kGzip;
  return std::nullopt;
}

CodingWeights parse_accept_encoding(std::span<const std::string_view> lines) noexcept {
  constexpr auto kIdentity = static_cast<std::size_t>(ContentCoding::kIdentity);
  CodingWeights weights;
  if (lines.empty()) {
    weights.thousandths.fill(kLeastWeight);
    weights.thousandths[kIdentity] = kFullWeight;
    return weights;
  }
  weights.thousandths.fill(kUnset);
  std::uint16_t others = kUnset;
  ListReader reader(lines);
  while (const auto element = reader.next()) {
    ParameterReader parameters(*element);
    const auto weight = weight_of(parameters);
    if (!weight) continue;
    if (parameters.head() == "*") {
      lower(others, *weight);
    } else if (const auto coding = coding_from_name(parameters.head())) {
      lower(weights.thousandths[static_cast<std::size_t>(*coding)], *weight);
    }
  }
  for (std::size_t i = 0; i < kContentCodingCount; ++i) {
    std::uint16_t& slot = weights.thousandths[i];
    if (slot != kUnset) continue;
    const std::uint16_t unlisted = i == kIdentity ? kLeastWeight : std::uint16_t{0};
    slot = others == kUnset ? unlisted : others;
  }
  return weights;
}

std::optional<ContentCoding> choose_coding(const CodingWeights& weights,
                                           std::span<const ContentCoding> available) noexcept {
  std::optional<ContentCoding> best;
  std::uint16_t best_weight = 0;
  for (const ContentCoding coding : available) {
    if (weights.of(coding) <= best_weight) continue;
    best = coding;
    best_weight = weights.of(coding);
  }
  return best;
}

std::optional<std::size_t> choose_media_type(std::span<const std::string_view> lines,
                                             std::span<const std::string_view> offers) noexcept {
  std::optional<std::size_t> best;
  OfferWeight best_weight;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const OfferWeight offer = weigh_offer(lines, offers[i]);
    if (!offer.is_field_usable) return 0;
    if (offer.weight == 0 || !offer.beats(best_weight)) continue;
    best = i;
    best_weight = offer;
  }
  return best;
}

}  // namespace tidegate::http
