// Directory listings as HTML and JSON. See listing_page.h.
#include "handlers/files/listing_page.h"

#include <array>
#include <cstddef>

#include "handlers/files/listing_style.h"
#include "handlers/files/mime.h"
#include "pipeline/pages/page_text.h"
#include "http/semantics/date.h"
#include "http/semantics/target.h"

namespace tidegate::handlers {

using namespace pages;
namespace {

using http::PathEncoding;

constexpr std::size_t kBytesPerRow = 420;  // of HTML, so that one reservation is enough as a rule

struct Column {
  ListingKey key;
  std::string_view title;
  std::string_view parameter;
};

constexpr std::array<Column, 3> kColumns = {{{ListingKey::kName, "Name", "name"},
                                             {ListingKey::kSize, "Size", "size"},
                                             {ListingKey::kTime, "Modified", "time"}}};

// The query that asks for an order, as it stands in an attribute. Empty for the order that is given unasked.
std::string order_query(ListingOrder order) {
  if (order == ListingOrder{}) return {};
  std::string query = "?sort=";
  query += kColumns[static_cast<std::size_t>(order.key)].parameter;
  query += "&amp;order=";
  query += order.is_descending ? "desc" : "asc";
  return query;
}

// The symbol for a file, by its media type.
char icon_of(std::string_view name) noexcept {
  const std::string_view type = media_type_for(name, {}, "");
  if (type.starts_with("image/")) return 'p';
  if (type.starts_with("video/")) return 'v';
  if (type.starts_with("audio/")) return 'a';
  if (type == "application/pdf" || type == "application/epub+zip") return 'b';
  if (type.starts_with("application/vnd.openxml") || type.starts_with("application/vnd.oasis")) return 't';
  for (const std::string_view archive :
       {"zip", "gzip", "x-bzip2", "x-xz", "zstd", "x-tar", "x-7z-compressed", "vnd.rar", "java-archive",
        "x-iso9660-image", "vnd.debian.binary-package", "x-rpm"}) {
    if (type.starts_with("application/") && type.substr(12) == archive) return 'z';
  }
  if (type == "text/plain") {
    const std::string_view extension = extension_of(name);
    const bool is_prose = extension.empty() || extension == "txt" || extension == "log" || extension == "rst";
    return is_prose ? 't' : 'c';
  }
  if (type == "text/markdown" || type == "text/csv") return 't';
  if (type.starts_with("text/") || type.ends_with("json") || type.ends_with("xml") || type.ends_with("yaml"))
    return 'c';
  return type == "application/toml" || type == "application/wasm" || type == "application/sql" ? 'c' : 'f';
}

void append_icon(std::string& out, char icon) {
  out += "<svg class=\"i ";
  out += icon;
  out += "\" aria-hidden=\"true\"><use href=\"#";
  out += icon;
  out += "\"/></svg>";
}

// "./name" or "./name/": the leading "./" keeps any name from being read as something else.
void append_href(std::string& out, const ListingEntry& entry) {
  out += "./";
  http::append_encoded_path(out, entry.name, PathEncoding::kSegment);
  if (entry.is_dir) out += '/';
}

void append_time(std::string& out, std::int64_t modified_s) {
  std::array<char, http::kRfc3339Size> buffer;
  http::format_rfc3339(modified_s, buffer);
  const std::string_view text(buffer.data(), buffer.size());
  out += "<time datetime=\"";
  out += text;
  out += "\" title=\"";
  out += text.substr(0, 10);
  out += ' ';
  out += text.substr(11, 8);
  out += " UTC\">";
  out += text.substr(0, 10);
  out += "<span> ";
  out += text.substr(11, 5);
  out += "</span></time>";
}

void append_size(std::string& out, std::uint64_t size) {
  const std::string exact = std::to_string(size);
  out += "<data value=\"";
  out += exact;
  out += "\" title=\"";
  out += exact;
  out += size == 1 ? " byte\">" : " bytes\">";
  out += format_size(size);
  out += "</data>";
}

void append_row(std::string& out, const ListingEntry& entry, std::string_view query) {
  out += "<tr><td><a href=\"";
  append_href(out, entry);
  if (entry.is_dir) out += query;
  out += "\">";
  append_icon(out, entry.is_dir ? 'd' : icon_of(entry.name));
  out += "<bdi>";
  append_html(out, entry.name);
  if (entry.is_dir) out += '/';
  out += "</bdi></a></td><td>";
  if (entry.is_dir) {
    out += "\u2014";
  } else {
    append_size(out, entry.size);
  }
  out += "</td><td>";
  append_time(out, entry.modified_s);
  out += "</td></tr>\n";
}

void append_parent_row(std::string& out, std::string_view query) {
  out += "<tr><td><a href=\"../";
  out += query;
  out += "\">";
  append_icon(out, 'u');
  out += "<bdi>Parent folder</bdi></a></td><td></td><td></td></tr>\n";
}

// A link that sorts by the column: the other way round if it is the present one, else the way that is useful first.
void append_column_head(std::string& out, const Column& column, ListingOrder order) {
  const bool is_current = column.key == order.key;
  const bool next_is_descending = is_current ? !order.is_descending : column.key != ListingKey::kName;
  out += "<th scope=\"col\"";
  if (is_current) out += order.is_descending ? " aria-sort=\"descending\"" : " aria-sort=\"ascending\"";
  out += "><a href=\"";
  const std::string query = order_query({.key = column.key, .is_descending = next_is_descending});
  out += query.empty() ? "./" : query;
  out += "\">";
  out += column.title;
  if (is_current)
    out +=
        order.is_descending ? " <span aria-hidden=\"true\">\u2193</span>" : " <span aria-hidden=\"true\">\u2191</span>";
  out += "</a></th>";
}

// The path as links upwards. The last part is the directory itself and is no link.
void append_breadcrumbs(std::string& out, std::string_view path, std::string_view base, std::string_view query) {
  std::string_view rest = path.starts_with(base) ? path.substr(base.size()) : std::string_view();
  std::size_t depth = 0;
  for (const char c : rest) depth += c == '/' ? 1U : 0U;

  const auto append_part = [&](std::string_view label) {
    if (depth > 0) {
      out += "<a href=\"";
      for (std::size_t i = 0; i < depth; ++i) out += "../";
      out += query;
      out += "\"><bdi>";
    } else {
      out += "<bdi aria-current=\"page\">";
    }
    append_html(out, label);
    out += depth > 0 ? "</bdi></a>" : "</bdi>";
  };

  out += "<nav aria-label=\"Path\"><h1>";
  append_part(base == "/" ? std::string_view("Home") : base.substr(0, base.size() - 1));
  while (depth > 0) {
    --depth;
    const std::size_t end = rest.find('/');
    out += "<i>/</i>";
    append_part(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  out += "</h1></nav>\n";
}

void append_count(std::string& out, std::uint64_t count, std::string_view noun) {
  out += std::to_string(count);
  out += ' ';
  out += noun;
  if (count != 1) out += 's';
}

void append_summary(std::string& out, const ListingPage& page) {
  std::uint64_t dirs = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  for (const ListingEntry& entry : page.entries) {
    ++(entry.is_dir ? dirs : files);
    if (!entry.is_dir) bytes += entry.size;
  }
  out += "<p class=\"sum\">";
  append_count(out, dirs, "folder");
  out += ", ";
  append_count(out, files, "file");
  if (files > 0) {
    out += ", ";
    out += format_size(bytes);
  }
  out += "</p>\n";
}

void append_head(std::string& out, std::string_view path) {
  out += kHeadStart;
  out += "<title>";
  append_html(out, path);
  out += "</title><style>";
  out += kListingStyle;
  out += "</style></head>\n<body>";
  out += kListingIcons;
}

void append_table(std::string& out, const ListingPage& page, std::string_view query) {
  out += "<table><thead><tr>";
  for (const Column& column : kColumns) append_column_head(out, column, page.order);
  out += "</tr></thead>\n<tbody>\n";
  if (page.path != page.base) append_parent_row(out, query);
  for (const ListingEntry& entry : page.entries) append_row(out, entry, query);
  out += "</tbody></table>";
}

}  // namespace

std::string format_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 7> kUnits = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  if (bytes < 1024) return std::to_string(bytes).append(kUnits[0]);
  std::size_t unit = 1;
  std::uint64_t scale = 1024;
  while (unit + 1 < kUnits.size() && bytes / scale >= 1024) {
    scale *= 1024;
    ++unit;
  }
  const std::uint64_t remainder = bytes % scale;  // below 2^60, so ten times it still fits
  const std::uint64_t tenths = bytes / scale * 10 + (remainder * 10 + scale / 2) / scale;
  if (tenths < 100) {
    std::string text = std::to_string(tenths / 10);
    text += '.';
    text += static_cast<char>('0' + tenths % 10);
    return text.append(kUnits[unit]);
  }
  const std::uint64_t rounded = bytes / scale + (remainder >= scale / 2 ? 1 : 0);
  if (rounded >= 1024 && unit + 1 < kUnits.size()) return std::string("1.0").append(kUnits[unit + 1]);
  return std::to_string(rounded).append(kUnits[unit]);
}

std::string render_listing_html(const ListingPage& page) {
  const std::string query = order_query(page.order);
  std::string out;
  out.reserve(8192 + page.entries.size() * kBytesPerRow);
  append_head(out, page.path);
  out += "<main>";
  append_breadcrumbs(out, page.path, page.base, query);
  append_summary(out, page);
  out += "<div class=\"card\">";
  append_table(out, page, query);
  if (page.entries.empty()) out += "<p class=\"empty\">This folder is empty.</p>";
  if (page.omitted > 0) {
    out += "<p class=\"note\">Not shown: ";
    append_count(out, page.omitted, "more item");
    out += ".</p>";
  }
  out += "</div></main>\n<footer>Tidegate</footer></body></html>\n";
  return out;
}

std::string render_listing_json(const ListingPage& page) {
  std::string out;
  out.reserve(64 + page.entries.size() * 160);
  out += '[';
  bool is_first = true;
  for (const ListingEntry& entry : page.entries) {
    out += is_first ? "\n{\"name\":" : ",\n{\"name\":";
    is_first = false;
    append_json(out, entry.name);
    out += entry.is_dir ? ",\"type\":\"directory\"" : ",\"type\":\"file\"";
    if (!entry.is_dir) {
      out += ",\"size\":";
      out += std::to_string(entry.size);
    }
    std::array<char, http::kRfc3339Size> time;
    http::format_rfc3339(entry.modified_s, time);
    out += ",\"mtime\":\"";
    out.append(time.data(), time.size());
    out += "\",\"href\":\"";
    append_href(out, entry);  // percent-encoded, so nothing in it needs escaping
    out += "\"}";
  }
  out += "\n]\n";
  return out;
}

std::string_view listing_policy() noexcept { return PagePolicy<kListingStyle>::kText; }

}  // namespace tidegate::handlers
