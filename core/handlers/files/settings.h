// What a route says about serving files: plain data, filled by the configuration reader, read by the files handler.
//
// Owned by the compiled route plan and immutable after it is published, so any worker may read it without a lock.
// Every string is already checked by the reader: paths are absolute, media types are well formed, `fallback` and
// `strip_prefix` are empty or begin with a slash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tidegate::handlers {

// Which symbolic links below the root are followed.
enum class SymlinkPolicy : std::uint8_t {
  kInsideRoot,  // only while the resolved file stays below the root
  kNever,       // a path with a link in it is not found
  kAnywhere,    // links may leave the root
};

// A content coding of which a sidecar file may lie beside the original (RFC 9110 section 8.4.1).
enum class SidecarCoding : std::uint8_t {
  kBrotli,  // page.html.br
  kZstd,    // page.html.zst
  kGzip,    // page.html.gz
};

// A media type for one file name extension, before the built-in table is asked.
struct MimeOverride {
  std::string extension;   // lower case, without the dot
  std::string media_type;  // "type/subtype", parameters allowed

  friend bool operator==(const MimeOverride&, const MimeOverride&) = default;
};

struct FilesSettings {
  std::string root;                              // absolute directory
  std::string strip_prefix;                      // taken off the request path before it is looked up; empty: nothing
  std::vector<std::string> index{"index.html"};  // file names tried in a directory, in order; empty: none
  std::string fallback;                          // path below the root served (200) when nothing is found; empty: 404
  bool listing = false;                          // list a directory that has no index file
  std::vector<SidecarCoding> precompressed;      // sidecars to look for, in order of preference
  SymlinkPolicy follow_symlinks = SymlinkPolicy::kInsideRoot;
  bool hidden = false;                                    // serve names that begin with a dot
  std::vector<MimeOverride> mime;                         // sorted by extension, no extension twice
  std::string default_type = "application/octet-stream";  // media type of an unknown extension
  std::string charset = "utf-8";                          // added to text types that name none; empty: nothing is added
  std::string cache_control;                              // value of Cache-Control; empty: the field is not sent
  std::optional<std::uint64_t> memory_max_file_bytes;  // largest file kept in memory; none: the server's; 0: keep none

  friend bool operator==(const FilesSettings&, const FilesSettings&) = default;
};

}  // namespace tidegate::handlers
