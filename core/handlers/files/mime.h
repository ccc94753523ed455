// Media types by file name (RFC 9110 section 8.3).
//
// Owner: handlers/files. Thread: any. The table is built at compile time; a look-up neither allocates nor locks.
//
// Choices worth knowing: source code and configuration are text/plain, so that a browser shows and never runs them;
// `.ts` is an MPEG transport stream, as HLS players need, but `.d.ts` is text; JSON, JavaScript modules and XML formats
// follow the IANA registry. A route overrides any of them in its `mime` setting.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "handlers/files/settings.h"

namespace tidegate::handlers {

/// The extension that decides: what follows the last dot of the last path component, as spelled. Empty if there is no
/// dot, if the name only starts with one, or if it ends with one.
[[nodiscard]] std::string_view extension_of(std::string_view path) noexcept;

/// The media type for a file name or path, without charset. Asked in this order: `overrides` (sorted by extension, lower
/// case, no dot), names that are text without an extension (README, Makefile), the built-in table, `default_type`. Case
/// does not matter. The result views the overrides, static text or `default_type`.
[[nodiscard]] std::string_view media_type_for(std::string_view path, std::span<const MimeOverride> overrides,
                                              std::string_view default_type) noexcept;

/// True for text/* types that say no charset yet: for them a charset should be named, since the old default of browsers is
/// not UTF-8. JSON, XML and SVG carry or define their own encoding.
[[nodiscard]] bool wants_charset(std::string_view media_type) noexcept;

/// Appends the value of Content-Type: the type, and `; charset=...` where it is wanted and `charset` is not empty.
void append_content_type(std::string& out, std::string_view media_type, std::string_view charset);

/// Number of extensions that the built-in table knows.
[[nodiscard]] std::size_t known_extension_count() noexcept;

}  // namespace tidegate::handlers
