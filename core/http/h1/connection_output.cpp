// Responses: head, framing of the content, pulling the source (RFC 9112 sections 4, 6 and 7).
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "http/h1/connection.h"

namespace tidegate::http::h1 {

namespace {

bool has_no_content(std::uint16_t status) { return status < 200 || status == 204 || status == 304; }

// Puts content into the stream's queue, as it is or in chunks, and counts it.
class QueueSink final : public BodySink {
 public:
  QueueSink(net::WriteQueue& out, bool chunked) : out_(out), chunked_(chunked) {}
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  void append(std::string_view bytes) override {
    open_chunk(bytes.size());
    out_.append(bytes);
    close_chunk(bytes.size());
  }
  void append_pinned(std::string_view bytes, base::Pin pin) override {
    open_chunk(bytes.size());
    out_.append_pinned(bytes, pin);
    close_chunk(bytes.size());
  }
  void append_file(sys::FileHandle file, std::uint64_t offset, std::uint64_t size, base::Pin pin) override {
    open_chunk(size);
    out_.append_file(file, offset, size, pin);
    close_chunk(size);
  }

 private:
  void open_chunk(std::uint64_t size) {
    bytes_ += size;
    if (!chunked_ || size == 0) return;
    std::array<char, 18> line;
    char* end = std::to_chars(line.data(), line.data() + 16, size, 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    out_.append({line.data(), static_cast<std::size_t>(end - line.data())});
  }
  void close_chunk(std::uint64_t size) {
    if (chunked_ && size > 0) out_.append("\r\n");
  }

  net::WriteQueue& out_;
  bool chunked_;
  std::uint64_t bytes_ = 0;
};

void append_last_chunk(net::WriteQueue& out, const Response& response) {
  out.append("0\r\n");
  for (const ExtraField* field = response.trailers; field != nullptr; field = field->next) {
    for (const std::string_view piece : {field->name, std::string_view(": "), field->value, std::string_view("\r\n")}) {
      out.append(piece);
    }
  }
  out.append("\r\n");
}

}  // namespace

void Connection::start(Exchange& exchange) {
  if (waits_for_content(exchange)) {
    hold_answer(exchange);
  } else {
    write_response(exchange);
  }
  if (running_handler_ || state_ == State::kClosed) return;  // the caller above goes on
  stream_.flush();
  settle_exchange();
  if (state_ != State::kClosed) watch_progress();
}

void Connection::write_response(Exchange& exchange) {
  exchange.response_started = true;
  const HeadFraming framing = framing_of(exchange);
  write_head(stream_.output(), exchange.response, framing, service_.date.at(service_.loop.now_ms()));
  write_body(exchange);
}

HeadFraming Connection::framing_of(const Exchange& exchange) {
  const Response& response = exchange.response;
  const bool stays = keep_alive_ && !response.close && !service_.draining && requests_ < exchange.limits->keepalive_requests &&
                     (request_done_ || discardable());
  if (!stays) close_after_ = true;
  HeadFraming framing;
  chunked_response_ = false;
  if (!has_no_content(response.status)) {
    const ResponseBody& body = response.body;
    if (body.source == nullptr) {
      framing.content_length = body.bytes.size();
    } else if (body.length) {
      framing.content_length = *body.length;
    } else if (exchange.request.version == Version::kHttp10) {
      close_after_ = true;  // the end of the connection ends the content
    } else {
      framing.chunked = chunked_response_ = true;
    }
  }
  framing.close = close_after_;
  framing.keep_alive_http10 = !close_after_ && exchange.request.version == Version::kHttp10;
  return framing;
}

void Connection::write_body(Exchange& exchange) {
  ResponseBody& body = exchange.response.body;
  if (exchange.head_only || has_no_content(exchange.response.status)) {
    response_done_ = response_copied_ = true;
    return;
  }
  if (body.source != nullptr) return pull_body();
  exchange.bytes_sent = body.bytes.size();
  if (body.bytes.size() <= kCopyMax) {
    stream_.output().append(body.bytes);
    body.pin.drop();
    response_copied_ = true;
  } else {
    stream_.output().append_pinned(body.bytes, std::exchange(body.pin, {}));
  }
  response_done_ = true;
}

// Asks the source for content while the client keeps up.
void Connection::pull_body() {
  if (pulling_ || pull_waits_) return;
  pulling_ = true;
  Exchange& exchange = *exchange_;
  const std::optional<std::uint64_t> length = exchange.response.body.length;
  Pull outcome = Pull::kMore;
  while (outcome == Pull::kMore && stream_.output().size() < kLowWatermark) {
    QueueSink sink(stream_.output(), chunked_response_);
    outcome = exchange.response.body.source->pull(sink, kHighWatermark - stream_.output().size());
    exchange.bytes_sent += sink.bytes();
  }
  pulling_ = false;
  if (outcome == Pull::kWait) pull_waits_ = true;
  const bool wrong_length = outcome == Pull::kEnd && length && exchange.bytes_sent != *length;
  if (outcome == Pull::kFail || wrong_length) {
    return abandon({.code = base::Code::kChanged, .domain = base::Domain::kHttp});
  }
  if (outcome != Pull::kEnd) return;
  if (chunked_response_) append_last_chunk(stream_.output(), exchange.response);
  response_done_ = true;
}

// Gives the exchange back to the handler. Only when the stream sends nothing more that the exchange or its body owns.
void Connection::close_exchange(Exchange& exchange) {
  exchange.writer = nullptr;
  exchange.response.body.pin.drop();
  if (BodySource* source = std::exchange(exchange.response.body.source, nullptr)) source->release();
  service_.handler.on_finished(exchange);
}

void Connection::body_ready(Exchange& exchange) {
  if (&exchange != exchange_ || !pull_waits_) return;
  pull_waits_ = false;
  pull_body();
  if (state_ == State::kClosed) return;
  stream_.flush();
  settle_exchange();
  if (state_ != State::kClosed) watch_progress();
}

void Connection::on_output(std::uint64_t bytes_sent) {
  write_guard_.progress(bytes_sent, service_.loop.now_ms());
  if (stream_.output().empty()) write_guard_.stop();
  if (state_ == State::kExchange) {
    if (exchange_->response.body.source != nullptr && exchange_->response_started && !response_done_) pull_body();
    if (state_ == State::kExchange) settle_exchange();
  } else if (state_ == State::kFlushing) {
    if (stream_.output().empty()) finish_output();
  } else if (!stream_.input().empty() && stream_.output().size() < kLowWatermark) {
    stream_.offer_held_input();
  }
  if (state_ != State::kClosed && !stream_.output().empty() && !write_guard_.active()) watch_progress();
}

}  // namespace tidegate::http::h1
