// The handler of `files` (RFC 9110): from a request path to a file, a directory redirect, a listing or the fallback.
//
// Immutable, shared by all workers. A hit is served from the worker's LocalFiles with plain calls; a miss is first tried
// on the worker with look-ups that never touch the disk, then on the blocking pool.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "handlers/files/file_loader.h"
#include "handlers/files/local_files.h"
#include "handlers/files/root_directory.h"
#include "handlers/files/settings.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::handlers {

class FilesHandler final : public pipeline::HandlerSettings {
 public:
  // `state` is the index of LocalFiles in WorkerServices::states.
  FilesHandler(const FilesSettings& settings, FileStore& store, std::size_t state);

  [[nodiscard]] pipeline::Step step() const;

 private:
  friend class FileJob;
  static pipeline::Verdict run(pipeline::RoutedExchange& exchange, const void* self);

  [[nodiscard]] pipeline::Verdict serve(pipeline::RoutedExchange& exchange) const;
  [[nodiscard]] pipeline::Verdict find(pipeline::RoutedExchange& exchange, std::string_view path) const;
  [[nodiscard]] pipeline::Verdict answer(pipeline::RoutedExchange& exchange, std::string_view path, const Lookup& lookup) const;
  [[nodiscard]] pipeline::Verdict answer_error(pipeline::RoutedExchange& exchange, base::Error error) const;
  [[nodiscard]] pipeline::Verdict nothing_found(pipeline::RoutedExchange& exchange, std::string_view path) const;
  [[nodiscard]] pipeline::Verdict redirect_to_directory(pipeline::RoutedExchange& exchange) const;
  [[nodiscard]] LocalFiles& local_files(pipeline::RoutedExchange& exchange) const;
  [[nodiscard]] std::string_view path_of(const http::Request& request) const;

  [[nodiscard]] FilesRoot root_at(std::int64_t now_ms) const;

  FilesSettings settings_;
  FileStore& store_;
  mutable RootDirectory root_;  // thread-safe
  std::uint32_t settings_id_;
  std::size_t state_;
};

}  // namespace tidegate::handlers
