// Codecs of tables whose keys are chosen by the user: fields to set, conditions, users, media types, error pages.
#pragma once

#include <string>
#include <vector>

#include "config/codec.h"
#include "config/codec_text.h"
#include "config/codec_values.h"
#include "config/model.h"
#include "config/text_rules.h"

namespace tidegate::config {

// Whether a name that is compared without case stands in the list already; if so, says so.
template <class T>
bool repeated_name(Reader& reader, const Member& member, const std::vector<T>& list) {
  for (const T& item : list) {
    if (!equal_ignoring_case(item.name, member.key)) continue;
    reader.error(member.key_at, "the field `" + member.key + "` is given twice (names are compared without case)");
    return true;
  }
  return false;
}

// { X-Frame-Options = "DENY", ... }: one value for each field.
template <class T>
struct FieldLineMap {
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kMap, .name = "fields", .element = &FieldValueRules::kInfo};

  static bool read(Reader& reader, const Value& value, std::vector<T>& lines, const Field& field) {
    if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
    lines.clear();
    for (const Member& member : value.members) {
      const Reader::Step step(reader, member.key);
      T line{.name = member.key, .value = {}};
      if (!reader.accept_key(member, FieldNameRules::problem(member.key)) || repeated_name(reader, member, lines))
        continue;
      if (AsFieldValue::read(reader, member.value, line.value, field)) lines.push_back(std::move(line));
    }
    return true;
  }
  static void write(Writer& writer, const std::vector<T>& lines, const Value* source) {
    writer.json.begin_object();
    for (const T& line : lines) {
      writer.json.key(line.name);
      writer.string(line.value, source == nullptr ? nullptr : source->find(line.name));
    }
    writer.json.end_object();
  }
};

// { Link = ["<a>", "<b>"], Vary = "Origin" }: one value or several for each field.
struct FieldLinesMap {
  static const TypeInfo kValueInfo;
  static constexpr TypeInfo kListInfo{.kind = TypeInfo::Kind::kList, .element = &FieldValueRules::kInfo};
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kMap, .name = "field lists", .element = &kValueInfo};
  static bool read(Reader& reader, const Value& value, std::vector<FieldLine>& lines, const Field& field);
  static void write(Writer& writer, const std::vector<FieldLine>& lines, const Value* source);
};
inline constexpr TypeInfo FieldLinesMap::kValueInfo{.kind = TypeInfo::Kind::kChoice,
                                                    .name = "field value or list",
                                                    .expects = "a field value, or a list of them",
                                                    .choices = {&FieldValueRules::kInfo, &kListInfo}};

// { X-Version = "2", X-Debug = true }: equal to a string, present (true) or absent (false).
struct ConditionMap {
  static constexpr TypeInfo kValueInfo{
      .kind = TypeInfo::Kind::kChoice,
      .name = "condition",
      .expects = "a string, or true (present) or false (absent)",
      .doc = "A string is compared as it is; `true` asks that the name is present, `false` that it is not.",
      .choices = {&kStringInfo, &Codec<bool>::kInfo}};
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kMap, .name = "conditions", .element = &kValueInfo};
  static void write(Writer& writer, const std::vector<FieldMatch>& conditions, const Value* source);
};
struct HeaderConditions : ConditionMap {
  static bool read(Reader& reader, const Value& value, std::vector<FieldMatch>& conditions, const Field& field);
};
struct QueryConditions : ConditionMap {
  static bool read(Reader& reader, const Value& value, std::vector<FieldMatch>& conditions, const Field& field);
};

// { alice = "$2y$..." }: a name and the hash of the password.
struct UserMap {
  static constexpr TypeInfo kHashInfo{
      .name = "password hash",
      .expects = "a password hash such as \"$2y$10$...\"",
      .doc =
          "As crypt(3) and htpasswd write it: bcrypt (`$2b$`, `$2y$`), SHA-crypt (`$5$`, `$6$`) or yescrypt (`$y$`)."};
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kMap, .name = "users", .element = &kHashInfo};
  static bool read(Reader& reader, const Value& value, std::vector<BasicAuthUser>& users, const Field& field);
  static bool absent(const std::vector<BasicAuthUser>& users) { return users.empty(); }
  static void write(Writer& writer, const std::vector<BasicAuthUser>& users, const Value* source);
};
// A sentence when the text is not a password hash that this version checks; else empty. Never repeats the text.
[[nodiscard]] std::string password_hash_problem(std::string_view hash);

// { wasm = "application/wasm" }: extension and media type.
struct MimeMap {
  static constexpr TypeInfo kInfo{
      .kind = TypeInfo::Kind::kMap, .name = "media types", .element = &MediaTypeRules::kInfo};
  static bool read(Reader& reader, const Value& value, std::vector<handlers::MimeOverride>& types, const Field& field);
  static void write(Writer& writer, const std::vector<handlers::MimeOverride>& types, const Value* source);
};

// { 404 = "/404.html", 5xx = { body = "sorry" } }.
template <>
struct ObjectOf<ErrorPage> {
  static constexpr std::string_view kName = "error_page";
  static const ObjectInfo& info();
};
struct ErrorPageMap {
  static constexpr TypeInfo kValueInfo{.kind = TypeInfo::Kind::kChoice,
                                       .name = "error page",
                                       .expects = "a path of the site, or a table with `body`",
                                       .choices = {&SitePathRules::kInfo, &Codec<ErrorPage>::kInfo}};
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kMap, .name = "error pages", .element = &kValueInfo};
  static bool read(Reader& reader, const Value& value, std::vector<ErrorPage>& pages, const Field& field);
  static void write(Writer& writer, const std::vector<ErrorPage>& pages, const Value* source);
};

}  // namespace tidegate::config
