// The Content-Security-Policy of the pages that Tidegate itself makes, computed at compile time from their styles.
//
// Owner: pipeline. Thread: any. Everything here runs in the compiler; the binary holds only the finished text.
//
// Each page has one inline <style> and no script. The policy names the SHA-256 of that style (CSP Level 3, section 2.3.1),
// so it cannot drift apart from it and nothing injected could apply.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidegate::pages {

using Sha256 = std::array<std::uint8_t, 32>;

namespace detail {

// Round constants and initial state of FIPS 180-4 sections 4.2.2 and 5.3.3.
inline constexpr std::array<std::uint32_t, 64> kSha256Rounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline constexpr std::array<std::uint32_t, 8> kSha256Start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The byte at `i` of the message with its padding: 0x80, zeros, and the length in bits in the last eight bytes.
constexpr std::uint8_t padded_byte(std::string_view text, std::size_t i, std::size_t padded_size) {
  if (i < text.size()) return static_cast<std::uint8_t>(text[i]);
  if (i == text.size()) return 0x80;
  if (i < padded_size - 8) return 0;
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  return static_cast<std::uint8_t>(bits >> (8 * (padded_size - 1 - i)));
}

constexpr void sha256_block(std::array<std::uint32_t, 8>& state, const std::array<std::uint32_t, 16>& block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 64; ++i) {
    if (i < 16) {
      w[i] = block[i];
      continue;
    }
    const std::uint32_t a = w[i - 15];
    const std::uint32_t b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t mix = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const std::uint32_t t1 = s[7] + mix + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kSha256Rounds[i] + w[i];
    const std::uint32_t sum = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const std::uint32_t t2 = sum + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
}

}  // namespace detail

/// SHA-256 (FIPS 180-4), meant for constants only.
constexpr Sha256 sha256(std::string_view text) {
  auto state = detail::kSha256Start;
  const std::size_t padded_size = (text.size() + 8) / 64 * 64 + 64;
  for (std::size_t start = 0; start < padded_size; start += 64) {
    std::array<std::uint32_t, 16> block{};
    for (std::size_t i = 0; i < 64; ++i) {
      block[i / 4] = block[i / 4] << 8 | detail::padded_byte(text, start + i, padded_size);
    }
    detail::sha256_block(state, block);
  }
  Sha256 digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

/// Base64 of a digest (RFC 4648 section 4): 43 characters and one '='.
constexpr std::array<char, 44> base64(const Sha256& digest) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<char, 44> out{};
  for (std::size_t i = 0; i < 43; ++i) {
    std::size_t six = 0;
    for (std::size_t bit = i * 6; bit < i * 6 + 6; ++bit) {
      const std::size_t value = bit < 256 ? static_cast<std::size_t>(digest[bit / 8]) >> (7 - bit % 8) & 1U : 0U;
      six = six << 1 | value;
    }
    out[i] = kAlphabet[six];
  }
  out[43] = '=';
  return out;
}

/// Glues constants together at compile time: `Joined<kA, kB>::kText`.
template <const std::string_view&... Parts>
struct Joined {
  static constexpr auto make() {
    std::array<char, (Parts.size() + ...)> out{};
    auto at = out.begin();
    ((at = std::copy(Parts.begin(), Parts.end(), at)), ...);
    return out;
  }
  static constexpr auto kBytes = make();
  static constexpr std::string_view kText{kBytes.data(), kBytes.size()};
};

/// The value of Content-Security-Policy for a page whose only style is `Style`: `PagePolicy<kStyle>::kText`. Images are
/// allowed as data: only, for the icon in the page's head.
template <const std::string_view& Style>
struct PagePolicy {
  static constexpr std::string_view kBefore = "default-src 'none'; style-src 'sha256-";
  static constexpr std::string_view kAfter =
      "'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
  static constexpr auto kHash = base64(sha256(Style));
  static constexpr std::string_view kHashText{kHash.data(), kHash.size()};
  static constexpr std::string_view kText = Joined<kBefore, kHashText, kAfter>::kText;
};

}  // namespace tidegate::pages
