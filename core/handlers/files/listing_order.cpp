// Sorting of directory listings. See listing_page.h.
#include <algorithm>
#include <cstddef>

#include "handlers/files/listing_page.h"
#include "http/semantics/chars.h"

namespace tidegate::handlers {
namespace {

// The run of digits at `at`, without leading zeros. Moves `at` behind it.
std::string_view take_number(std::string_view text, std::size_t& at) noexcept {
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t start = at;
  while (at < text.size() && http::is_digit(text[at])) ++at;
  return text.substr(start, at - start);
}

int compare_numbers(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::optional<ListingKey> key_from(std::string_view value) noexcept {
  if (value == "name") return ListingKey::kName;
  if (value == "size") return ListingKey::kSize;
  if (value == "time") return ListingKey::kTime;
  return std::nullopt;
}

std::optional<bool> is_descending_from(std::string_view value) noexcept {
  if (value == "asc") return false;
  if (value == "desc") return true;
  return std::nullopt;
}

int compare_keys(const ListingEntry& a, const ListingEntry& b, ListingKey key) noexcept {
  if (key == ListingKey::kSize && !a.is_dir && a.size != b.size) return a.size < b.size ? -1 : 1;
  if (key == ListingKey::kTime && a.modified_s != b.modified_s) return a.modified_s < b.modified_s ? -1 : 1;
  return 0;
}

}  // namespace

ListingOrder parse_listing_order(std::string_view query) noexcept {
  std::optional<ListingKey> key;
  std::optional<bool> is_descending;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (!key && pair.starts_with("sort=")) key = key_from(pair.substr(5));
    if (!is_descending && pair.starts_with("order=")) is_descending = is_descending_from(pair.substr(6));
  }
  const ListingKey used = key.value_or(ListingKey::kName);
  return {.key = used, .is_descending = is_descending.value_or(used != ListingKey::kName)};
}

int compare_names(std::string_view a, std::string_view b) noexcept {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (http::is_digit(a[i]) && http::is_digit(b[j])) {
      const std::string_view left = take_number(a, i);
      const std::string_view right = take_number(b, j);
      if (const int result = compare_numbers(left, right); result != 0) return result;
      continue;
    }
    const auto left = static_cast<unsigned char>(http::to_lower(a[i++]));
    const auto right = static_cast<unsigned char>(http::to_lower(b[j++]));
    if (left != right) return left < right ? -1 : 1;
  }
  if (i < a.size() || j < b.size()) return i < a.size() ? 1 : -1;
  return a.compare(b);
}

void sort_listing(std::span<ListingEntry> entries, ListingOrder order) {
  std::ranges::sort(entries, [order](const ListingEntry& a, const ListingEntry& b) {
    if (a.is_dir != b.is_dir) return a.is_dir;
    int result = compare_keys(a, b, order.key);
    if (result == 0 && order.key != ListingKey::kName) return compare_names(a.name, b.name) < 0;
    if (result == 0) result = compare_names(a.name, b.name);
    return order.is_descending ? result > 0 : result < 0;
  });
}

}  // namespace tidegate::handlers
