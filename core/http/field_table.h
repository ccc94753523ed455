// The fields of one message head (or trailer section), as offsets into the bytes that were received.
//
// Owner: whoever parses the head, usually one table a worker or one an exchange. Thread: that of its owner.
// Invariants: the table copies no text; all offsets are relative to base(), so the bytes may be moved as long as
// rebase() follows. Up to kInlineFields fields need no heap. Growth beyond them allocates once and the room is kept for
// the next message until release_memory(). Order of the fields is the order received.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "http/known_fields.h"

namespace tidegate::http {

/// A piece of the received bytes: offset from a base pointer, and size in bytes.
struct Span {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;

  [[nodiscard]] constexpr bool empty() const noexcept { return size == 0; }
  friend constexpr bool operator==(const Span&, const Span&) = default;
};

class FieldTable {
 public:
  static constexpr std::size_t kInlineFields = 64;
  static constexpr std::size_t kMaxFields = 1024;      // configuration may not ask for more
  static constexpr std::size_t kMaxNameSize = 0xFFFF;  // bytes; what a field record can hold

  FieldTable() noexcept { fields_ = inline_.data(); }
  FieldTable(const FieldTable&) = delete;
  FieldTable& operator=(const FieldTable&) = delete;

  /// Forgets all fields; those added next are relative to `base`. Keeps memory of earlier growth.
  void reset(const char* base) noexcept;

  /// The bytes have moved to `new_base`; offsets stay.
  void rebase(const char* new_base) noexcept { base_ = new_base; }

  /// Takes over the fields of `other`, whose bytes have been copied to `base`.
  void assign(const FieldTable& other, const char* base) noexcept;

  /// Gives back what growth beyond kInlineFields took. The table is empty afterwards.
  void release_memory() noexcept;

  [[nodiscard]] const char* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Adds a field. `id` must be known_field(name). False when the table is full (kMaxFields) or the name is longer than
  /// kMaxNameSize; the table is unchanged then.
  [[nodiscard]] bool append(Span name, Span value, KnownField id) noexcept {
    if (name.size > kMaxNameSize) return false;
    if (size_ == capacity_ && !grow()) return false;
    fields_[size_] = {name.offset, static_cast<std::uint16_t>(name.size), id, 0, value.offset, value.size};
    note(id, size_);
    ++size_;
    return true;
  }

  /// Takes out every field for which `drop(index)` is true; the index is the one before the call, and `drop` must not
  /// look at the table. Order of the others is kept. Cost: one pass.
  template <class Drop>
  void remove_if(Drop drop) noexcept;

  // The i-th field, i < size(). The value has no white space at its ends.
  [[nodiscard]] std::string_view name(std::size_t i) const noexcept {
    return {base_ + at(i).name_offset, at(i).name_size};
  }
  [[nodiscard]] std::string_view value(std::size_t i) const noexcept {
    return {base_ + at(i).value_offset, at(i).value_size};
  }
  [[nodiscard]] Span value_span(std::size_t i) const noexcept { return {at(i).value_offset, at(i).value_size}; }
  [[nodiscard]] KnownField id(std::size_t i) const noexcept { return at(i).id; }

  // Known fields: constant time, but for count() and find_next() of one that occurs more than once.
  [[nodiscard]] bool contains(KnownField id) const noexcept { return (present_ & bit_of(id)) != 0; }
  [[nodiscard]] bool contains_any(std::uint64_t set) const noexcept { return (present_ & set) != 0; }
  [[nodiscard]] bool is_repeated(KnownField id) const noexcept { return (repeated_ & bit_of(id)) != 0; }
  [[nodiscard]] std::size_t count(KnownField id) const noexcept;

  /// Index of the first occurrence, or size().
  [[nodiscard]] std::size_t first_index(KnownField id) const noexcept {
    return contains(id) ? first_[static_cast<std::size_t>(id)] : size_;
  }
  /// Index of the next occurrence at or after `from`, or size().
  [[nodiscard]] std::size_t find_next(KnownField id, std::size_t from) const noexcept;

  /// Value of the first occurrence.
  [[nodiscard]] std::optional<std::string_view> find(KnownField id) const noexcept {
    if (!contains(id)) return std::nullopt;
    return value(first_[static_cast<std::size_t>(id)]);
  }
  /// Value of the first field of that name, in any case. Names that are not known cost a walk over the table.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

  /// Calls `visit(std::string_view value)` for each occurrence, in the order received.
  template <class Visit>
  void for_each(KnownField id, Visit visit) const {
    for (std::size_t i = first_index(id); i < size_; i = find_next(id, i + 1)) visit(value(i));
  }

 private:
  struct Field {
    std::uint32_t name_offset;
    std::uint16_t name_size;
    KnownField id;
    std::uint8_t reserved;
    std::uint32_t value_offset;
    std::uint32_t value_size;
  };
  static_assert(sizeof(Field) == 16);

  [[nodiscard]] const Field& at(std::size_t i) const noexcept { return fields_[i]; }

  void note(KnownField id, std::size_t index) noexcept {
    const std::uint64_t bit = bit_of(id);
    if ((present_ & bit) != 0) {
      repeated_ |= bit;
    } else {
      present_ |= bit;
      first_[static_cast<std::size_t>(id)] = static_cast<std::uint16_t>(index);
    }
  }

  bool grow() noexcept;

  const char* base_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = kInlineFields;
  std::uint64_t present_ = 0;   // known fields that occur
  std::uint64_t repeated_ = 0;  // known fields that occur more than once
  Field* fields_ = nullptr;     // inline_, or grown_ once that was not enough
  std::unique_ptr<Field[]> grown_;
  // Both are left as they are by the constructor and by reset(): size_ and present_ say which entries count.
  std::array<std::uint16_t, kKnownFieldCount> first_;
  std::array<Field, kInlineFields> inline_;
};

template <class Drop>
void FieldTable::remove_if(Drop drop) noexcept {
  std::size_t kept = 0;
  present_ = 0;
  repeated_ = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (drop(i)) continue;
    fields_[kept] = fields_[i];
    note(fields_[kept].id, kept);
    ++kept;
  }
  size_ = kept;
}

}  // namespace tidegate::http
