// UTF-8 (RFC 3629): the two questions that the configuration readers and writers ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidegate::config {

// Bytes of the code point that `text` begins with (1 to 4); 0 when the bytes are not valid UTF-8 or `text` is empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);
// Number of code points; a byte that is not valid UTF-8 counts as one.
[[nodiscard]] std::size_t utf8_count(std::string_view text);
// Byte offset of the code point number `index` (from 0), at most the size of the text.
[[nodiscard]] std::size_t utf8_offset(std::string_view text, std::size_t index);
// Appends a code point, which must not be a surrogate nor above U+10FFFF.
void utf8_append(std::string& text, std::uint32_t code_point);

}  // namespace tidegate::config
