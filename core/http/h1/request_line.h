// The request line: method, target, version (RFC 9112 section 3).
//
// Owner: http/h1. Thread: any.
#pragma once

#include "http/h1/line_walker.h"
#include "http/h1/request_head.h"
#include "http/h1/rule.h"
#include "http/h1/scan.h"

namespace tidegate::http::h1 {

/// Reads one request line that the walker found in `data` (kind kRequest, so it has a method and one space, or is
/// empty) into method, target, path, query, version, and the host of an absolute or authority target. Gives the rule
/// that it breaks, or kNone. Whether the version allows what the fields say is not looked at here.
[[nodiscard]] Rule parse_request_line(const ScanOps& ops, const char* data, const Line& line,
                                      RequestHead& head) noexcept;

}  // namespace tidegate::http::h1
