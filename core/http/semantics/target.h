// Request-target paths: splitting, decoding into one normal form, and encoding back (RFC 9110 section 4.2, RFC 9112
// section 3.2, RFC 3986 sections 2 and 6).
//
// Owner: http/semantics. Thread: any. Works on views and on a buffer of the caller; allocates only where a std::string
// is asked for.
//
// The normal form, which routes match and files are looked up by:
//   * percent-escapes are decoded once; a bad escape, an escaped NUL and any raw control byte or '#' are errors;
//   * "." and ".." segments are resolved, also when their dots were escaped; climbing above the root is an error, not
//     clamped, because no honest client sends it;
//   * runs of slashes become one slash, so that a route for /admin/* cannot be missed by //admin/x. It also means that a
//     normal path never starts with "//", which a browser would take for a host name in a Location;
//   * an escaped slash (%2F) never becomes a separator: it stays as the three characters "%2F" and the result is
//     flagged. A file handler answers 404 to a flagged path, since no file name holds a slash. A proxy has the raw
//     target and may send it on;
//   * an escaped control byte other than NUL is decoded, since a file name may hold a newline, and flagged. Handlers
//     that pass the path to anything line-based must refuse flagged paths;
//   * a backslash is an ordinary byte, never a separator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace tidegate::http {

/// Why a path was refused. Each of them is the client's fault: status 400.
enum class TargetError : std::uint8_t {
  kNotAbsolute,     // the path is neither empty nor starts with '/'
  kBadEscape,       // '%' without two hexadecimal digits
  kNul,             // %00
  kControlByte,     // a raw control byte or space
  kFragment,        // '#', which a client must not send
  kAboveRoot,       // ".." climbs above the root
  kBufferTooSmall,  // fault of the caller, who must give at least raw.size() bytes
};

/// A short sentence for the log and for the error page.
[[nodiscard]] std::string_view describe(TargetError error) noexcept;

/// The parts of an origin-form target.
struct TargetParts {
  std::string_view path;
  std::string_view query;  // without the '?'
  bool has_query = false;  // tells "/a?" from "/a"
};

/// Splits at the first '?'. Checks nothing.
[[nodiscard]] TargetParts split_target(std::string_view target) noexcept;

/// A path in normal form.
struct NormalPath {
  std::string_view text;           // starts with '/'; a view of the input when nothing had to change
  bool is_rewritten = false;       // `text` differs from the input
  bool has_encoded_slash = false;  // %2F was there, be it in a segment that ".." removed
  bool has_control_byte = false;   // an escape decoded to a control byte, likewise
};

/// Brings the path of a target (no query) into normal form. An empty path means "/" (RFC 9110 section 4.2.3).
///
/// `buffer` must be at least as long as `raw`; it is written only if the path needs a change. It may be the very memory
/// that `raw` views, since writing never overtakes reading. The result views `raw`, `buffer` or a constant.
[[nodiscard]] std::expected<NormalPath, TargetError> normalize_path(std::string_view raw,
                                                                    std::span<char> buffer) noexcept;

/// Which bytes stay as they are when a path is percent-encoded.
enum class PathEncoding : std::uint8_t {
  kPath,     // a whole path: '/' stays
  kSegment,  // one file name: '/' is escaped too
};

/// Bytes that encode_path would write; at most three times the input.
[[nodiscard]] std::size_t encoded_path_size(std::string_view text,
                                            PathEncoding encoding = PathEncoding::kPath) noexcept;

/// Percent-encodes any bytes (RFC 3986 section 2.1, upper-case digits) so that the result is safe in a Location, in an
/// HTML attribute and as a relative reference: '%', '?', '#', ':', '\', '&', quotes, controls and all bytes above 0x7F
/// are escaped. normalize_path gives the bytes back. Returns the view of what was written, or an empty view if `out`
/// is too small.
[[nodiscard]] std::string_view encode_path(std::string_view text, std::span<char> out,
                                           PathEncoding encoding = PathEncoding::kPath) noexcept;

/// The same at the end of a string.
void append_encoded_path(std::string& out, std::string_view text, PathEncoding encoding = PathEncoding::kPath);

}  // namespace tidegate::http
