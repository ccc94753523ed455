// Media types: the bare type of a Content-Type, and whether it gains from compression (RFC 9110 section 8.3).
//
// Owner: http/semantics. Thread: any. Views only, no allocation.
#pragma once

#include <string_view>

namespace tidegate::http {

/// `type/subtype` without parameters and without white space around it: "text/html" of "text/html; charset=utf-8".
[[nodiscard]] std::string_view media_type_essence(std::string_view content_type) noexcept;

/// Whether content of this type usually shrinks by a general compression: text, JSON, XML and the formats built on
/// them, JavaScript, WebAssembly, uncompressed fonts and images. Formats that carry their own compression are not.
/// Event streams are not either: a compressor would hold events back.
[[nodiscard]] bool is_compressible_type(std::string_view content_type) noexcept;

}  // namespace tidegate::http
