#include "http/field_block.h"

namespace tidegate::http {

NameMask mask_of(std::string_view name) { return NameMask{1} << static_cast<unsigned>(known_field(name)); }

void FieldBlock::add(std::string_view name, std::string_view value) {
  const auto at = static_cast<std::uint32_t>(wire_.size());
  const auto name_size = static_cast<std::uint32_t>(name.size());
  const auto value_size = static_cast<std::uint32_t>(value.size());
  wire_.append(name).append(": ").append(value).append("\r\n");
  fields_.push_back({at, name_size, at + name_size + 2, value_size});
  mask_ |= mask_of(name);
}

}  // namespace tidegate::http
