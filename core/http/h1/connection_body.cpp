// Request content: by length or in chunks, delivered to the exchange's reader or thrown away (RFC 9112 sections 6, 7).
#include <algorithm>
#include <utility>

#include "http/h1/connection.h"

namespace tidegate::http::h1 {

// Takes what has arrived of the content. False: more is needed, or the exchange ended.
bool Connection::read_body() {
  const std::string_view input = stream_.input();
  if (input.empty() && !(chunked_ || body_left_ == 0)) return false;
  return chunked_ ? read_chunked(input) : read_sized(input);
}

bool Connection::read_sized(std::string_view input) {
  const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(input.size(), body_left_));
  body_left_ -= part;
  deliver_body(input.substr(0, part));
  if (state_ != State::kExchange) return false;
  stream_.consume(part);
  if (body_left_ > 0) return false;
  body_complete();
  return true;
}

bool Connection::read_chunked(std::string_view input) {
  const ChunkResult result = chunked_->next(input.data(), input.size(), &service_.trailers);
  switch (result.status) {
    case ChunkStatus::kNeedMore: stream_.consume(result.consumed); return false;
    case ChunkStatus::kError: refuse_body(status_of(result.rule), text_of(result.rule)); return false;
    case ChunkStatus::kData:
      if (chunked_->body_size() > exchange_->limits->body_size) {
        refuse_body(413, "the request's content is larger than limits.body_size");
        return false;
      }
      deliver_body(result.data);
      if (state_ != State::kExchange) return false;
      stream_.consume(result.consumed);
      return true;
    case ChunkStatus::kDone:
      exchange_->trailers = &service_.trailers;
      body_complete();
      stream_.consume(result.consumed);
      return true;
  }
  return false;
}

void Connection::deliver_body(std::string_view bytes) {
  exchange_->bytes_received += bytes.size();
  body_guard_.progress(bytes.size(), service_.loop.now_ms());
  if (exchange_->body_reader != nullptr) {
    if (!bytes.empty()) exchange_->body_reader->on_body(bytes);
    return;
  }
  discarded_ += bytes.size();
  if (discarded_ <= kDiscardMax || !response_done_) return;
  close_after_ = true;  // too much for nothing: the rest is not read
  settle_exchange();
}

void Connection::body_complete() {
  request_done_ = true;
  body_guard_.stop();
  discarded_ = 0;
  if (BodyReader* reader = std::exchange(exchange_->body_reader, nullptr)) reader->on_body_end();
  if (exchange_ != nullptr) exchange_->trailers = nullptr;
  settle_exchange();
}

// The content was cut: the handler's work is of no use.
void Connection::body_failed(base::Error error) { abandon(error); }

// The content is malformed, too large or too slow. Answers if nothing was sent yet; ends the connection in any case.
void Connection::refuse_body(std::uint16_t status, std::string_view reason) {
  const base::Error error{.code = base::Code::kInvalid, .domain = base::Domain::kHttp, .origin = base::Origin::kClient};
  if (exchange_->response_started && !response_done_) return abandon(error);
  request_done_ = true;
  close_after_ = true;
  body_guard_.stop();
  if (!exchange_->response_started) {
    if (BodyReader* reader = std::exchange(exchange_->body_reader, nullptr)) reader->on_body_failed(error);
    if (exchange_ == nullptr) return;  // the reader has aborted the exchange
    if (!exchange_->response_started) {
      running_handler_ = true;
      service_.handler.on_refused(*exchange_, status, reason);
      running_handler_ = false;
    }
  }
  client_closes_ = false;  // it may be sending on: linger
  settle_exchange();
  stream_.flush();
}

// Whether reading the rest of the content for the sake of the connection is cheap enough.
bool Connection::discardable() const {
  if (exchange_->request.expects_continue) return false;  // the client may or may not send it
  return chunked_ ? true : body_left_ <= kDiscardMax;
}

void Connection::pause_body(Exchange& exchange) {
  if (&exchange != exchange_ || request_done_) return;
  body_paused_ = true;
  body_guard_.stop();
  stream_.pause_reading();
}

void Connection::resume_body(Exchange& exchange) {
  if (&exchange != exchange_ || !body_paused_) return;
  body_paused_ = false;
  stream_.resume_reading();
  if (processing_) return;
  if (!stream_.input().empty()) {
    stream_.offer_held_input();
  } else {
    watch_progress();
  }
}

}  // namespace tidegate::http::h1
