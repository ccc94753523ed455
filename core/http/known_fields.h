// The field names that this server gives a meaning to, and the way from a name to its number.
//
// Owner: http. Thread: any. Constant tables, built at compile time.
// Invariants: at most 63 names, so that a set of them fits one 64-bit word; a name is written once, in the list below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidegate::http {

// One line a field: enumerator, name in its usual spelling. The order carries no meaning.
#define TIDEGATE_KNOWN_FIELDS(X)                     \
  X(kHost, "Host")                                   \
  X(kContentLength, "Content-Length")                \
  X(kTransferEncoding, "Transfer-Encoding")          \
  X(kConnection, "Connection")                       \
  X(kExpect, "Expect")                               \
  X(kUpgrade, "Upgrade")                             \
  X(kTe, "TE")                                       \
  X(kTrailer, "Trailer")                             \
  X(kKeepAlive, "Keep-Alive")                        \
  X(kProxyConnection, "Proxy-Connection")            \
  X(kHttp2Settings, "HTTP2-Settings")                \
  X(kVia, "Via")                                     \
  X(kMaxForwards, "Max-Forwards")                    \
  X(kForwarded, "Forwarded")                         \
  X(kXForwardedFor, "X-Forwarded-For")               \
  X(kXForwardedProto, "X-Forwarded-Proto")           \
  X(kXForwardedHost, "X-Forwarded-Host")             \
  X(kXForwardedPort, "X-Forwarded-Port")             \
  X(kXForwardedPrefix, "X-Forwarded-Prefix")         \
  X(kXRealIp, "X-Real-IP")                           \
  X(kXRequestId, "X-Request-Id")                     \
  X(kRemoteUser, "Remote-User")                      \
  X(kProxy, "Proxy")                                 \
  X(kAuthorization, "Authorization")                 \
  X(kProxyAuthorization, "Proxy-Authorization")      \
  X(kWwwAuthenticate, "WWW-Authenticate")            \
  X(kProxyAuthenticate, "Proxy-Authenticate")        \
  X(kCookie, "Cookie")                               \
  X(kSetCookie, "Set-Cookie")                        \
  X(kOrigin, "Origin")                               \
  X(kReferer, "Referer")                             \
  X(kUserAgent, "User-Agent")                        \
  X(kAccept, "Accept")                               \
  X(kAcceptEncoding, "Accept-Encoding")              \
  X(kAcceptLanguage, "Accept-Language")              \
  X(kAcceptRanges, "Accept-Ranges")                  \
  X(kIfMatch, "If-Match")                            \
  X(kIfNoneMatch, "If-None-Match")                   \
  X(kIfModifiedSince, "If-Modified-Since")           \
  X(kIfUnmodifiedSince, "If-Unmodified-Since")       \
  X(kIfRange, "If-Range")                            \
  X(kRange, "Range")                                 \
  X(kContentType, "Content-Type")                    \
  X(kContentEncoding, "Content-Encoding")            \
  X(kContentRange, "Content-Range")                  \
  X(kCacheControl, "Cache-Control")                  \
  X(kPragma, "Pragma")                               \
  X(kAge, "Age")                                     \
  X(kExpires, "Expires")                             \
  X(kVary, "Vary")                                   \
  X(kEtag, "ETag")                                   \
  X(kLastModified, "Last-Modified")                  \
  X(kDate, "Date")                                   \
  X(kServer, "Server")                               \
  X(kLocation, "Location")                           \
  X(kAltSvc, "Alt-Svc")                              \
  X(kEarlyData, "Early-Data")                        \
  X(kPriority, "Priority")                           \
  X(kSecWebsocketKey, "Sec-WebSocket-Key")           \
  X(kSecWebsocketVersion, "Sec-WebSocket-Version")   \
  X(kSecWebsocketProtocol, "Sec-WebSocket-Protocol") \
  X(kSecWebsocketExtensions, "Sec-WebSocket-Extensions")

enum class KnownField : std::uint8_t {
  kUnknown,
#define TIDEGATE_ENUMERATOR(id, name) id,
  TIDEGATE_KNOWN_FIELDS(TIDEGATE_ENUMERATOR)
#undef TIDEGATE_ENUMERATOR
};

/// Number of enumerators, kUnknown included.
inline constexpr std::size_t kKnownFieldCount = 1
#define TIDEGATE_ONE(id, name) +1
    TIDEGATE_KNOWN_FIELDS(TIDEGATE_ONE)
#undef TIDEGATE_ONE
    ;
static_assert(kKnownFieldCount <= 64, "a set of known fields must fit one 64-bit word");

/// The bit of a field in a 64-bit set.
[[nodiscard]] constexpr std::uint64_t bit_of(KnownField id) noexcept {
  return std::uint64_t{1} << static_cast<unsigned>(id);
}

/// The number of a field name, in any case; kUnknown if it is not in the list. Any bytes may be asked for.
/// Cost: one hash of five bytes and one comparison, whatever the size of the list.
[[nodiscard]] KnownField known_field(std::string_view name) noexcept;

/// The usual spelling ("Content-Length"); empty for kUnknown.
[[nodiscard]] std::string_view name_of(KnownField id) noexcept;

/// True for a field that must not be taken from a trailer section: it frames or routes the message, says how to read
/// the content, authenticates, or sets a condition on the request (RFC 9110 section 6.5.1).
[[nodiscard]] bool is_forbidden_in_trailers(KnownField id) noexcept;

}  // namespace tidegate::http
