// Requests: from bytes to exchanges. Content, responses and endings are in the other connection_*.cpp files.
#include "http/h1/connection.h"

#include <utility>

#include "http/h1/request_fill.h"

namespace tidegate::http::h1 {

namespace {

// A head that is refused may not be parsed so far: the answer to HEAD has no content whatever is wrong with it.
bool begins_with_head(std::string_view input) {
  if (input.starts_with("\r\n")) input.remove_prefix(2);
  return input.starts_with("HEAD ");
}

// The head has ended at `consumed`. Between target and version stands one space, behind the fields an empty line.
HeadSize size_of(const RequestHead& head, std::size_t consumed) {
  constexpr std::uint32_t kVersionSize = 8;  // HTTP/1.1
  const std::uint32_t line_end = head.target.offset + head.target.size + 1 + kVersionSize;
  return {.line = line_end - head.method_token.offset,
          .fields = static_cast<std::uint32_t>(consumed) - line_end - 4,
          .count = static_cast<std::uint32_t>(head.fields.size()) + head.dropped_aliases};
}

}  // namespace

Connection::Connection(Service& service, io::SocketId socket, const Peer& peer)
    : service_(service),
      stream_(service.loop, service.blocks, socket, *this),
      limits_(peer.limits),
      client_(peer.address),
      listener_(peer.listener) {
  deadline_.connection = this;
  deadline_.fire = [](io::Timer& timer) { static_cast<Deadline&>(timer).connection->on_deadline(); };
}

void Connection::start() {
  set_phase_deadline(service_.loop.now_ms() + limits_->header_timeout_ms);
  stream_.resume_reading();
}

void Connection::on_input() { process(); }

// Works on what has arrived until something has to be waited for.
void Connection::process() {
  if (processing_) return;
  processing_ = true;
  bool goes_on = true;
  while (goes_on) {
    switch (state_) {
      case State::kIdle:
      case State::kHead: goes_on = stream_.output().size() < kHighWatermark && read_head(); break;
      case State::kExchange:
        goes_on = !request_done_ && !body_paused_ && read_body();
        if (!goes_on && stream_.input_ended() && state_ == State::kExchange && !request_done_ && !body_paused_) refuse_cut_body();
        break;
      case State::kLingering: stream_.consume(stream_.input().size()); [[fallthrough]];
      case State::kFlushing:
      case State::kClosed: goes_on = false; break;
    }
  }
  processing_ = false;
  if (state_ == State::kClosed) return;
  stream_.flush();
  watch_progress();
}

// Takes the next head from the input. False: it is not complete yet, or the connection is over.
bool Connection::read_head() {
  const std::string_view input = stream_.input();
  if (input.empty()) {
    if (stream_.input_ended()) finish_output();
    return false;
  }
  const HeadLimits limits = head_limits();
  const ParseResult parsed = parse_request_head(input.data(), input.size(), limits, scan_, service_.head);
  switch (parsed.status) {
    case HeadStatus::kNeedMore:
      if (stream_.input_ended()) {
        finish_output();
      } else if (state_ == State::kIdle) {
        state_ = State::kHead;
        stream_.set_held_max(limits.max_head_size());
        set_phase_deadline(service_.loop.now_ms() + limits_->header_timeout_ms);
      }
      return false;
    case HeadStatus::kError: refuse(status_of(parsed.rule), text_of(parsed.rule)); return false;
    case HeadStatus::kDone: begin(parsed); return state_ != State::kClosed;
  }
  return false;
}

Exchange& Connection::open_exchange() {
  Exchange& exchange = service_.handler.acquire();
  exchange_ = &exchange;
  exchange.writer = this;
  exchange.limits = limits_;
  exchange.fields = &service_.head.fields;
  exchange.request.client = client_;
  exchange.request.listener = listener_;
  state_ = State::kExchange;
  phase_deadline_ms_ = 0;
  request_done_ = answer_held_ = response_done_ = response_copied_ = body_paused_ = pull_waits_ = false;
  return exchange;
}

void Connection::begin(const ParseResult& parsed) {
  Exchange& exchange = open_exchange();
  const RequestHead& head = service_.head;
  ++requests_;
  exchange.request.head_size = size_of(head, parsed.consumed);
  keep_alive_ = head.keep_alive;
  client_closes_ = !head.keep_alive;
  request_done_ = head.body == BodyKind::kNone;
  body_left_ = head.body == BodyKind::kLength ? head.content_length : 0;
  if (head.body == BodyKind::kChunked) expect_chunks();
  if (const auto refusal = fill_request(head, exchange)) {
    close_after_ = true;
    running_handler_ = true;
    service_.handler.on_refused(exchange, 400, *refusal);
    running_handler_ = false;
  } else {
    run_handler();
  }
  if (exchange_ != nullptr && !(request_done_ && response_done_)) exchange_->detach(parsed.consumed);
  stream_.consume(parsed.consumed);
  settle_exchange();
}

// Trailers are read in one piece, under the limits of a header section.
void Connection::expect_chunks() {
  const HeadLimits limits = head_limits();
  chunked_.emplace(ChunkLimits{.trailer_size = limits.header_size, .trailer_count = limits.header_count});
  stream_.set_held_max(limits.max_head_size());
}

HeadLimits Connection::head_limits() const {
  return {.request_line_size = limits_->request_line_size, .header_size = limits_->header_size, .header_count = limits_->header_count};
}

void Connection::run_handler() {
  running_handler_ = true;
  service_.handler.on_request(*exchange_);
  running_handler_ = false;
  if (exchange_ == nullptr || request_done_ || exchange_->response_started) return;
  if (exchange_->request.expects_continue && exchange_->body_reader != nullptr) {
    stream_.output().append("HTTP/1.1 100 Continue\r\n\r\n");
    exchange_->request.expects_continue = false;
  }
}

// The head broke a rule: one answer, then the end (RFC 9112 section 11.2).
void Connection::refuse(std::uint16_t status, std::string_view reason) {
  service_.head.reset(nullptr);
  Exchange& exchange = open_exchange();
  exchange.head_only = begins_with_head(stream_.input());
  request_done_ = true;
  close_after_ = true;
  client_closes_ = false;
  running_handler_ = true;
  service_.handler.on_refused(exchange, status, reason);
  running_handler_ = false;
  settle_exchange();
}

// Ends the exchange when nothing of it is left to do.
void Connection::settle_exchange() {
  if (exchange_ == nullptr || running_handler_ || !response_done_) return;
  if (!request_done_ && !close_after_) return;
  if (response_copied_ || stream_.output().empty()) finish_exchange();
}

void Connection::finish_exchange() {
  chunked_.reset();
  body_guard_.stop();
  const std::int64_t idle_timeout_ms = exchange_->limits->idle_timeout_ms;
  close_exchange(*std::exchange(exchange_, nullptr));
  if (close_after_) {
    state_ = State::kFlushing;
    if (stream_.output().empty()) finish_output();
  } else {
    next_request(idle_timeout_ms);
  }
}

void Connection::next_request(std::int64_t idle_timeout_ms) {
  state_ = State::kIdle;
  phase_deadline_ms_ = service_.loop.now_ms() + idle_timeout_ms;
  if (processing_) return;
  arm_deadline();
  stream_.resume_reading();
  if (!stream_.input().empty()) {
    stream_.offer_held_input();
  } else if (stream_.input_ended()) {
    finish_output();
  }
}

}  // namespace tidegate::http::h1
