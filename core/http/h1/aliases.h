// Field names that programs behind this server could take for other names.
//
// CGI, PHP, Python and others hand a field on as a variable in which '-' and every other mark become '_': Content_Length
// and X.Forwarded.For arrive there as Content-Length and X-Forwarded-For. A client could so set a field that this
// server checked, replaced or removed.
//
// Rule: two names are aliases if they differ only in case and in which mark ('-', '_', '.' or any other token character
// that is neither letter nor digit) stands at a place. A field whose name has a mark other than '-' is dropped when its
// name is an alias of a known field (known_fields.h) or of another, differently written name in the same message.
// Any other name with such a mark (api_key) passes. A dropped field still counts for header_count.
//
// Owner: http/h1. Thread: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/field_table.h"
#include "http/h1/scan.h"

namespace tidegate::http::h1 {

/// True if the name has a mark other than '-', so that it may be an alias. The name must be a token.
[[nodiscard]] inline bool has_alias_mark(const ScanOps& ops, std::string_view name) noexcept {
  return ops.find_not(name.data(), name.size(), kPlainNameBytes) != name.size();
}

/// True if both names are aliases of each other, or equal but for case. For handlers that set a field of their own on
/// the way to an upstream: they remove every alias of it that the client sent.
[[nodiscard]] bool are_aliases(std::string_view a, std::string_view b) noexcept;

/// True if the name is an alias of a known field without being its name.
[[nodiscard]] bool is_alias_of_known_field(std::string_view name) noexcept;

/// Drops fields by the rule above. Gives the number dropped. Cost: fields with a mark times all fields.
std::uint16_t drop_aliases(const ScanOps& ops, FieldTable& fields) noexcept;

}  // namespace tidegate::http::h1
