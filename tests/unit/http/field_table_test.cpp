// The field table: lookups, repetition, growth, removal, moving bytes.
#include "http/field_table.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tidegate::http;

namespace {

// A table with its text. Fields are added as "name=value".
struct Filled {
  std::string bytes;
  FieldTable table;

  explicit Filled(const std::vector<std::pair<std::string, std::string>>& fields) {
    for (const auto& [name, value] : fields) bytes += name + value;
    table.reset(bytes.data());
    std::uint32_t at = 0;
    for (const auto& [name, value] : fields) {
      const auto name_size = static_cast<std::uint32_t>(name.size());
      const auto value_size = static_cast<std::uint32_t>(value.size());
      CHECK(table.append({at, name_size}, {at + name_size, value_size}, known_field(name)));
      at += name_size + value_size;
    }
  }
};

std::vector<std::pair<std::string, std::string>> numbered(std::size_t count) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (std::size_t i = 0; i < count; ++i) fields.emplace_back("n" + std::to_string(i), "v" + std::to_string(i));
  return fields;
}

}  // namespace

TEST_CASE("field table: empty") {
  FieldTable table;
  table.reset("");
  CHECK(table.empty());
  CHECK_FALSE(table.find(KnownField::kHost));
  CHECK_FALSE(table.find("x"));
  CHECK(table.first_index(KnownField::kHost) == 0);
  CHECK(table.count(KnownField::kHost) == 0);
}

TEST_CASE("field table: known fields") {
  const Filled filled({{"Host", "a"}, {"Cookie", "1"}, {"x", "y"}, {"cookie", "2"}, {"COOKIE", "3"}, {"Accept", ""}});
  const FieldTable& table = filled.table;
  CHECK(table.size() == 6);
  CHECK(table.find(KnownField::kHost) == "a");
  CHECK(table.find(KnownField::kCookie) == "1");
  CHECK(table.find(KnownField::kAccept) == "");
  CHECK_FALSE(table.find(KnownField::kRange));
  CHECK(table.count(KnownField::kHost) == 1);
  CHECK(table.count(KnownField::kCookie) == 3);
  CHECK_FALSE(table.is_repeated(KnownField::kHost));
  CHECK(table.is_repeated(KnownField::kCookie));
  CHECK(table.find_next(KnownField::kCookie, 2) == 3);
  CHECK(table.find_next(KnownField::kCookie, 5) == 6);
  CHECK(table.find_next(KnownField::kHost, 0) == 0);
  CHECK(table.find_next(KnownField::kHost, 1) == 6);
  CHECK(table.find_next(KnownField::kRange, 0) == 6);
  CHECK(table.contains_any(bit_of(KnownField::kRange) | bit_of(KnownField::kHost)));
  CHECK_FALSE(table.contains_any(bit_of(KnownField::kRange)));
  std::string joined;
  table.for_each(KnownField::kCookie, [&](std::string_view value) { joined += value; });
  CHECK(joined == "123");
}

TEST_CASE("field table: by name") {
  const Filled filled({{"X-A", "1"}, {"x-a", "2"}, {"Host", "h"}});
  CHECK(filled.table.find("x-A") == "1");
  CHECK(filled.table.find("HOST") == "h");
  CHECK_FALSE(filled.table.find("X_A"));
  CHECK_FALSE(filled.table.find(""));
}

TEST_CASE("field table: growth") {
  for (const std::size_t count :
       {std::size_t{64}, std::size_t{65}, std::size_t{256}, std::size_t{257}, std::size_t{1024}}) {
    CAPTURE(count);
    Filled filled(numbered(count));
    REQUIRE(filled.table.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(filled.table.name(i) == "n" + std::to_string(i));
      CHECK(filled.table.value(i) == "v" + std::to_string(i));
    }
    filled.table.release_memory();
    CHECK(filled.table.empty());
    CHECK(filled.table.append({0, 1}, {1, 1}, KnownField::kUnknown));
    CHECK(filled.table.name(0) == "n");
  }
}

TEST_CASE("field table: full") {
  Filled filled(numbered(FieldTable::kMaxFields));
  CHECK_FALSE(filled.table.append({0, 1}, {1, 1}, KnownField::kUnknown));
  CHECK(filled.table.size() == FieldTable::kMaxFields);
}

TEST_CASE("field table: longest name") {
  const std::string bytes(70'000, 'a');
  FieldTable table;
  table.reset(bytes.data());
  CHECK(table.append({0, 65'535}, {0, 0}, KnownField::kUnknown));
  CHECK_FALSE(table.append({0, 65'536}, {0, 0}, KnownField::kUnknown));
  CHECK(table.size() == 1);
  CHECK(table.name(0).size() == 65'535);
}

TEST_CASE("field table: removal") {
  Filled filled({{"Host", "a"}, {"x", "1"}, {"Host", "b"}, {"x", "2"}, {"Cookie", "c"}});
  filled.table.remove_if([](std::size_t i) { return i == 0 || i == 3; });
  CHECK(filled.table.size() == 3);
  CHECK(filled.table.value(0) == "1");
  CHECK(filled.table.find(KnownField::kHost) == "b");
  CHECK_FALSE(filled.table.is_repeated(KnownField::kHost));
  CHECK(filled.table.first_index(KnownField::kCookie) == 2);
  filled.table.remove_if([](std::size_t) { return true; });
  CHECK(filled.table.empty());
  CHECK_FALSE(filled.table.contains(KnownField::kHost));
}

TEST_CASE("field table: moving bytes and copies of the table") {
  for (const std::size_t count : {std::size_t{3}, std::size_t{100}}) {
    auto fields = numbered(count);
    fields.emplace_back("Host", "h");
    fields.emplace_back("Host", "i");
    Filled filled(fields);
    const std::string moved = filled.bytes;
    FieldTable copy;
    copy.assign(filled.table, moved.data());
    filled.bytes.assign(filled.bytes.size(), '#');
    CHECK(copy.size() == count + 2);
    CHECK(copy.name(1) == "n1");
    CHECK(copy.name(count - 1).data() > moved.data());
    CHECK(copy.find(KnownField::kHost) == "h");
    CHECK(copy.count(KnownField::kHost) == 2);
    filled.table.rebase(moved.data());
    CHECK(filled.table.value(0) == "v0");
    filled.table.assign(filled.table, moved.data());
    CHECK(filled.table.size() == count + 2);
  }
}

TEST_CASE("field table: reset forgets") {
  Filled filled({{"Host", "a"}, {"Host", "b"}});
  filled.table.reset("Hostc");
  CHECK(filled.table.empty());
  CHECK_FALSE(filled.table.contains(KnownField::kHost));
  CHECK(filled.table.append({0, 4}, {4, 1}, KnownField::kHost));
  CHECK(filled.table.find(KnownField::kHost) == "c");
  CHECK_FALSE(filled.table.is_repeated(KnownField::kHost));
}
