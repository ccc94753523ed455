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
  if (discarded_ <= kDiscardMax || !(response_done_ || answer_held_)) return;
  close_after_ = true;  // too much for nothing: the rest is not read
  if (answer_held_) release_answer();
  settle_exchange();
}

void Connection::body_complete() {
  request_done_ = true;
  body_guard_.stop();
  discarded_ = 0;
  if (BodyReader* reader = std::exchange(exchange_->body_reader, nullptr)) reader->on_body_end();
  if (exchange_ != nullptr) exchange_->trailers = nullptr;
  if (answer_held_) release_answer();
  settle_exchange();
}

// The content is malformed, cut, too large or too slow. Answers if nothing was sent yet; ends the connection in any case.
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
      if (answer_held_) drop_answer();
      running_handler_ = true;
      service_.handler.on_refused(*exchange_, status, reason);
      running_handler_ = false;
    }
  }
  client_closes_ = false;  // it may be sending on: linger
  settle_exchange();
  if (state_ == State::kClosed) return;
  stream_.flush();
  watch_progress();
}

void Connection::refuse_cut_body() { refuse_body(400, "the request's content ended before it was complete"); }

// Whether reading the rest of the content for the sake of the connection is cheap enough.
bool Connection::discardable() const {
  if (exchange_->request.expects_continue) return false;  // the client may or may not send it
  return chunked_ ? true : body_left_ <= kDiscardMax;
}

// Whether the answer has to wait until the request's content, which nobody reads, has been thrown away. A client that
// expects 100 (Continue) is told a refusal at once, so that it need not send what is refused (RFC 9110 section 10.1.1).
bool Connection::waits_for_content(const Exchange& exchange) const {
  if (request_done_ || exchange.body_reader != nullptr || exchange.response.close || close_after_) return false;
  if (discarded_ > kDiscardMax || (!chunked_ && body_left_ > kDiscardMax)) return false;
  return !exchange.request.expects_continue || exchange.response.status < 300;
}

void Connection::hold_answer(Exchange& exchange) {
  answer_held_ = true;
  if (!exchange.request.expects_continue) return;
  stream_.output().append("HTTP/1.1 100 Continue\r\n\r\n");
  exchange.request.expects_continue = false;
}

void Connection::release_answer() {
  answer_held_ = false;
  write_response(*exchange_);
}

// Makes room for another response than the one that was held.
void Connection::drop_answer() {
  answer_held_ = false;
  Response& response = exchange_->response;
  response.body.pin.drop();
  if (BodySource* source = std::exchange(response.body.source, nullptr)) source->release();
  response.reset();
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
  } else if (stream_.input_ended()) {
    refuse_cut_body();
  } else {
    watch_progress();
  }
}

}  // namespace tidegate::http::h1
