// A handler for tests: answers with the request's content as it comes, in chunks, with the request's trailers. It holds
// at most kBufferMax bytes: beyond, the client is made to wait until its own answer was taken.
#pragma once

#include <memory>
#include <string>

#include "http/body.h"
#include "pipeline/routed_exchange.h"
#include "pipeline/runner.h"

namespace tidegate::tests {

class Echo final : public http::BodyReader, public http::BodySource {
 public:
  static constexpr std::size_t kBufferMax = 8 * 1024;

  explicit Echo(pipeline::RoutedExchange& exchange) : exchange_(exchange) {}

  static pipeline::Verdict run(pipeline::RoutedExchange& exchange, const void*) {
    // Freed by release(): the codec calls it exactly once.
    auto echo = std::make_unique<Echo>(exchange).release();
    exchange.response.add_block(fields());
    exchange.response.body.source = echo;
    if (exchange.request.has_body) {
      exchange.body_reader = echo;
    } else {
      echo->ended_ = true;
    }
    return pipeline::Verdict::kResponded;
  }

  void on_body(std::string_view bytes) override {
    buffer_.append(bytes);
    if (buffer_.size() >= kBufferMax && !paused_) {
      paused_ = true;
      exchange_.writer->pause_body(exchange_);
    }
    exchange_.writer->body_ready(exchange_);
  }
  void on_body_end() override {
    ended_ = true;
    const http::FieldTable* trailers = exchange_.trailers;
    for (std::size_t i = 0; trailers != nullptr && i < trailers->size(); ++i) add_trailer(trailers->name(i), trailers->value(i));
    exchange_.writer->body_ready(exchange_);
  }
  void on_body_failed(base::Error) override { failed_ = true; }

  http::Pull pull(http::BodySink& sink, std::uint64_t) override {
    if (failed_) return http::Pull::kFail;
    sink.append(buffer_);
    buffer_.clear();
    if (ended_) return http::Pull::kEnd;
    if (paused_) {
      paused_ = false;
      exchange_.writer->resume_body(exchange_);
    }
    return http::Pull::kWait;
  }
  void release() override { const std::unique_ptr<Echo> self(this); }

 private:
  static const http::FieldBlock& fields() {
    static const http::FieldBlock block = [] {
      http::FieldBlock made;
      made.add("Content-Type", "application/octet-stream");
      return made;
    }();
    return block;
  }
  void add_trailer(std::string_view name, std::string_view value) {
    auto* field = exchange_.arena.allocate_array<http::ExtraField>(1);
    *field = {exchange_.arena.copy(name), exchange_.arena.copy(value), exchange_.response.trailers};
    exchange_.response.trailers = field;
  }

  pipeline::RoutedExchange& exchange_;
  std::string buffer_;
  bool paused_ = false;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace tidegate::tests
