#include "handlers/files/files_handler.h"

#include <algorithm>

#include "handlers/files/file_job.h"
#include "handlers/files/file_response.h"
#include "http/semantics/target.h"
#include "pipeline/routed_exchange.h"
#include "pipeline/runner.h"

namespace tidegate::handlers {

using pipeline::RoutedExchange;
using pipeline::Verdict;

namespace {

constexpr std::int64_t kRevalidateMs = 1000;

// Content that is not in memory may have changed under its descriptor since the last look at the disk: a head that
// promises what is no longer there must not go out.
bool descriptors_unchanged(const FileEntry& entry) {
  return std::all_of(entry.representations.begin(), entry.representations.end(), [](const Representation& one) {
    if (!one.present || one.file == sys::kNoFile) return true;
    const auto stat = sys::stat_of(one.file);
    return stat && stat->size == one.stat.size && stat->modified_ns == one.stat.modified_ns;
  });
}

}  // namespace

FilesHandler::FilesHandler(const FilesSettings& settings, FileStore& store, std::size_t state)
    : settings_(settings), store_(store), root_(settings.root), settings_id_(store.id_of(settings)), state_(state) {}

pipeline::Step FilesHandler::step() const { return {&FilesHandler::run, this}; }

LocalFiles& FilesHandler::local_files(RoutedExchange& exchange) const {
  return static_cast<LocalFiles&>(*exchange.runner->services().states[state_]);
}

FilesRoot FilesHandler::root_at(std::int64_t now_ms) const {
  return {.directory = root_.at(now_ms), .settings = &settings_, .settings_id = settings_id_, .store = &store_};
}

Verdict FilesHandler::run(RoutedExchange& exchange, const void* self) {
  return static_cast<const FilesHandler*>(self)->serve(exchange);
}

// The request path without strip_prefix; always begins with a slash.
std::string_view FilesHandler::path_of(const http::Request& request) const {
  std::string_view path = request.path;
  if (settings_.strip_prefix.empty() || !path.starts_with(settings_.strip_prefix)) return path;
  path.remove_prefix(settings_.strip_prefix.size());
  return path.starts_with('/') ? path : std::string_view("/");
}

Verdict FilesHandler::serve(RoutedExchange& exchange) const {
  const http::Request& request = exchange.request;
  if (request.method == http::Method::kOptions) {
    exchange.response.status = 204;
    exchange.add_field("Allow", "GET, HEAD, OPTIONS");
    return Verdict::kResponded;
  }
  if (request.method != http::Method::kGet && request.method != http::Method::kHead) {
    exchange.add_field("Allow", "GET, HEAD, OPTIONS");
    return exchange.runner->fail(exchange, 405, "a file can only be read");
  }
  const std::string_view path = path_of(request);
  if (request.has_encoded_slash) return nothing_found(exchange, path);
  if (!settings_.hidden && has_hidden_segment(path)) return nothing_found(exchange, path);
  return find(exchange, path);
}

// A hit is served at once; a stale one after a look at the disk, which is made here unless it could block.
Verdict FilesHandler::find(RoutedExchange& exchange, std::string_view path) const {
  LocalFiles& files = local_files(exchange);
  const std::int64_t now_ms = exchange.runner->services().loop->now_ms();
  if (LocalFile* file = files.find(settings_id_, path)) {
    if (now_ms - file->entry->checked_ms.load(std::memory_order_relaxed) < kRevalidateMs && descriptors_unchanged(*file->entry)) {
      return respond_with_file(exchange, *file, file->pin(), settings_);
    }
    const auto current = is_current(root_at(now_ms), *file->entry, sys::Wait::kCachedOnly);
    if (current && *current) {
      file->entry->checked_ms.store(now_ms, std::memory_order_relaxed);
      return respond_with_file(exchange, *file, file->pin(), settings_);
    }
    if (current) files.retire(*file);
  } else if (FileEntry* entry = store_.find(settings_id_, path)) {
    files.adopt(entry)->unpin();
    return find(exchange, path);
  }
  const auto found = look_up(root_at(now_ms), path, sys::Wait::kCachedOnly, now_ms);
  if (found) return answer(exchange, path, *found);
  if (found.error().code != base::Code::kWouldBlock) return answer_error(exchange, found.error());
  FileJob::start_lookup(*this, exchange, path);
  return Verdict::kWaiting;
}

Verdict FilesHandler::answer(RoutedExchange& exchange, std::string_view path, const Lookup& lookup) const {
  switch (lookup.found) {
    case Found::kFile: {
      LocalFile& file = *local_files(exchange).adopt(lookup.entry);
      return respond_with_file(exchange, file, file.adopted_pin(), settings_);
    }
    case Found::kDirectory: return redirect_to_directory(exchange);
    case Found::kNoIndex:
      if (!settings_.listing) return exchange.runner->fail(exchange, 403, "the directory has no index file and listing is off");
      FileJob::start_listing(*this, exchange, path);
      return Verdict::kWaiting;
    case Found::kNothing: return nothing_found(exchange, path);
    case Found::kDenied: return exchange.runner->fail(exchange, 403, "the file may not be read by the server");
  }
  return nothing_found(exchange, path);
}

Verdict FilesHandler::answer_error(RoutedExchange& exchange, base::Error error) const {
  if (error.code == base::Code::kNoDescriptors || error.code == base::Code::kNoMemory) {
    return exchange.runner->fail(exchange, 503, "no file descriptors or memory left to open the file");
  }
  return exchange.runner->fail(exchange, 500, "the file could not be read");
}

// An application of one page answers every unknown path with its shell (status 200); else 404.
Verdict FilesHandler::nothing_found(RoutedExchange& exchange, std::string_view path) const {
  if (settings_.fallback.empty() || path == settings_.fallback || exchange.error_status != 0) {
    return exchange.runner->fail(exchange, 404, "no such file");
  }
  return find(exchange, settings_.fallback);
}

Verdict FilesHandler::redirect_to_directory(RoutedExchange& exchange) const {
  std::string location;
  http::append_encoded_path(location, exchange.request.path);
  location += '/';
  if (!exchange.request.query.empty()) location.append("?").append(exchange.request.query);
  exchange.response.status = 301;
  exchange.add_field("Location", exchange.arena.copy(location));
  return Verdict::kResponded;
}

}  // namespace tidegate::handlers
