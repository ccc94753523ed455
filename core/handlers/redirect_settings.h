// What a route says about a redirect: plain data, filled by the configuration reader, read by the redirect handler.
//
// Immutable after it is published; any worker may read it. The target is kept as the list of its parts, so that the
// placeholders are parsed once, by the reader, and the handler only joins strings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidegate::handlers {

// One part of a redirect target such as "/new/{path.rest}".
struct RedirectPart {
  enum class Kind : std::uint8_t {
    kLiteral,   // `literal`, as it is
    kPath,      // {path}: the path of the request target, as it was sent
    kPathRest,  // {path.rest}: what the last "*" of the route's path pattern matched
    kQuery,     // {query}: the query without the question mark; empty when there is none
    kHost,      // {host}: the host the client asked for, without a port
    kScheme,    // {scheme}: "http" or "https", as the listener speaks
  };
  Kind kind = Kind::kLiteral;
  std::string literal;

  friend bool operator==(const RedirectPart&, const RedirectPart&) = default;
};

struct RedirectSettings {
  std::string to;                   // the target as written, for display
  std::vector<RedirectPart> parts;  // the same, parsed; never empty
  std::uint16_t status = 302;       // 301, 302, 303, 307 or 308
  bool keep_query = true;           // append the request's query; not done when `to` has {query} or a "?" of its own

  friend bool operator==(const RedirectSettings&, const RedirectSettings&) = default;
};

}  // namespace tidegate::handlers
