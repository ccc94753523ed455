// Deadlines and endings. A connection that ends after a response lingers: it sends FIN and reads on for a while, since
// closing with unread data would reset the connection and lose the response (RFC 9112 section 9.6).
#include <algorithm>
#include <utility>

#include "http/h1/connection.h"

namespace tidegate::http::h1 {

void Connection::drain() {
  close_after_ = true;
  if (state_ == State::kIdle && stream_.output().empty()) close(false);
}

void Connection::kill() {
  if (state_ != State::kClosed) abandon({.code = base::Code::kCancelled, .domain = base::Domain::kHttp});
}

void Connection::on_input_end() {
  switch (state_) {
    case State::kIdle:
      // Requests that wait until the client has taken earlier answers are still served; on_output goes on with them.
      if (!stream_.input().empty()) return;
      [[fallthrough]];
    case State::kHead:
    case State::kLingering: return finish_output();
    case State::kExchange:
      // A client may close its side after its request and wait for the answer; next_request sees the end later.
      if (!request_done_ && !body_paused_) refuse_cut_body();
      return;
    case State::kFlushing:
    case State::kClosed: return;
  }
}

void Connection::on_failure(base::Error error) {
  error.origin = base::Origin::kClient;
  abandon(error);
}

void Connection::abort(Exchange& exchange, base::Error error) {
  if (&exchange == exchange_) abandon(error);
}

// The exchange cannot be completed. The reset tells the client that the message was cut.
void Connection::abandon(base::Error error) {
  if (Exchange* exchange = std::exchange(exchange_, nullptr)) {
    exchange->failure = error;
    exchange->writer = nullptr;
    BodyReader* reader = request_done_ ? nullptr : std::exchange(exchange->body_reader, nullptr);
    if (reader != nullptr) reader->on_body_failed(error);
    service_.handler.on_abandoned(*exchange);
    abandoned_ = exchange;
  }
  close(true);
}

// Everything was sent, or nothing is left to send: end the connection in the gentlest way that is safe.
void Connection::finish_output() {
  if (!stream_.output().empty()) {
    state_ = State::kFlushing;
    return stream_.flush();
  }
  const bool client_may_send = !stream_.input_ended() && (!client_closes_ || !request_done_ || !stream_.input().empty());
  if (state_ == State::kFlushing && client_may_send) return linger();
  close(false);
}

void Connection::linger() {
  state_ = State::kLingering;
  stream_.consume(stream_.input().size());
  stream_.shutdown_send();
  set_phase_deadline(service_.loop.now_ms() + kLingerMs);
  stream_.resume_reading();
}

void Connection::close(bool reset) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  service_.loop.timers().disarm(deadline_);
  stream_.close(reset);
}

void Connection::on_closed() {
  if (abandoned_ != nullptr) close_exchange(*std::exchange(abandoned_, nullptr));
  service_.owner.on_connection_ended(*this);
}

void Connection::set_phase_deadline(std::int64_t at_ms) {
  phase_deadline_ms_ = at_ms;
  arm_deadline();
}

// Starts the guards of what is in progress; stops none.
void Connection::watch_progress() {
  const std::int64_t now_ms = service_.loop.now_ms();
  if (!stream_.output().empty() && !write_guard_.active()) write_guard_.start(now_ms);
  const bool body_expected = state_ == State::kExchange && !request_done_ && !body_paused_;
  if (body_expected && !body_guard_.active()) body_guard_.start(now_ms);
  if (!body_expected) body_guard_.stop();
  arm_deadline();
}

// The timer is lazy: it is moved only when it would fire too late.
void Connection::arm_deadline() {
  const Limits& limits = current_limits();
  std::int64_t at_ms = phase_deadline_ms_ > 0 ? phase_deadline_ms_ : INT64_MAX;
  if (write_guard_.active()) {
    at_ms = std::min(at_ms, write_guard_.next_check_ms(limits.write_idle_timeout_ms, limits.rate_grace_ms));
  }
  if (body_guard_.active()) {
    at_ms = std::min(at_ms, body_guard_.next_check_ms(limits.body_idle_timeout_ms, limits.rate_grace_ms));
  }
  if (at_ms == INT64_MAX) return;
  if (!deadline_.armed() || deadline_.deadline_ms > at_ms) service_.loop.timers().arm(deadline_, at_ms);
}

void Connection::on_deadline() {
  if (!check_progress()) return;
  const bool phase_over = phase_deadline_ms_ > 0 && service_.loop.now_ms() >= phase_deadline_ms_;
  if (!phase_over) return arm_deadline();
  if (state_ == State::kHead) {
    refuse(408, "the head did not arrive within limits.header_timeout");
    stream_.flush();
    if (state_ != State::kClosed) watch_progress();
  } else if (state_ == State::kIdle || state_ == State::kLingering) {
    close(false);
  }
}

// False: the client was too slow and the connection is over or answered.
bool Connection::check_progress() {
  const std::int64_t now_ms = service_.loop.now_ms();
  const Limits& limits = current_limits();
  const base::Error too_slow{.code = base::Code::kTimedOut, .domain = base::Domain::kHttp, .origin = base::Origin::kClient};
  if (write_guard_.active() &&
      write_guard_.too_slow(now_ms, limits.write_idle_timeout_ms, limits.rate_grace_ms, limits.write_rate_min)) {
    abandon(too_slow);
    return false;
  }
  if (body_guard_.active() &&
      body_guard_.too_slow(now_ms, limits.body_idle_timeout_ms, limits.rate_grace_ms, limits.body_rate_min)) {
    refuse_body(408, "the request's content came too slowly (limits.body_rate_min, limits.body_idle_timeout)");
    return false;
  }
  return true;
}

}  // namespace tidegate::http::h1
