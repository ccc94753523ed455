#include "config/codec_maps.h"

#include <algorithm>
#include <array>

namespace tidegate::config {

bool FieldLinesMap::read(Reader& reader, const Value& value, std::vector<FieldLine>& lines, const Field& field) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  lines.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    if (!reader.accept_key(member, FieldNameRules::problem(member.key)) || repeated_name(reader, member, lines))
      continue;
    if (member.value.kind != Value::Kind::kString && member.value.kind != Value::Kind::kArray) {
      reader.wrong_type(member.value, kValueInfo);
      continue;
    }
    std::vector<std::string> values(1);
    const bool one = member.value.kind == Value::Kind::kString;
    const bool good = one ? AsFieldValue::read(reader, member.value, values[0], field)
                          : ListOf<AsFieldValue, std::string>::read(reader, member.value, values, field);
    if (!good) continue;
    for (std::string& text : values) lines.push_back({member.key, std::move(text)});
  }
  return true;
}

void FieldLinesMap::write(Writer& writer, const std::vector<FieldLine>& lines, const Value* source) {
  writer.json.begin_object();
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;
    while (end < lines.size() && lines[end].name == lines[i].name) ++end;
    const Value* from = source == nullptr ? nullptr : source->find(lines[i].name);
    writer.json.key(lines[i].name);
    if (end == i + 1) {
      writer.string(lines[i].value,
                    from != nullptr && from->kind == Value::Kind::kArray ? writer.element_of(from, 0, 1) : from);
    } else {
      writer.json.begin_array();
      for (std::size_t j = i; j < end; ++j) writer.string(lines[j].value, writer.element_of(from, j - i, end - i));
      writer.json.end_array();
    }
    i = end;
  }
  writer.json.end_object();
}

namespace {

bool read_condition(Reader& reader, const Member& member, std::vector<FieldMatch>& conditions) {
  FieldMatch condition{.name = member.key, .kind = FieldMatch::Kind::kEquals, .value = {}};
  if (member.value.kind == Value::Kind::kBool) {
    condition.kind = member.value.boolean ? FieldMatch::Kind::kPresent : FieldMatch::Kind::kAbsent;
  } else if (reader.expect(member.value, Value::Kind::kString, ConditionMap::kValueInfo)) {
    condition.value = member.value.text;
  } else {
    return false;
  }
  conditions.push_back(std::move(condition));
  return true;
}

}  // namespace

void ConditionMap::write(Writer& writer, const std::vector<FieldMatch>& conditions, const Value* source) {
  writer.json.begin_object();
  for (const FieldMatch& condition : conditions) {
    writer.json.key(condition.name);
    if (condition.kind == FieldMatch::Kind::kEquals) {
      writer.string(condition.value, source == nullptr ? nullptr : source->find(condition.name));
    } else {
      writer.json.boolean(condition.kind == FieldMatch::Kind::kPresent);
    }
  }
  writer.json.end_object();
}

bool HeaderConditions::read(Reader& reader, const Value& value, std::vector<FieldMatch>& conditions,
                            const Field& /*field*/) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  conditions.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    if (!reader.accept_key(member, is_token(member.key) ? "" : "not a valid field name")) continue;
    if (!repeated_name(reader, member, conditions)) read_condition(reader, member, conditions);
  }
  return true;
}

bool QueryConditions::read(Reader& reader, const Value& value, std::vector<FieldMatch>& conditions,
                           const Field& /*field*/) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  conditions.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    read_condition(reader, member, conditions);
  }
  return true;
}

std::string password_hash_problem(std::string_view hash) {
  static constexpr std::array<std::string_view, 6> kForms{"$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$"};
  const bool known = std::ranges::any_of(kForms, [hash](std::string_view form) { return hash.starts_with(form); });
  const bool clean = std::ranges::all_of(hash, [](char c) { return c > ' ' && c <= '~' && c != ':'; });
  if (known && clean) return {};
  return "a password is stored as a hash of crypt(3): bcrypt ($2b$, $2y$), SHA-crypt ($5$, $6$) or yescrypt ($y$)";
}

bool UserMap::read(Reader& reader, const Value& value, std::vector<BasicAuthUser>& users, const Field& /*field*/) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  users.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    // RFC 7617 section 2: a user name has no colon and no control characters.
    std::string problem = LabelRules::problem(member.key);
    if (member.key.find(':') != std::string::npos) problem = "a user name has no colon";
    if (!reader.accept_key(member, problem) || !reader.expect(member.value, Value::Kind::kString, kHashInfo)) continue;
    // The text is a secret or was meant to be one: it is not repeated in the message.
    if (const std::string bad = password_hash_problem(member.value.text); !bad.empty()) {
      reader.error(member.value.at, '`' + member.key + "`: " + bad,
                   "make one with: htpasswd -nB NAME, or openssl passwd -6");
      continue;
    }
    users.push_back({member.key, member.value.text});
  }
  return true;
}

void UserMap::write(Writer& writer, const std::vector<BasicAuthUser>& users, const Value* source) {
  writer.json.begin_object();
  for (const BasicAuthUser& user : users) {
    writer.json.key(user.name);
    writer.string(user.hash, source == nullptr ? nullptr : source->find(user.name));
  }
  writer.json.end_object();
}

bool MimeMap::read(Reader& reader, const Value& value, std::vector<handlers::MimeOverride>& types, const Field& field) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  types.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    handlers::MimeOverride entry{.extension = lower_case(member.key), .media_type = {}};
    std::string problem;
    if (entry.extension.empty() || entry.extension.find_first_of("/. ") != std::string::npos)
      problem = "an extension is written without its dot";
    if (std::ranges::find(types, entry.extension, &handlers::MimeOverride::extension) != types.end()) {
      problem = "this extension is given twice (they are compared without case)";
    }
    if (!reader.accept_key(member, problem)) continue;
    if (AsMediaType::read(reader, member.value, entry.media_type, field)) types.push_back(std::move(entry));
  }
  std::ranges::sort(types, {}, &handlers::MimeOverride::extension);
  return true;
}

void MimeMap::write(Writer& writer, const std::vector<handlers::MimeOverride>& types, const Value* source) {
  writer.json.begin_object();
  for (const handlers::MimeOverride& entry : types) {
    writer.json.key(entry.extension);
    writer.string(entry.media_type, source == nullptr ? nullptr : source->find(entry.extension));
  }
  writer.json.end_object();
}

namespace {

// "404" or "4xx", from 400 to 599.
bool parse_status_key(std::string_view key, ErrorPage& page) {
  if (key.size() != 3 || (key[0] != '4' && key[0] != '5')) return false;
  const auto hundreds = static_cast<std::uint16_t>((key[0] - '0') * 100);
  if (key.substr(1) == "xx") {
    page.first_status = hundreds;
    page.last_status = static_cast<std::uint16_t>(hundreds + 99);
    return true;
  }
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!digit(key[1]) || !digit(key[2])) return false;
  page.first_status = page.last_status = static_cast<std::uint16_t>(hundreds + (key[1] - '0') * 10 + (key[2] - '0'));
  return true;
}

}  // namespace

bool ErrorPageMap::read(Reader& reader, const Value& value, std::vector<ErrorPage>& pages, const Field& field) {
  if (!reader.expect(value, Value::Kind::kTable, kInfo)) return false;
  pages.clear();
  for (const Member& member : value.members) {
    const Reader::Step step(reader, member.key);
    ErrorPage page;
    const bool status = parse_status_key(member.key, page);
    if (!reader.accept_key(member, status ? "" : "an error page is for a status from 400 to 599, or for 4xx or 5xx"))
      continue;
    bool good = false;
    if (member.value.kind == Value::Kind::kString) {
      good = AsSitePath::read(reader, member.value, page.path, field);
    } else if (reader.expect(member.value, Value::Kind::kTable, kValueInfo)) {
      good = Codec<ErrorPage>::read(reader, member.value, page, field);
    }
    if (good) pages.push_back(std::move(page));
  }
  return true;
}

void ErrorPageMap::write(Writer& writer, const std::vector<ErrorPage>& pages, const Value* source) {
  writer.json.begin_object();
  for (const ErrorPage& page : pages) {
    const bool one = page.first_status == page.last_status;
    const std::string key = one ? std::to_string(page.first_status) : std::to_string(page.first_status / 100) + "xx";
    const Value* from = source == nullptr ? nullptr : source->find(key);
    writer.json.key(key);
    if (!page.path.empty()) {
      writer.string(page.path, from);
    } else {
      Codec<ErrorPage>::write(writer, page, from);
    }
  }
  writer.json.end_object();
}

}  // namespace tidegate::config
