// What the fields of a request mean for the connection: host, body framing, persistence, expectation, upgrade.
//
// Owner: http/h1. Thread: any.
#pragma once

#include "http/h1/request_head.h"
#include "http/h1/rule.h"

namespace tidegate::http::h1 {

/// Derives host, body, connection, keep_alive, expect_continue and upgrade of a head from its request line and its
/// fields. Gives the rule that is broken, or kNone.
///
/// Where RFC 9112 lets a server choose between repair and refusal, this one refuses: two servers in a row that repair
/// differently are how requests get smuggled. So: one Content-Length line with digits only ("5, 5" and two equal lines
/// are refused), never together with Transfer-Encoding, and Transfer-Encoding is exactly one "chunked".
[[nodiscard]] Rule derive_framing(RequestHead& head) noexcept;

}  // namespace tidegate::http::h1
