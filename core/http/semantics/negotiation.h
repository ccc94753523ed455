// Proactive negotiation: Accept-Encoding and Accept (RFC 9110 section 12).
//
// Owner: http/semantics. Thread: any. Views only, no allocation. Weights are thousandths: q=0.5 is 500.
// An element that is malformed is skipped, so it can neither accept nor refuse anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tidegate::http {

inline constexpr std::uint16_t kFullWeight = 1000;

/// Reads a qvalue: 0 to 1 with at most three digits after the point (RFC 9110 section 12.4.2).
[[nodiscard]] std::optional<std::uint16_t> parse_weight(std::string_view text) noexcept;

/// The content codings that Tidegate can send.
enum class ContentCoding : std::uint8_t { kIdentity, kGzip, kBrotli, kZstd };
inline constexpr std::size_t kContentCodingCount = 4;

/// The name on the wire: "identity", "gzip", "br", "zstd".
[[nodiscard]] std::string_view coding_name(ContentCoding coding) noexcept;

/// The inverse, in any case; "x-gzip" is gzip (RFC 9110 section 8.4.1.3).
[[nodiscard]] std::optional<ContentCoding> coding_from_name(std::string_view name) noexcept;

/// How much a client wants each coding; 0 means refused.
struct CodingWeights {
  std::array<std::uint16_t, kContentCodingCount> thousandths{};

  [[nodiscard]] std::uint16_t of(ContentCoding coding) const noexcept {
    return thousandths[static_cast<std::size_t>(coding)];
  }
};

/// Reads Accept-Encoding (RFC 9110 section 12.5.3). `lines` empty: the field is absent and every coding is acceptable,
/// with identity far ahead, because clients that say nothing rarely decode. A coding that is not listed is refused
/// unless `*` covers it; identity that is not listed stays acceptable with the least weight, unless `*` covers it. If a
/// coding comes twice, the lower weight counts.
[[nodiscard]] CodingWeights parse_accept_encoding(std::span<const std::string_view> lines) noexcept;

/// The coding to send: the highest weight, ties going to what stands first in `available`. `available` lists what can be
/// sent, the server's favourite first; name kIdentity in it, last as a rule, when the plain representation can be sent.
/// Nothing if the client refuses all of them: answer 406, or send the plain form if that serves people better.
[[nodiscard]] std::optional<ContentCoding> choose_coding(const CodingWeights& weights,
                                                         std::span<const ContentCoding> available) noexcept;

/// Reads Accept and says which offer fits best (RFC 9110 section 12.5.1): the most specific media range that covers an
/// offer sets its weight; the highest weight wins. Ties go to the offer that was named more specifically, since a client
/// that writes `application/json, */*` has JSON in mind, and then to the earlier offer. Offers are `type/subtype` without
/// parameters. A range with parameters covers no offer, save `charset`, which is not a matter of choice here. Without
/// the field, or without one well-formed element in it, the first offer wins. Nothing if no offer is acceptable.
[[nodiscard]] std::optional<std::size_t> choose_media_type(std::span<const std::string_view> lines,
                                                           std::span<const std::string_view> offers) noexcept;

}  // namespace tidegate::http
