// One HTTP/1.x connection: bytes to exchanges and back (RFC 9112).
//
// Owned by its worker's slab, on the loop's thread. At most one exchange is in progress; requests that are pipelined
// behind it wait in the stream. An idle connection holds neither an exchange nor a buffer.
//
//   kIdle -> kHead -> kExchange -> kIdle ...        the response keeps the connection
//                          \-> kFlushing -> (kLingering) -> closed
//
// Content that nobody reads (a body for a fixed response or a file) is taken before the answer goes out, as long as it is
// small: so a malformed or cut message gets its 4xx, and the connection can serve the next request.
//
// Back-pressure: a slow client fills the stream's output; above kHighWatermark no source is pulled and no pipelined
// request is started (on_output resumes both). A slow handler pauses the request's body through pause_body, which stops
// reading from the socket.
#pragma once

#include <cstdint>
#include <optional>

#include "base/address.h"
#include "http/date_text.h"
#include "http/exchange.h"
#include "http/h1/chunked_decoder.h"
#include "http/h1/head_parser.h"
#include "http/h1/head_writer.h"
#include "http/h1/request_head.h"
#include "http/rate_guard.h"
#include "io/loop.h"
#include "net/stream.h"

namespace tidegate::http::h1 {

class Connection;

// Who owns the connections of a worker.
class ConnectionOwner {
 public:
  // The connection holds nothing any more; destroy it at the end of the turn.
  virtual void on_connection_ended(Connection& connection) = 0;

 protected:
  ~ConnectionOwner() = default;
};

// What the connections of one worker share. Everything outlives them.
struct Service {
  io::Loop& loop;
  net::WriteBlockPool& blocks;
  ExchangeHandler& handler;
  ConnectionOwner& owner;
  DateText date = {};
  RequestHead head = {};  // of the head being parsed; its table serves the exchange until that is detached
  FieldTable trailers = {};  // of the chunked content being read
  bool draining = false;  // no further request after the one in progress
};

// Who the connection is.
struct Peer {
  base::Address address;
  std::uint16_t listener = 0;
  const Limits* limits = nullptr;  // of the listener
};

class Connection final : private net::StreamOwner, private ResponseWriter {
 public:
  Connection(Service& service, io::SocketId socket, const Peer& peer);
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  // The limits of the listener changed with a reload.
  void set_limits(const Limits& limits) { limits_ = &limits; }
  // Closes now if idle, else after the exchange in progress.
  void drain();
  // Closes at once.
  void kill();
  [[nodiscard]] std::uint16_t listener() const { return listener_; }
  [[nodiscard]] bool idle() const { return state_ == State::kIdle; }
  // Where its owner keeps it.
  base::Handle handle;

 private:
  enum class State : std::uint8_t { kIdle, kHead, kExchange, kFlushing, kLingering, kClosed };
  static constexpr std::uint64_t kLowWatermark = 64 * 1024;
  static constexpr std::uint64_t kHighWatermark = 256 * 1024;
  static constexpr std::uint64_t kCopyMax = 2048;            // content up to this size is copied behind its head
  static constexpr std::uint64_t kDiscardMax = 1024 * 1024;  // unread request content that is read for the connection's sake
  static constexpr std::int64_t kLingerMs = 2000;

  // StreamOwner
  void on_input() override;
  void on_input_end() override;
  void on_output(std::uint64_t bytes_sent) override;
  void on_failure(base::Error error) override;
  void on_closed() override;
  // ResponseWriter
  void start(Exchange& exchange) override;
  void body_ready(Exchange& exchange) override;
  void abort(Exchange& exchange, base::Error error) override;
  void pause_body(Exchange& exchange) override;
  void resume_body(Exchange& exchange) override;

  // connection.cpp: requests
  void process();
  bool read_head();
  Exchange& open_exchange();
  void begin(const ParseResult& parsed);
  void expect_chunks();
  [[nodiscard]] HeadLimits head_limits() const;
  void refuse(std::uint16_t status, std::string_view reason);
  void run_handler();
  void settle_exchange();
  void finish_exchange();
  void next_request(std::int64_t idle_timeout_ms);
  // connection_body.cpp: request content
  bool read_body();
  bool read_sized(std::string_view input);
  bool read_chunked(std::string_view input);
  void deliver_body(std::string_view bytes);
  void body_complete();
  void refuse_body(std::uint16_t status, std::string_view reason);
  void refuse_cut_body();
  [[nodiscard]] bool discardable() const;
  [[nodiscard]] bool waits_for_content(const Exchange& exchange) const;
  void hold_answer(Exchange& exchange);
  void release_answer();
  void drop_answer();
  // connection_output.cpp: responses
  HeadFraming framing_of(const Exchange& exchange);
  void write_response(Exchange& exchange);
  void write_body(Exchange& exchange);
  void pull_body();
  void close_exchange(Exchange& exchange);
  // connection_end.cpp: deadlines and endings
  void finish_output();
  void linger();
  void close(bool reset);
  void abandon(base::Error error);
  void set_phase_deadline(std::int64_t at_ms);
  void watch_progress();
  void arm_deadline();
  void on_deadline();
  [[nodiscard]] bool check_progress();
  [[nodiscard]] const Limits& current_limits() const { return exchange_ != nullptr ? *exchange_->limits : *limits_; }

  struct Deadline : io::Timer {
    Connection* connection = nullptr;
  };

  Service& service_;
  net::Stream stream_;
  Exchange* exchange_ = nullptr;
  Exchange* abandoned_ = nullptr;  // kept until the driver has let go of what it was sending
  const Limits* limits_;  // of the listener; those of the route are in the exchange
  Deadline deadline_;
  std::int64_t phase_deadline_ms_ = 0;  // of kIdle, kHead and kLingering; 0: none. The timer may fire earlier
  RateGuard body_guard_;
  RateGuard write_guard_;
  ScanState scan_;
  std::optional<ChunkedDecoder> chunked_;
  std::uint64_t body_left_ = 0;
  std::uint64_t discarded_ = 0;
  std::uint64_t requests_ = 0;
  base::Address client_;
  std::uint16_t listener_;
  State state_ = State::kIdle;
  bool processing_ = false;
  bool running_handler_ = false;
  bool request_done_ = false;
  bool answer_held_ = false;  // the response is complete and waits for the rest of the request's content
  bool response_done_ = false;
  bool response_copied_ = false;  // the queue refers to nothing of the exchange: it may end before all is sent
  bool pulling_ = false;
  bool chunked_response_ = false;
  bool keep_alive_ = false;
  bool close_after_ = false;
  bool client_closes_ = false;  // the client said that it sends nothing more
  bool body_paused_ = false;
  bool pull_waits_ = false;
};

}  // namespace tidegate::http::h1
