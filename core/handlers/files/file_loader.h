// Looks a request path up below a root and makes the entry to serve. Pure work on the file system: runs on the worker
// with Wait::kCachedOnly (answers kWouldBlock instead of touching the disk) or on the blocking pool with kMayBlock.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "handlers/files/file_entry.h"
#include "handlers/files/file_store.h"
#include "handlers/files/settings.h"
#include "sys/file.h"

namespace tidegate::handlers {

// Where a files route serves from.
struct FilesRoot {
  sys::FileHandle directory = sys::kNoFile;
  const FilesSettings* settings = nullptr;
  std::uint32_t settings_id = 0;
  FileStore* store = nullptr;
};

enum class Found : std::uint8_t {
  kFile,       // `entry` is set, with a reference for the caller
  kDirectory,  // a directory was asked for without its slash: redirect
  kNoIndex,    // a directory without an index file
  kNothing,    // 404
  kDenied,     // 403
};

struct Lookup {
  Found found = Found::kNothing;
  FileEntry* entry = nullptr;
};

// `path` is a request path in normal form, after strip_prefix, beginning with '/'. Errors: kWouldBlock (kCachedOnly
// only), kNoDescriptors, kIo.
[[nodiscard]] base::Result<Lookup> look_up(const FilesRoot& root, std::string_view path, sys::Wait wait, std::int64_t now_ms);

// Whether what the entry holds is still what lies on the disk. Errors as above.
[[nodiscard]] base::Result<bool> is_current(const FilesRoot& root, const FileEntry& entry, sys::Wait wait);

// The links policy as the file system layer knows it.
[[nodiscard]] sys::Links links_of(const FilesSettings& settings);

// Whether a segment of the path begins with a dot; ".well-known" at the top is no secret (RFC 8615).
[[nodiscard]] bool has_hidden_segment(std::string_view path);

}  // namespace tidegate::handlers
