// One file as it is served: the plain representation and its precompressed siblings, each with its response fields made
// once, and either its bytes in memory or an open descriptor. Immutable after loading, counted by reference, shared by all
// workers; freed by the last one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "http/field_block.h"
#include "http/semantics/negotiation.h"
#include "sys/file.h"

namespace tidegate::handlers {

class FileStore;

// One representation of the file (RFC 9110 section 3.2).
struct Representation {
  bool present = false;
  sys::FileStat stat;
  std::unique_ptr<char[]> bytes;            // the whole content, or null
  sys::FileHandle file = sys::kNoFile;      // open when the content is not in memory
  std::string etag;
  std::int64_t last_modified_s = 0;
  std::string media_type;
  http::FieldBlock fields;         // of a 200, 206 or HEAD: Content-Type, Content-Encoding, Accept-Ranges and the next
  http::FieldBlock cache_fields;   // of a 304 and 412 as well: ETag, Last-Modified, Cache-Control, Vary

  [[nodiscard]] bool in_memory() const { return bytes != nullptr || stat.size == 0; }
  [[nodiscard]] std::string_view content() const { return {bytes.get(), stat.size}; }
};

class FileEntry {
 public:
  // Made with one reference, for the caller.
  FileEntry(FileStore& store, std::uint32_t settings_id, std::string key);
  ~FileEntry();
  FileEntry(const FileEntry&) = delete;
  FileEntry& operator=(const FileEntry&) = delete;

  FileStore& store;
  const std::uint32_t settings_id;  // which kind of files route
  const std::string key;            // the request path
  std::string file_path;            // below the root: what is looked at to revalidate
  std::array<Representation, http::kContentCodingCount> representations;  // by http::ContentCoding
  std::uint64_t charged_bytes = 0;  // of the store's budget

  // When the file was last seen to be unchanged (monotonic ms); also when it was last used, within a second.
  std::atomic<std::int64_t> checked_ms{0};
  // The store no longer holds it: workers let go of it.
  std::atomic<bool> dead{false};

  [[nodiscard]] const Representation& plain() const {
    return representations[static_cast<std::size_t>(http::ContentCoding::kIdentity)];
  }
  [[nodiscard]] bool has_sidecars() const;
  // The same content versions in all representations.
  [[nodiscard]] bool same_version(const FileEntry& other) const;

  void ref() { references_.fetch_add(1, std::memory_order_relaxed); }
  // Frees the entry when the caller was its last user.
  void unref();

 private:
  std::atomic<std::uint32_t> references_{1};
};

}  // namespace tidegate::handlers
