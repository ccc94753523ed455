// Response fields that were put together once: as HTTP/1.1 text to copy and as a list to iterate (HTTP/2, HTTP/3).
//
// A representation, a route and an error page each own blocks; a response refers to a few of them. Immutable after
// building; any thread may read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "http/known_fields.h"

namespace tidegate::http {

// The set of names that a block or an edit touches, folded into 64 bits: disjoint masks mean disjoint names. Known
// fields have a bit each, all others share bit 0.
using NameMask = std::uint64_t;
[[nodiscard]] NameMask mask_of(std::string_view name);

class FieldBlock {
 public:
  // Name and value must be valid (RFC 9110 section 5): callers pass constants or checked configuration.
  void add(std::string_view name, std::string_view value);

  // "Name: value\r\n" lines.
  [[nodiscard]] std::string_view wire() const { return wire_; }
  [[nodiscard]] NameMask mask() const { return mask_; }
  [[nodiscard]] bool empty() const { return fields_.empty(); }
  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] std::string_view name(std::size_t i) const { return piece(fields_[i].name_at, fields_[i].name_size); }
  [[nodiscard]] std::string_view value(std::size_t i) const { return piece(fields_[i].value_at, fields_[i].value_size); }

 private:
  struct Place {
    std::uint32_t name_at;
    std::uint32_t name_size;
    std::uint32_t value_at;
    std::uint32_t value_size;
  };
  [[nodiscard]] std::string_view piece(std::uint32_t at, std::uint32_t size) const {
    return std::string_view(wire_).substr(at, size);
  }

  std::string wire_;
  std::vector<Place> fields_;
  NameMask mask_ = 0;
};

}  // namespace tidegate::http
