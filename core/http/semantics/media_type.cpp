// Media types. See media_type.h.
#include "http/semantics/media_type.h"

#include <algorithm>
#include <array>

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

constexpr std::array<std::string_view, 22> kCompressible = {
    "application/javascript",
    "application/json",
    "application/json5",
    "application/jsonl",
    "application/manifest+json",
    "application/pgp-keys",
    "application/rtf",
    "application/sql",
    "application/toml",
    "application/vnd.apple.mpegurl",
    "application/vnd.ms-fontobject",
    "application/wasm",
    "application/x-ndjson",
    "application/x-tar",
    "application/xml",
    "application/yaml",
    "font/collection",
    "font/otf",
    "font/ttf",
    "image/bmp",
    "image/vnd.microsoft.icon",
    "model/stl",
};

bool ends_with_ignore_case(std::string_view text, std::string_view suffix) noexcept {
  return text.size() >= suffix.size() && equals_ignore_case(text.substr(text.size() - suffix.size()), suffix);
}

}  // namespace

std::string_view media_type_essence(std::string_view content_type) noexcept {
  return trim_ows(content_type.substr(0, content_type.find(';')));
}

bool is_compressible_type(std::string_view content_type) noexcept {
  const std::string_view type = media_type_essence(content_type);
  if (equals_ignore_case(type, "text/event-stream")) return false;
  if (equals_ignore_case(type.substr(0, 5), "text/")) return true;
  if (ends_with_ignore_case(type, "+json") || ends_with_ignore_case(type, "+xml")) return true;
  return std::ranges::any_of(kCompressible, [type](std::string_view entry) { return equals_ignore_case(entry, type); });
}

}  // namespace tidegate::http
