// What may stand in names and values that end up in HTTP messages. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::config {

// RFC 9110 section 5.6.2: the characters of field names and methods.
[[nodiscard]] bool is_token(std::string_view text);
// RFC 9110 section 5.5: visible characters, spaces and tabs inside, bytes above 0x7F; may be empty.
[[nodiscard]] bool is_field_value(std::string_view text);
// "type/subtype", with parameters or without (RFC 9110 section 8.3.1).
[[nodiscard]] bool is_media_type(std::string_view text);
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace tidegate::config
