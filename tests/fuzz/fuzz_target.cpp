// Fuzzes path normalisation: the result is absolute, free of NUL, dot segments and double slashes, the same when done in
// place, and stable: encoded and normalised again it stays what it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "http/semantics/target.h"

namespace http = tidegate::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void check_form(std::string_view path, std::size_t raw_size) {
  if (path.empty() || path.front() != '/') std::abort();
  if (raw_size > 0 && path.size() > raw_size) std::abort();
  if (path.find('\0') != std::string_view::npos || path.find("//") != std::string_view::npos) std::abort();
  if (path.find("/./") != std::string_view::npos || path.find("/../") != std::string_view::npos) std::abort();
  if (path.ends_with("/.") || path.ends_with("/..")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view target(reinterpret_cast<const char*>(data), size);
  const http::TargetParts parts = http::split_target(target);
  if (parts.path.size() + parts.query.size() + (parts.has_query ? 1 : 0) != size) std::abort();

  std::vector<char> buffer(parts.path.size());  // exactly as long as the contract asks for
  const auto result = http::normalize_path(parts.path, buffer);
  std::string in_place(parts.path);
  const auto twin = http::normalize_path(in_place, in_place);
  if (result.has_value() != twin.has_value()) std::abort();
  if (!result) {
    if (result.error() != twin.error() || http::describe(result.error()).empty()) std::abort();
    return 0;
  }
  if (result->text != twin->text || result->has_encoded_slash != twin->has_encoded_slash) std::abort();
  check_form(result->text, parts.path.size());
  if (!parts.path.empty() && result->is_rewritten != (result->text != parts.path)) std::abort();

  std::string encoded;
  http::append_encoded_path(encoded, result->text);
  if (encoded.size() != http::encoded_path_size(result->text)) std::abort();
  for (const char c : encoded) {
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F || c == '"' || c == '<' ||
        c == '\\') {
      std::abort();
    }
  }
  std::vector<char> again_buffer(encoded.size());
  const auto again = http::normalize_path(encoded, again_buffer);
  if (!again || again->text != result->text) std::abort();
  if (again->has_control_byte && !result->has_control_byte) std::abort();  // a removed segment may have had one
  return 0;
}
