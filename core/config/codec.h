// Codecs: how one C++ type is read from a value tree, written as JSON and described; and `field`, which joins a codec
// to a member of the model. This is where a line of a schema table gets its functions.
//
// A codec has: `kInfo` (TypeInfo), `bool read(Reader&, const Value&, T&, const Field&)`, which leaves T alone and
// returns false after an error, and `void write(Writer&, const T&, const Value* source)`. Optionally `bool absent(const
// T&)`: there is nothing to write.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "config/reader.h"
#include "config/schema.h"
#include "config/writer.h"

namespace tidegate::config {

// Specialised for each struct that has a schema table: `kName` and `const ObjectInfo& info()`.
template <class T>
struct ObjectOf;

// The codec of a type, when a field names none.
template <class T>
struct Codec;

template <class T>
concept Described = requires { ObjectOf<T>::kName; };

template <Described T>
struct Codec<T> {
  static constexpr TypeInfo kInfo{
      .kind = TypeInfo::Kind::kObject, .name = ObjectOf<T>::kName, .object = &ObjectOf<T>::info};

  static bool read(Reader& reader, const Value& value, T& object, const Field& /*field*/) {
    reader.read_object(value, &object, ObjectOf<T>::info());
    return true;
  }
  static void write(Writer& writer, const T& object, const Value* source) {
    if constexpr (requires { object.written; }) source = writer.source_of(object.written);
    writer.write_object(&object, ObjectOf<T>::info(), source);
  }
};

template <class C, class T>
struct ListOf {
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kList, .element = &C::kInfo};

  static bool read(Reader& reader, const Value& value, std::vector<T>& list, const Field& field) {
    if (!reader.expect(value, Value::Kind::kArray, kInfo)) return false;
    list.clear();
    list.reserve(value.members.size());
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      const Reader::Step step(reader, i);
      T element{};
      if (C::read(reader, value.members[i].value, element, field)) list.push_back(std::move(element));
    }
    return true;
  }
  static void write(Writer& writer, const std::vector<T>& list, const Value* source) {
    writer.json.begin_array();
    for (std::size_t i = 0; i < list.size(); ++i) C::write(writer, list[i], writer.element_of(source, i, list.size()));
    writer.json.end_array();
  }
};

template <class T>
struct Codec<std::vector<T>> : ListOf<Codec<T>, T> {};

template <class C, class T>
struct OptionalOf {
  static constexpr const TypeInfo& kInfo = C::kInfo;

  static bool read(Reader& reader, const Value& value, std::optional<T>& held, const Field& field) {
    T inner{};
    if (!C::read(reader, value, inner, field)) return false;
    held = std::move(inner);
    return true;
  }
  static void write(Writer& writer, const std::optional<T>& held, const Value* source) {
    C::write(writer, *held, source);
  }
  static bool absent(const std::optional<T>& held) { return !held.has_value(); }
};

template <class T>
struct Codec<std::optional<T>> : OptionalOf<Codec<T>, T> {};

namespace detail {

template <class Owner, class Member>
Owner owner_of(Member Owner::*);

template <auto Member>
using OwnerOf = decltype(owner_of(Member));

// object.*First.*Rest...
template <auto First, auto... Rest, class Object>
auto& member_of(Object& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return member_of<Rest...>(object.*First);
  }
}

template <auto First, auto... Rest>
using MemberType = std::remove_cvref_t<decltype(member_of<First, Rest...>(std::declval<OwnerOf<First>&>()))>;

template <class T>
const T& default_object() {
  static const T object{};
  return object;
}

}  // namespace detail

// A setting held by the member `First` (or by a member of a member ...), read and written by the codec C.
template <class C, auto First, auto... Rest>
constexpr Field field_as(std::string_view name, std::string_view doc) {
  using Owner = detail::OwnerOf<First>;
  Field field{.name = name, .doc = doc, .type = &C::kInfo};
  field.read = [](Reader& reader, const Value& value, void* object, const Field& self) {
    C::read(reader, value, detail::member_of<First, Rest...>(*static_cast<Owner*>(object)), self);
  };
  field.write = [](Writer& writer, const void* object, const Value* source, const Field& self) {
    const auto& member = detail::member_of<First, Rest...>(*static_cast<const Owner*>(object));
    if constexpr (requires { C::absent(member); }) {
      if (C::absent(member)) return;
    }
    writer.json.key(self.name);
    C::write(writer, member, source);
  };
  field.is_default = [](const void* object) {
    return detail::member_of<First, Rest...>(*static_cast<const Owner*>(object)) ==
           detail::member_of<First, Rest...>(detail::default_object<Owner>());
  };
  return field;
}

template <auto First, auto... Rest>
constexpr Field field(std::string_view name, std::string_view doc) {
  return field_as<Codec<detail::MemberType<First, Rest...>>, First, Rest...>(name, doc);
}

// A setting that touches several members: its codec works on the whole object and must have `absent`.
template <class C, class Owner>
constexpr Field field_on(std::string_view name, std::string_view doc) {
  Field field{.name = name, .doc = doc, .type = &C::kInfo};
  field.read = [](Reader& reader, const Value& value, void* object, const Field& self) {
    C::read(reader, value, *static_cast<Owner*>(object), self);
  };
  field.write = [](Writer& writer, const void* object, const Value* source, const Field& self) {
    if (C::absent(*static_cast<const Owner*>(object))) return;
    writer.json.key(self.name);
    C::write(writer, *static_cast<const Owner*>(object), source);
  };
  field.is_default = [](const void* object) { return C::absent(*static_cast<const Owner*>(object)); };
  return field;
}

// A name that the configuration language knows and this version does not offer.
constexpr Field unavailable(std::string_view name) { return Field{.name = name, .doc = {}}; }

// A name that stands in another table only.
constexpr Field only_in(std::string_view place, std::string_view name) {
  return Field{.name = name, .doc = {}, .only_in = place};
}

// The table of T: its fields, and the functions that every table has.
template <class T>
constexpr ObjectInfo table_of(std::string_view title, std::string_view doc, std::span<const Field> fields,
                              void (*check)(Reader&, const Value&, void*) = nullptr) {
  ObjectInfo info{.name = ObjectOf<T>::kName, .title = title, .doc = doc, .fields = fields, .defaults = nullptr};
  info.defaults = []() -> const void* { return &detail::default_object<T>(); };
  if constexpr (requires(T& object) { object.written; }) {
    info.begin = [](void* object, const Written& written) { static_cast<T*>(object)->written = written; };
  }
  info.check = check;
  return info;
}

}  // namespace tidegate::config
