// Growth and the slower lookups of the field table. See field_table.h.
#include "http/field_table.h"

#include <algorithm>
#include <utility>

#include "http/semantics/chars.h"

namespace tidegate::http {

void FieldTable::reset(const char* base) noexcept {
  base_ = base;
  size_ = 0;
  present_ = 0;
  repeated_ = 0;
}

void FieldTable::assign(const FieldTable& other, const char* base) noexcept {
  if (this == &other) return rebase(base);
  reset(base);
  while (capacity_ < other.size_) grow();
  std::copy_n(other.fields_, other.size_, fields_);
  size_ = other.size_;
  present_ = other.present_;
  repeated_ = other.repeated_;
  first_ = other.first_;
}

void FieldTable::release_memory() noexcept {
  reset(base_);
  grown_.reset();
  fields_ = inline_.data();
  capacity_ = kInlineFields;
}

bool FieldTable::grow() noexcept {
  if (capacity_ >= kMaxFields) return false;
  const std::size_t wanted = std::min(capacity_ * 4, kMaxFields);
  auto larger = std::make_unique_for_overwrite<Field[]>(wanted);
  std::copy_n(fields_, size_, larger.get());
  grown_ = std::move(larger);
  fields_ = grown_.get();
  capacity_ = wanted;
  return true;
}

std::size_t FieldTable::count(KnownField id) const noexcept {
  if (!contains(id)) return 0;
  if (!is_repeated(id)) return 1;
  std::size_t found = 0;
  for (std::size_t i = first_index(id); i < size_; i = find_next(id, i + 1)) ++found;
  return found;
}

std::size_t FieldTable::find_next(KnownField id, std::size_t from) const noexcept {
  // The field that occurs once is either still ahead or not there: no walk.
  if (!is_repeated(id)) {
    const std::size_t first = first_index(id);
    return first >= from ? first : size_;
  }
  for (std::size_t i = from; i < size_; ++i) {
    if (fields_[i].id == id) return i;
  }
  return size_;
}

std::optional<std::string_view> FieldTable::find(std::string_view name) const noexcept {
  const KnownField known = known_field(name);
  if (known != KnownField::kUnknown) return find(known);
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].id == KnownField::kUnknown && equals_ignore_case(this->name(i), name)) return value(i);
  }
  return std::nullopt;
}

}  // namespace tidegate::http
