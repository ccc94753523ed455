// The hash of field names.
#include "http/known_fields.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>

#include "http/semantics/chars.h"

using namespace tidegate::http;

namespace {

constexpr std::string_view kUsualNames[] = {
#define TIDEGATE_NAME(id, name) name,
    TIDEGATE_KNOWN_FIELDS(TIDEGATE_NAME)
#undef TIDEGATE_NAME
};

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = to_lower(c);
  return text;
}

}  // namespace

TEST_CASE("known fields: every name is found, in any case") {
  std::size_t number = 0;
  for (const std::string_view name : kUsualNames) {
    const auto id = static_cast<KnownField>(++number);
    CAPTURE(name);
    CHECK(known_field(name) == id);
    CHECK(known_field(upper(std::string(name))) == id);
    CHECK(known_field(lower(std::string(name))) == id);
    CHECK(name_of(id) == name);
  }
  CHECK(number + 1 == kKnownFieldCount);
  CHECK(known_field("Host") == KnownField::kHost);
  CHECK(known_field("sec-websocket-extensions") == KnownField::kSecWebsocketExtensions);
}

TEST_CASE("known fields: a change of any one byte is another name") {
  for (const std::string_view name : kUsualNames) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        std::string changed(name);
        changed[i] = static_cast<char>(byte);
        const bool is_same = equals_ignore_case(changed, name);
        // "Accept" and the like: no other known name is one byte away, or this would say so.
        CHECK((known_field(changed) == known_field(name)) == is_same);
      }
    }
  }
}

TEST_CASE("known fields: prefixes, extensions and neighbours are unknown") {
  for (const std::string_view name : kUsualNames) {
    const std::string text(name);
    for (std::size_t size = 0; size < text.size(); ++size) {
      const KnownField found = known_field(text.substr(0, size));
      CHECK((found == KnownField::kUnknown || equals_ignore_case(name_of(found), text.substr(0, size))));
    }
    CHECK(known_field(text + "x") == KnownField::kUnknown);
    CHECK(known_field(" " + text) == KnownField::kUnknown);
  }
  for (const char* name :
       {"", "x", "Content_Length", "Hosts", "H\x4F\x00t", "sec-ch-ua", "Upgrade-Insecure-Requests"}) {
    CHECK(known_field(name) == KnownField::kUnknown);
  }
  CHECK(known_field(std::string(100'000, 'a')) == KnownField::kUnknown);
}

TEST_CASE("known fields: no byte beyond the name is read") {
  for (const std::string_view name : kUsualNames) {
    for (std::size_t size = 1; size <= name.size(); ++size) {
      const std::unique_ptr<char[]> exact(new char[size]);
      std::memcpy(exact.get(), name.data(), size);
      const KnownField found = known_field({exact.get(), size});
      CHECK((found == KnownField::kUnknown || name_of(found).size() == size));
    }
  }
}

TEST_CASE("known fields: what a trailer section may set") {
  for (const KnownField id :
       {KnownField::kHost, KnownField::kContentLength, KnownField::kTransferEncoding, KnownField::kAuthorization,
        KnownField::kCookie, KnownField::kSetCookie, KnownField::kIfMatch, KnownField::kRange, KnownField::kContentType,
        KnownField::kXForwardedFor}) {
    CHECK(is_forbidden_in_trailers(id));
  }
  CHECK_FALSE(is_forbidden_in_trailers(KnownField::kUnknown));
  CHECK_FALSE(is_forbidden_in_trailers(KnownField::kEtag));
}

TEST_CASE("known fields: bits are distinct") {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kKnownFieldCount; ++i) {
    const std::uint64_t bit = bit_of(static_cast<KnownField>(i));
    CHECK((all & bit) == 0);
    all |= bit;
  }
}
