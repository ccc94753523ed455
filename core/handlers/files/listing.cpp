#include "handlers/files/listing.h"

#include <array>
#include <vector>

#include "http/semantics/negotiation.h"

namespace tidegate::handlers {

namespace {

constexpr std::size_t kEntriesMax = 100'000;

// What a listing shows: what could be asked for. Special files and links that lead out are left away.
bool shown(const sys::DirectoryEntry& entry, const FilesSettings& settings) {
  if (!settings.hidden && entry.name.starts_with('.')) return false;
  return entry.stat.kind != sys::FileKind::kOther;
}

}  // namespace

ListingRequest listing_request_of(const pipeline::RoutedExchange& exchange, const FilesSettings& settings) {
  std::array<std::string_view, 8> lines;
  std::size_t count = 0;
  exchange.fields->for_each(http::KnownField::kAccept, [&](std::string_view value) {
    if (count < lines.size()) lines[count++] = value;
  });
  constexpr std::array<std::string_view, 2> kOffers{"text/html", "application/json"};
  const auto chosen = http::choose_media_type({lines.data(), count}, kOffers);
  ListingRequest request;
  request.url_path = exchange.request.path;
  request.url_base = settings.strip_prefix.empty() ? "/" : settings.strip_prefix;
  if (!request.url_base.ends_with('/')) request.url_base += '/';
  if (!request.url_path.starts_with(request.url_base)) request.url_base = "/";
  request.order = parse_listing_order(exchange.request.query);
  request.json = chosen == 1;
  return request;
}

base::Result<std::string> make_listing(const FilesRoot& root, std::string_view path, const ListingRequest& request) {
  const std::string below(path.substr(1));
  const sys::Links links = links_of(*root.settings);
  const auto opened = sys::open_beneath(root.directory, below.empty() ? "." : below.c_str(), links, sys::Wait::kMayBlock);
  if (!opened) return std::unexpected(opened.error());
  if (opened->file == sys::kNoFile) return std::unexpected(base::Error{.code = base::Code::kNotFound, .domain = base::Domain::kHandler});
  const auto found = sys::list_directory(opened->file, links, kEntriesMax);
  sys::close_file(opened->file);
  if (!found) return std::unexpected(found.error());
  std::vector<ListingEntry> entries;
  for (const sys::DirectoryEntry& entry : *found) {
    if (!shown(entry, *root.settings)) continue;
    entries.push_back({.name = entry.name,
                       .is_dir = entry.stat.kind == sys::FileKind::kDirectory,
                       .size = entry.stat.size,
                       .modified_s = entry.stat.modified_ns / 1'000'000'000});
  }
  sort_listing(entries, request.order);
  const ListingPage page{.path = request.url_path, .base = request.url_base, .entries = entries, .order = request.order};
  return request.json ? render_listing_json(page) : render_listing_html(page);
}

void set_listing_response(pipeline::RoutedExchange& exchange, std::string_view page, const ListingRequest& request) {
  exchange.add_field("Content-Type", request.json ? "application/json" : "text/html; charset=utf-8");
  exchange.add_field("Vary", "Accept");
  exchange.add_field("Cache-Control", "no-cache");
  if (!request.json) exchange.add_field("Content-Security-Policy", listing_policy());
  exchange.response.body.bytes = exchange.arena.copy(page);
}

}  // namespace tidegate::handlers
