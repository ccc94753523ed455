#include "handlers/files/file_loader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>

#include "base/clock.h"
#include "handlers/files/mime.h"
#include "http/semantics/date.h"

namespace tidegate::handlers {

namespace {

using http::ContentCoding;

constexpr std::uint64_t kEntryOverhead = 2048;  // an entry's own memory, roughly; also what an open descriptor counts
constexpr int kReadAttempts = 3;                // a file that changes while it is read is read again

struct Sidecar {
  ContentCoding coding;
  std::string_view suffix;
};

Sidecar sidecar_of(SidecarCoding coding) {
  switch (coding) {
    case SidecarCoding::kBrotli: return {ContentCoding::kBrotli, ".br"};
    case SidecarCoding::kZstd: return {ContentCoding::kZstd, ".zst"};
    case SidecarCoding::kGzip: return {ContentCoding::kGzip, ".gz"};
  }
  return {ContentCoding::kGzip, ".gz"};
}

// Errors that mean "there is nothing to serve" rather than "it could not be found out".
bool means_absent(base::Code code) { return code == base::Code::kNotFound || code == base::Code::kInvalid; }

// "<mtime>-<size>" in hexadecimal, and the coding, since each representation needs a tag of its own (RFC 9110 8.8.3).
std::string make_etag(const sys::FileStat& stat, ContentCoding coding) {
  std::array<char, 48> text;
  char* at = std::to_chars(text.data(), text.data() + 20, static_cast<std::uint64_t>(stat.modified_ns), 16).ptr;
  *at++ = '-';
  at = std::to_chars(at, at + 20, stat.size, 16).ptr;
  std::string tag = "\"";
  tag.append(text.data(), at);
  if (coding != ContentCoding::kIdentity) tag.append("-").append(http::coding_name(coding));
  return tag.append("\"");
}

// Reads the whole file; kChanged when it is not what `stat` says.
base::Error read_whole(sys::FileHandle file, const sys::FileStat& stat, char* into, sys::Wait wait) {
  std::uint64_t at = 0;
  while (at < stat.size) {
    const auto read = sys::read_at(file, into + at, stat.size - at, at, wait);
    if (!read) return read.error();
    if (*read == 0) return {.code = base::Code::kChanged, .domain = base::Domain::kHandler};
    at += *read;
  }
  const auto after = sys::stat_of(file);
  if (!after) return after.error();
  const bool same = after->size == stat.size && after->modified_ns == stat.modified_ns;
  return same ? base::Error{} : base::Error{.code = base::Code::kChanged, .domain = base::Domain::kHandler};
}

// Takes the opened file over: its bytes if it is small and the budget allows, else the descriptor.
base::Error fill(Representation& one, FileEntry& entry, const FilesSettings& settings, sys::OpenedFile opened, sys::Wait wait) {
  one.stat = opened.stat;
  one.file = opened.file;
  const std::uint64_t largest = settings.memory_max_file_bytes.value_or(entry.store.file_max_bytes());
  for (int attempt = 0; attempt < kReadAttempts && one.stat.size <= largest; ++attempt) {
    if (!entry.store.reserve(one.stat.size)) return {};
    auto bytes = std::make_unique_for_overwrite<char[]>(one.stat.size);
    const base::Error error = read_whole(one.file, one.stat, bytes.get(), wait);
    if (!error) {
      entry.charged_bytes += one.stat.size;
      one.bytes = std::move(bytes);
      sys::close_file(one.file);
      one.file = sys::kNoFile;
      return {};
    }
    entry.store.give_back(one.stat.size);
    if (error.code != base::Code::kChanged) return error;
    const auto again = sys::stat_of(one.file);
    if (!again) return again.error();
    one.stat = *again;
  }
  return {};
}

void describe(Representation& one, ContentCoding coding, std::string_view path, const FilesSettings& settings) {
  one.present = true;
  one.etag = make_etag(one.stat, coding);
  // Never later than the Date beside it: a file from the future counts as modified now (RFC 9110 section 8.8.2.1).
  one.last_modified_s = std::min(one.stat.modified_ns / 1'000'000'000, base::wall_s());
  append_content_type(one.media_type, media_type_for(path, settings.mime, settings.default_type), settings.charset);
  if (!one.media_type.empty()) one.fields.add("Content-Type", one.media_type);
  if (coding != ContentCoding::kIdentity) one.fields.add("Content-Encoding", http::coding_name(coding));
  one.fields.add("Accept-Ranges", "bytes");
  std::array<char, http::kHttpDateSize> date;
  http::format_http_date(one.last_modified_s, date);
  one.cache_fields.add("ETag", one.etag);
  one.cache_fields.add("Last-Modified", {date.data(), date.size()});
  if (!settings.cache_control.empty()) one.cache_fields.add("Cache-Control", settings.cache_control);
}

base::Error add_sidecars(FileEntry& entry, const FilesRoot& root, sys::Wait wait) {
  for (const SidecarCoding wanted : root.settings->precompressed) {
    const auto [coding, suffix] = sidecar_of(wanted);
    const std::string path = entry.file_path + std::string(suffix);
    const auto opened = sys::open_beneath(root.directory, path.c_str(), links_of(*root.settings), wait);
    if (!opened) {
      if (means_absent(opened.error().code) || opened.error().code == base::Code::kDenied) continue;
      return opened.error();
    }
    if (opened->stat.kind != sys::FileKind::kRegular) {
      if (opened->file != sys::kNoFile) sys::close_file(opened->file);
      continue;
    }
    Representation& one = entry.representations[static_cast<std::size_t>(coding)];
    if (const base::Error error = fill(one, entry, *root.settings, *opened, wait)) return error;
    describe(one, coding, entry.file_path, *root.settings);
  }
  if (!entry.has_sidecars()) return {};
  for (Representation& one : entry.representations) {
    if (one.present) one.cache_fields.add("Vary", "Accept-Encoding");
  }
  return {};
}

base::Result<Lookup> make_entry(const FilesRoot& root, std::string_view key, std::string file_path, sys::OpenedFile opened,
                                sys::Wait wait, std::int64_t now_ms) {
  auto made = std::make_unique<FileEntry>(*root.store, root.settings_id, std::string(key));
  made->file_path = std::move(file_path);
  if (root.store->reserve(kEntryOverhead)) made->charged_bytes = kEntryOverhead;
  Representation& plain = made->representations[static_cast<std::size_t>(ContentCoding::kIdentity)];
  if (const base::Error error = fill(plain, *made, *root.settings, opened, wait)) return std::unexpected(error);
  describe(plain, ContentCoding::kIdentity, made->file_path, *root.settings);
  if (const base::Error error = add_sidecars(*made, root, wait)) return std::unexpected(error);
  made->checked_ms.store(now_ms);
  const bool keeps = made->charged_bytes >= kEntryOverhead;
  FileEntry* entry = made.release();
  return Lookup{Found::kFile, keeps ? root.store->publish(entry) : entry};
}

base::Result<Lookup> look_up_file(const FilesRoot& root, std::string_view key, std::string file_path, sys::Wait wait,
                                  std::int64_t now_ms) {
  const auto opened = sys::open_beneath(root.directory, file_path.c_str(), links_of(*root.settings), wait);
  if (!opened) {
    if (means_absent(opened.error().code)) return Lookup{Found::kNothing};
    if (opened.error().code == base::Code::kDenied) return Lookup{Found::kDenied};
    return std::unexpected(opened.error());
  }
  if (opened->stat.kind == sys::FileKind::kRegular) return make_entry(root, key, std::move(file_path), *opened, wait, now_ms);
  if (opened->file != sys::kNoFile) sys::close_file(opened->file);
  return Lookup{opened->stat.kind == sys::FileKind::kDirectory ? Found::kDirectory : Found::kDenied};
}

}  // namespace

sys::Links links_of(const FilesSettings& settings) {
  switch (settings.follow_symlinks) {
    case SymlinkPolicy::kInsideRoot: return sys::Links::kInsideRoot;
    case SymlinkPolicy::kNever: return sys::Links::kNever;
    case SymlinkPolicy::kAnywhere: return sys::Links::kAnywhere;
  }
  return sys::Links::kNever;
}

bool has_hidden_segment(std::string_view path) {
  if (path.starts_with("/.well-known/")) path.remove_prefix(12);
  return path.find("/.") != std::string_view::npos;
}

base::Result<Lookup> look_up(const FilesRoot& root, std::string_view path, sys::Wait wait, std::int64_t now_ms) {
  const std::string below(path.substr(1));
  if (!path.ends_with('/')) return look_up_file(root, path, below, wait, now_ms);
  for (const std::string& index : root.settings->index) {
    const auto found = look_up_file(root, path, below + index, wait, now_ms);
    if (!found || found->found == Found::kFile || found->found == Found::kDenied) return found;
  }
  const auto stat = sys::stat_beneath(root.directory, below.empty() ? "." : below.c_str(), links_of(*root.settings), wait);
  if (!stat) {
    if (means_absent(stat.error().code)) return Lookup{Found::kNothing};
    if (stat.error().code == base::Code::kDenied) return Lookup{Found::kDenied};
    return std::unexpected(stat.error());
  }
  return Lookup{stat->kind == sys::FileKind::kDirectory ? Found::kNoIndex : Found::kNothing};
}

base::Result<bool> is_current(const FilesRoot& root, const FileEntry& entry, sys::Wait wait) {
  const auto unchanged = [&](const std::string& path, const Representation& one) -> base::Result<bool> {
    const auto stat = sys::stat_beneath(root.directory, path.c_str(), links_of(*root.settings), wait);
    if (stat) return one.present && stat->kind == sys::FileKind::kRegular ? *stat == one.stat : !one.present && stat->kind != sys::FileKind::kRegular;
    if (stat.error().code == base::Code::kWouldBlock) return std::unexpected(stat.error());
    return !one.present;
  };
  auto same = unchanged(entry.file_path, entry.plain());
  for (const SidecarCoding wanted : root.settings->precompressed) {
    if (!same || !*same) return same;
    const auto [coding, suffix] = sidecar_of(wanted);
    same = unchanged(entry.file_path + std::string(suffix), entry.representations[static_cast<std::size_t>(coding)]);
  }
  return same;
}

}  // namespace tidegate::handlers
