// Work on the file system for one exchange, done on the blocking pool; the exchange waits. Lives in its arena.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "handlers/files/file_loader.h"
#include "handlers/files/listing.h"
#include "io/blocking_pool.h"
#include "io/loop.h"
#include "pipeline/route_plan.h"
#include "pipeline/routed_exchange.h"

namespace tidegate::handlers {

class FilesHandler;

class FileJob : io::Job, io::Message {
 public:
  // Looks `path` up on the pool, then goes on with FilesHandler::answer.
  static void start_lookup(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path);
  // Reads the directory `path` on the pool and answers with its listing.
  static void start_listing(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path);

  FileJob(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path);
  ~FileJob() = default;
  FileJob(const FileJob&) = delete;
  FileJob& operator=(const FileJob&) = delete;

 private:
  static FileJob& make(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path);
  void submit(Run work);
  void look_up_on_pool();
  void list_on_pool();
  void finish();
  [[nodiscard]] pipeline::Verdict answer();

  const FilesHandler& handler_;
  pipeline::RoutedExchange& exchange_;
  std::string path_;
  FilesRoot root_;
  io::Loop& loop_;
  std::int64_t now_ms_;
  base::Error error_;
  Lookup lookup_;
  ListingRequest listing_;
  std::string page_;
  bool lists_ = false;
};

}  // namespace tidegate::handlers
