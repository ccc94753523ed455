// One request and its response: the place where the protocol versions meet. It knows no framing.
//
// A codec fills the request and hands the exchange to the ExchangeHandler; the handler's side fills the response and
// calls ResponseWriter::start. Owned by the codec's connection while it lasts, allocated from the handler's pool; one
// thread. The request's views follow the head's bytes when the codec moves them (detach), so code that waits must read
// them from here again instead of keeping copies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/address.h"
#include "base/arena.h"
#include "base/error.h"
#include "http/body.h"
#include "http/field_block.h"
#include "http/field_table.h"
#include "http/limits.h"
#include "http/method.h"

namespace tidegate::http {

class Exchange;

// How large the head was, in the terms of [limits]: for limits of a site or a route, which is known only afterwards.
struct HeadSize {
  std::uint32_t line = 0;    // bytes of the request line, without its end
  std::uint32_t fields = 0;  // bytes of all field lines, with their ends
  std::uint32_t count = 0;   // field lines, with those that were dropped
};

struct Request {
  Method method = Method::kGet;
  Version version = Version::kHttp11;
  TargetForm form = TargetForm::kOrigin;
  std::string_view method_text;
  std::string_view target;  // as it was received
  std::string_view path;    // in normal form (http/semantics/target.h); "*" for an asterisk target
  std::string_view query;   // without '?'
  std::string_view host;    // without port; may be empty
  bool has_encoded_slash = false;
  bool has_control_byte = false;
  bool has_body = false;
  bool expects_continue = false;
  std::optional<std::uint64_t> body_length;  // none: chunked, or no body
  HeadSize head_size;
  base::Address client = {};
  std::uint16_t listener = 0;  // which listener of the server took the connection
};

// A field that is made for one response; lives in the exchange's arena.
struct ExtraField {
  std::string_view name;
  std::string_view value;
  ExtraField* next = nullptr;
};

struct Response {
  static constexpr std::size_t kBlocksMax = 6;

  std::uint16_t status = 200;
  bool omit_server = false;       // no Server field
  bool close = false;             // the connection ends after this response
  std::uint8_t block_count = 0;
  std::array<const FieldBlock*, kBlocksMax> blocks;
  ExtraField* extra = nullptr;
  ExtraField* extra_last = nullptr;
  ExtraField* trailers = nullptr;  // sent behind a body of unknown length; set before the source ends
  ResponseBody body;

  void add_block(const FieldBlock& block) {
    if (!block.empty()) blocks[block_count++] = &block;
  }

  // Ready for another response. The body's pin and source must have been given back.
  void reset() {
    status = 200;
    omit_server = close = false;
    block_count = 0;
    extra = extra_last = trailers = nullptr;
    body = ResponseBody{};
  }
};

// The codec's side of an exchange.
class ResponseWriter {
 public:
  // The response's head is complete and its body can be pulled. Once an exchange.
  virtual void start(Exchange& exchange) = 0;
  // A source that answered kWait has more.
  virtual void body_ready(Exchange& exchange) = 0;
  // The exchange cannot be completed: the peer must see that the message is cut.
  virtual void abort(Exchange& exchange, base::Error error) = 0;
  // Back-pressure for the request's content.
  virtual void pause_body(Exchange& exchange) = 0;
  virtual void resume_body(Exchange& exchange) = 0;

 protected:
  ~ResponseWriter() = default;
};

class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  Request request;
  const FieldTable* fields = nullptr;    // of the request
  const FieldTable* trailers = nullptr;  // of the request's content, when on_body_end is called; may be null
  Response response;
  base::Arena arena;
  const Limits* limits = nullptr;  // of the listener, then of the route
  ResponseWriter* writer = nullptr;
  BodyReader* body_reader = nullptr;

  // For the log.
  std::int64_t started_us = 0;       // wall clock; 0 when nobody asked for it
  std::uint64_t bytes_received = 0;  // of the request's content
  std::uint64_t bytes_sent = 0;      // of the response's content
  base::Error failure;               // why it was not completed
  bool response_started = false;
  bool head_only = false;  // the response must not carry content (HEAD)

  // Adds a field to the response. Both texts must live as long as the exchange (constants or arena).
  void add_field(std::string_view name, std::string_view value) {
    auto* field = arena.allocate_array<ExtraField>(1);
    *field = {name, value, nullptr};
    (response.extra_last == nullptr ? response.extra : response.extra_last->next) = field;
    response.extra_last = field;
  }

  // Moves what the request refers to into the exchange's own memory: the `head_size` bytes at the fields' base.
  void detach(std::size_t head_size);

  // Ready for the next request; keeps warm memory.
  void reset();

 private:
  FieldTable own_fields_;
};

// The other side: routes and runs. One a worker.
class ExchangeHandler {
 public:
  // An exchange to fill, from the handler's pool, and back.
  virtual Exchange& acquire() = 0;
  virtual void release(Exchange& exchange) = 0;

  // The head is complete. The handler answers now or later through exchange.writer.
  virtual void on_request(Exchange& exchange) = 0;
  // The message broke a rule of the protocol: answer with `status`; the connection closes. `reason` has static life.
  virtual void on_refused(Exchange& exchange, std::uint16_t status, std::string_view reason) = 0;
  // The client is gone or the message was cut: work for this exchange is of no use any more. on_finished follows.
  virtual void on_abandoned(Exchange& exchange) = 0;
  // The response is out or will never be. For the log; release follows.
  virtual void on_finished(Exchange& exchange) = 0;

 protected:
  ~ExchangeHandler() = default;
};

}  // namespace tidegate::http
