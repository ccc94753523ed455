// The perfect hash from field names to numbers. See known_fields.h.
//
// Four bytes of a name (first, middle, fourth from the end, last) and its length are mixed and multiplied; the
// multiplier is searched at compile time until no two names of the list share a slot. A lookup is then one multiply,
// one table read and one comparison with the only candidate.
#include "http/known_fields.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

constexpr std::array<std::string_view, kKnownFieldCount> kNames = {std::string_view{},
#define TIDEGATE_NAME(id, name) std::string_view{name},
                                                                   TIDEGATE_KNOWN_FIELDS(TIDEGATE_NAME)
#undef TIDEGATE_NAME
};

constexpr std::size_t kLongestName =
    std::max_element(kNames.begin(), kNames.end(), [](auto a, auto b) { return a.size() < b.size(); })->size();
constexpr std::size_t kNameStride = 32;
static_assert(kLongestName <= kNameStride);

constexpr unsigned kSlotBits = 9;
constexpr std::size_t kSlotCount = std::size_t{1} << kSlotBits;

// Setting bit 5 is a cheap lower case. It joins other bytes too, which the comparison sorts out.
constexpr std::uint32_t folded(char c) { return static_cast<unsigned char>(c) | 0x20U; }

constexpr std::uint32_t key_of(std::string_view name) {
  const std::size_t size = name.size();
  const std::size_t fourth_last = size >= 4 ? size - 4 : 0;
  const std::uint32_t letters =
      folded(name[0]) | folded(name[size / 2]) << 8 | folded(name[fourth_last]) << 16 | folded(name[size - 1]) << 24;
  return letters ^ static_cast<std::uint32_t>(size) * 0x01'01'01'03U;
}

constexpr std::size_t slot_of(std::uint32_t key, std::uint32_t multiplier) {
  return (key * multiplier) >> (32 - kSlotBits);
}

constexpr bool separates(std::uint32_t multiplier) {
  std::array<bool, kSlotCount> taken{};
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    bool& slot = taken[slot_of(key_of(kNames[i]), multiplier)];
    if (slot) return false;
    slot = true;
  }
  return true;
}

consteval std::uint32_t find_multiplier() {
  std::uint32_t candidate = 0x9E37'79B1U;
  while (!separates(candidate)) candidate = candidate * 1'664'525U + 1'013'904'222U;
  return candidate;
}

constexpr std::uint32_t kMultiplier = find_multiplier();

consteval std::array<std::uint8_t, kSlotCount> make_slots() {
  std::array<std::uint8_t, kSlotCount> slots{};
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    slots[slot_of(key_of(kNames[i]), kMultiplier)] = static_cast<std::uint8_t>(i);
  }
  return slots;
}

constexpr std::array<std::uint8_t, kSlotCount> kSlots = make_slots();

struct LowerNames {
  alignas(64) char text[kKnownFieldCount][kNameStride];
  std::uint8_t size[kKnownFieldCount];
};

consteval LowerNames make_lower_names() {
  LowerNames lower{};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    lower.size[i] = static_cast<std::uint8_t>(kNames[i].size());
    for (std::size_t j = 0; j < kNames[i].size(); ++j) lower.text[i][j] = to_lower(kNames[i][j]);
  }
  return lower;
}

constexpr LowerNames kLower = make_lower_names();

std::uint64_t load64(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

std::uint64_t load32(const char* p) {
  std::uint32_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Lower case of eight bytes at once: bit 5 is set where bit 6 is. That changes other bytes than letters too ('@', '[' to
// '_', some above 0x7F), but into none that a name of the list has, so the comparison below is exact.
constexpr std::uint64_t lower64(std::uint64_t word) { return word | (word & 0x4040'4040'4040'4040U) >> 1; }

consteval bool has_only_plain_bytes() {
  for (const std::string_view name : kNames) {
    for (const char c : name) {
      if (!is_alpha(c) && !is_digit(c) && c != '-') return false;
    }
  }
  return true;
}
static_assert(has_only_plain_bytes(), "lower64() is exact for letters, digits and '-'");

// `lower` has as many bytes, already in lower case. Reads exactly these bytes of each.
bool equals_lower(std::string_view name, const char* lower) {
  const char* text = name.begin();
  const std::size_t size = name.size();
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) {
      if (lower64(load64(text + i)) != load64(lower + i)) return false;
    }
    return lower64(load64(text + size - 8)) == load64(lower + size - 8);
  }
  if (size >= 4) {
    const std::uint64_t word = load32(text) | load32(text + size - 4) << 32;
    return lower64(word) == (load32(lower) | load32(lower + size - 4) << 32);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (to_lower(text[i]) != lower[i]) return false;
  }
  return true;
}

consteval std::uint64_t make_forbidden_in_trailers() {
  std::uint64_t set = ~std::uint64_t{0};
  // What a sender may only know at the end, or what describes the message as a whole without changing how it is read.
  for (const KnownField id : {KnownField::kUnknown, KnownField::kEtag, KnownField::kLastModified, KnownField::kDate,
                              KnownField::kXRequestId}) {
    set &= ~bit_of(id);
  }
  return set;
}

constexpr std::uint64_t kForbiddenInTrailers = make_forbidden_in_trailers();

}  // namespace

KnownField known_field(std::string_view name) noexcept {
  const std::size_t size = name.size();
  if (size == 0 || size > kLongestName) return KnownField::kUnknown;
  const std::size_t candidate = kSlots[slot_of(key_of(name), kMultiplier)];
  if (kLower.size[candidate] != size || !equals_lower(name, kLower.text[candidate])) {
    return KnownField::kUnknown;
  }
  return static_cast<KnownField>(candidate);
}

std::string_view name_of(KnownField id) noexcept { return kNames[static_cast<std::size_t>(id)]; }

bool is_forbidden_in_trailers(KnownField id) noexcept { return (kForbiddenInTrailers & bit_of(id)) != 0; }

}  // namespace tidegate::http
