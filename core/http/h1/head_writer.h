// Encodes a response head into a write queue (RFC 9112 section 4): status line, Server, Date, the response's blocks and
// extra fields, framing and connection fields. On the connection's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "http/exchange.h"
#include "net/write_queue.h"

namespace tidegate::http::h1 {

struct HeadFraming {
  std::optional<std::uint64_t> content_length;  // sent when set
  bool chunked = false;                         // Transfer-Encoding: chunked
  bool close = false;                           // Connection: close
  bool keep_alive_http10 = false;               // Connection: keep-alive, for HTTP/1.0 clients that asked
};

// Appends the head. `date` is an IMF-fixdate. Response fields named Connection, Content-Length, Transfer-Encoding, Date
// or Server must not be in blocks or extra fields; the pipeline takes care of that.
void write_head(net::WriteQueue& out, const Response& response, const HeadFraming& framing, std::string_view date);

}  // namespace tidegate::http::h1
