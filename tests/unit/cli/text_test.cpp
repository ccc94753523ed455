// Numbers and tables for people.
#include "cli/text.h"

#include <doctest/doctest.h>

#include <limits>

namespace tidegate {
namespace {

TEST_CASE("bytes in the largest unit that keeps them above one") {
  CHECK(cli::bytes_text(0) == "0 B");
  CHECK(cli::bytes_text(1023) == "1023 B");
  CHECK(cli::bytes_text(1024) == "1.0 KiB");
  CHECK(cli::bytes_text(1536) == "1.5 KiB");
  CHECK(cli::bytes_text((1U << 20U) - 1) == "1023.9 KiB");
  CHECK(cli::bytes_text(1U << 20U) == "1.0 MiB");
  CHECK(cli::bytes_text(std::uint64_t{3} << 30U) == "3.0 GiB");
  CHECK(cli::bytes_text(std::numeric_limits<std::uint64_t>::max()) == "15.9 EiB");
}

TEST_CASE("times in their two largest units") {
  CHECK(cli::seconds_text(0) == "0 s");
  CHECK(cli::seconds_text(59) == "59 s");
  CHECK(cli::seconds_text(60) == "1 min 0 s");
  CHECK(cli::seconds_text(3'599) == "59 min 59 s");
  CHECK(cli::seconds_text(3'600) == "1 h 0 min");
  CHECK(cli::seconds_text(86'399) == "23 h 59 min");
  CHECK(cli::seconds_text(86'400) == "1 d 0 h");
  CHECK(cli::seconds_text(400 * 86'400 + 5 * 3'600) == "400 d 5 h");
}

TEST_CASE("counts with commas between thousands") {
  CHECK(cli::count_text(0) == "0");
  CHECK(cli::count_text(999) == "999");
  CHECK(cli::count_text(1'000) == "1,000");
  CHECK(cli::count_text(123'456) == "123,456");
  CHECK(cli::count_text(1'234'567) == "1,234,567");
  CHECK(cli::counted(1, "site", "sites") == "1 site");
  CHECK(cli::counted(0, "site", "sites") == "0 sites");
  CHECK(cli::counted(10'000, "site", "sites") == "10,000 sites");
}

TEST_CASE("a table lines its columns up") {
  CHECK(cli::table({{"name", "n"}, {"a", "100"}, {"longer", "2"}}, 1) == " name      n\n a       100\n longer    2\n");
  CHECK(cli::table({{"a", ""}}, 0) == "a\n");
  CHECK(cli::table({}, 3).empty());
}

}  // namespace
}  // namespace tidegate
