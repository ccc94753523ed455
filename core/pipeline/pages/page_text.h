// Escaping of foreign text for the pages that Tidegate itself makes: HTML text and attributes, and JSON strings.
//
// Owner: pipeline. Thread: any. Appends to a string of the caller.
//
// Input may be any bytes (file names need not be UTF-8). Each maximal part that is not well-formed UTF-8 becomes
// U+FFFD, so that the output always is.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::pages {

/// Takes one code point off the front of `rest`, which must not be empty. What is not well-formed UTF-8 (overlong forms,
/// surrogates, beyond U+10FFFF, cut off) gives U+FFFD and takes the bytes that could not be used, at least one.
[[nodiscard]] char32_t take_code_point(std::string_view& rest) noexcept;

void append_utf8(std::string& out, char32_t code_point);

/// Appends text for an HTML element or a quoted attribute. `& < > " '` become references. Control characters are shown
/// by their pictures (a line feed as U+240A), and the marks that reorder text (U+202A to U+202E, U+2066 to U+2069)
/// become U+FFFD, so that a name cannot pretend to end in another extension.
void append_html(std::string& out, std::string_view text);

/// Appends a JSON string with its quotes (RFC 8259 section 7).
void append_json(std::string& out, std::string_view text);

}  // namespace tidegate::pages
