#include "handlers/files/file_job.h"

#include <memory>

#include "handlers/files/files_handler.h"
#include "handlers/files/listing.h"
#include "pipeline/runner.h"

namespace tidegate::handlers {

FileJob::FileJob(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path)
    : handler_(handler),
      exchange_(exchange),
      path_(path),
      loop_(*exchange.runner->services().loop),
      now_ms_(loop_.now_ms()) {
  root_ = handler.root_at(now_ms_);
  deliver = [](io::Message& message) { static_cast<FileJob&>(message).finish(); };
}

FileJob& FileJob::make(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path) {
  void* memory = exchange.arena.allocate(sizeof(FileJob), alignof(FileJob));
  return *std::construct_at(static_cast<FileJob*>(memory), handler, exchange, path);
}

void FileJob::start_lookup(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path) {
  make(handler, exchange, path).submit([](io::Job& job) { static_cast<FileJob&>(job).look_up_on_pool(); });
}

void FileJob::start_listing(const FilesHandler& handler, pipeline::RoutedExchange& exchange, std::string_view path) {
  FileJob& job = make(handler, exchange, path);
  job.lists_ = true;
  job.listing_ = listing_request_of(exchange, handler.settings_);
  job.submit([](io::Job& base) { static_cast<FileJob&>(base).list_on_pool(); });
}

void FileJob::submit(Run work) {
  io::Job::run = work;
  exchange_.runner->hold(exchange_);
  exchange_.runner->services().blocking->submit(*this);
}

void FileJob::look_up_on_pool() {
  const auto found = look_up(root_, path_, sys::Wait::kMayBlock, now_ms_);
  if (found) {
    lookup_ = *found;
  } else {
    error_ = found.error();
  }
  loop_.post(*this);
}

void FileJob::list_on_pool() {
  auto page = make_listing(root_, path_, listing_);
  if (page) {
    page_ = std::move(*page);
  } else {
    error_ = page.error();
  }
  loop_.post(*this);
}

// Back on the worker. The job's memory is the exchange's, so it ends before the exchange may go.
void FileJob::finish() {
  pipeline::RoutedExchange& exchange = exchange_;
  pipeline::Runner& runner = *exchange.runner;
  if (exchange.finished || exchange.abandoned) {
    if (lookup_.entry != nullptr) lookup_.entry->unref();
    std::destroy_at(this);
    static_cast<void>(runner.unhold(exchange));
    return;
  }
  const pipeline::Verdict verdict = answer();
  std::destroy_at(this);
  if (runner.unhold(exchange)) runner.settle(exchange, verdict);
}

pipeline::Verdict FileJob::answer() {
  if (error_) return handler_.answer_error(exchange_, error_);
  if (!lists_) return handler_.answer(exchange_, exchange_.arena.copy(path_), lookup_);
  set_listing_response(exchange_, page_, listing_);
  return pipeline::Verdict::kResponded;
}

}  // namespace tidegate::handlers
