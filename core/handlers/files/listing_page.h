// Directory listings: the page for people and the JSON for programs.
//
// Owner: handlers/files. Thread: any. Pure: entries in, text out; reads no directory and knows no request.
//
// The page needs no script and no other resource; sorting works by links. It may be served under any prefix, since every
// link in it is relative. The answer depends on Accept, so send `Vary: Accept` with both forms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tidegate::handlers {

struct ListingEntry {
  std::string name;  // as the file system has it: any bytes but '/' and NUL
  bool is_dir = false;
  std::uint64_t size = 0;       // bytes; not looked at for directories
  std::int64_t modified_s = 0;  // seconds since 1970
};

enum class ListingKey : std::uint8_t { kName, kSize, kTime };

struct ListingOrder {
  ListingKey key = ListingKey::kName;
  bool is_descending = false;

  friend bool operator==(const ListingOrder&, const ListingOrder&) = default;
};

/// Reads `sort=name|size|time` and `order=asc|desc` from a query (no '?'). Other parameters and unknown values are passed
/// over; the first good value of each counts. Without `order`, names ascend, sizes and times descend.
[[nodiscard]] ListingOrder parse_listing_order(std::string_view query) noexcept;

/// Compares names as people do: digits by their value ("file9" before "file10"), letters without case; names that are
/// equal so are ordered by their bytes. Negative, zero or positive, as strcmp.
[[nodiscard]] int compare_names(std::string_view a, std::string_view b) noexcept;

/// Sorts in place: directories always first. Directories have no size, so by size they are ordered by name. Entries that
/// are equal in the key are ordered by ascending name.
void sort_listing(std::span<ListingEntry> entries, ListingOrder order);

struct ListingPage {
  std::string_view path;        // of the directory, decoded; starts and ends with '/'
  std::string_view base = "/";  // where the tree begins: no link leads above it; a prefix of `path`, ends with '/'
  std::span<const ListingEntry> entries;  // in the order in which they are shown
  ListingOrder order;                     // how they were sorted
  std::uint64_t omitted = 0;              // entries left out because a limit was reached
};

/// The page, `text/html; charset=utf-8`. To be sent with listing_policy() as Content-Security-Policy.
[[nodiscard]] std::string render_listing_html(const ListingPage& page);

/// The same as `application/json`: an array of {"name","type","size","mtime","href"}. `type` is "directory" or "file",
/// `size` is missing for directories, `mtime` is RFC 3339 in UTC. Where a name is not UTF-8, `name` has replacement
/// characters; `href` always leads to the entry, relative to the directory.
[[nodiscard]] std::string render_listing_json(const ListingPage& page);

/// Content-Security-Policy of the page: no script, no other source, the one style by its hash.
[[nodiscard]] std::string_view listing_policy() noexcept;

/// "0 B", "999 B", "1.0 KiB", "12 MiB": units of 1024, rounded half up, one decimal below ten. Public for its tests.
[[nodiscard]] std::string format_size(std::uint64_t bytes);

}  // namespace tidegate::handlers
