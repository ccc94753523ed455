// Media type look-up. See mime.h.
#include "handlers/files/mime.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>

#include "handlers/files/mime_table.h"
#include "http/semantics/chars.h"

namespace tidegate::handlers {
namespace {

constexpr std::size_t kMaxKey = 16;  // the longest extension or name that can be looked up, in bytes

// A short text in lower case, packed so that comparing two of them is comparing numbers. A NUL byte has no key, because
// it would look like padding.
struct Key {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr auto operator<=>(const Key&, const Key&) = default;
};

constexpr std::optional<Key> make_key(std::string_view text) noexcept {
  if (text.empty() || text.size() > kMaxKey) return std::nullopt;
  Key key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint64_t byte = static_cast<unsigned char>(http::to_lower(text[i]));
    if (byte == 0) return std::nullopt;
    (i < 8 ? key.high : key.low) |= byte << (56 - 8 * (i % 8));
  }
  return key;
}

struct Entry {
  Key key;
  std::uint16_t line = 0;  // index in kMimeLines
};

// Calls `visit` for each word of a text with single spaces.
template <typename Visit>
consteval void for_each_word(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

consteval std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  for_each_word(text, [&count](std::string_view) { ++count; });
  return count;
}

consteval std::size_t count_extensions() {
  std::size_t count = 0;
  for (const MimeLine& line : kMimeLines) count += count_words(line.extensions);
  return count;
}

consteval auto make_table() {
  std::array<Entry, count_extensions()> table{};
  std::size_t size = 0;
  std::uint16_t index = 0;
  for (const MimeLine& line : kMimeLines) {
    for_each_word(line.extensions, [&](std::string_view word) { table[size++] = {*make_key(word), index}; });
    ++index;
  }
  std::ranges::sort(table, {}, &Entry::key);
  return table;
}

consteval auto make_text_names() {
  std::array<Key, count_words(kTextNames)> names{};
  std::size_t size = 0;
  for_each_word(kTextNames, [&](std::string_view word) { names[size++] = *make_key(word); });
  std::ranges::sort(names);
  return names;
}

constexpr auto kTable = make_table();
constexpr auto kNames = make_text_names();

static_assert(std::ranges::adjacent_find(kTable, {}, &Entry::key) == kTable.end(), "an extension stands twice");
static_assert(std::ranges::adjacent_find(kNames) == kNames.end(), "a name stands twice");

constexpr std::string_view kPlainText = "text/plain";

std::string_view file_name_of(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool ends_with_ignore_case(std::string_view text, std::string_view suffix) noexcept {
  return text.size() >= suffix.size() && http::equals_ignore_case(text.substr(text.size() - suffix.size()), suffix);
}

// Overrides are few, and their extensions may be of any length: a plain scan keeps this simple.
const MimeOverride* find_override(std::span<const MimeOverride> overrides, std::string_view extension) noexcept {
  for (const MimeOverride& entry : overrides) {
    if (http::equals_ignore_case(entry.extension, extension)) return &entry;
  }
  return nullptr;
}

}  // namespace

std::string_view extension_of(std::string_view path) noexcept {
  const std::string_view name = file_name_of(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot + 1);
}

std::string_view media_type_for(std::string_view path, std::span<const MimeOverride> overrides,
                                std::string_view default_type) noexcept {
  const std::string_view extension = extension_of(path);
  if (extension.empty()) {
    const auto name = make_key(file_name_of(path));
    return name && std::ranges::binary_search(kNames, *name) ? kPlainText : default_type;
  }
  if (const MimeOverride* entry = find_override(overrides, extension)) return entry->media_type;
  if (ends_with_ignore_case(path, ".d.ts")) return kPlainText;
  const auto key = make_key(extension);
  if (!key) return default_type;
  const auto found = std::ranges::lower_bound(kTable, *key, {}, &Entry::key);
  if (found == kTable.end() || found->key != *key) return default_type;
  return kMimeLines[found->line].media_type;
}

bool wants_charset(std::string_view media_type) noexcept {
  if (!http::equals_ignore_case(media_type.substr(0, 5), "text/")) return false;
  constexpr std::string_view kCharset = "charset=";
  for (std::size_t i = 0; i + kCharset.size() <= media_type.size(); ++i) {
    if (http::equals_ignore_case(media_type.substr(i, kCharset.size()), kCharset)) return false;
  }
  return true;
}

void append_content_type(std::string& out, std::string_view media_type, std::string_view charset) {
  out += media_type;
  if (charset.empty() || !wants_charset(media_type)) return;
  out += "; charset=";
  out += charset;
}

std::size_t known_extension_count() noexcept { return kTable.size(); }

}  // namespace tidegate::handlers
