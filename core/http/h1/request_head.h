// The head of one HTTP/1.x request after parsing: where its parts lie and what they mean for the connection.
//
// Owner: one a worker is enough while heads are parsed one after the other; whoever handles the exchange may own one.
// It is about 1.3 KiB, so an idle connection should not hold one. Thread: that of its owner.
// Invariants: nothing is copied; every Span is relative to fields.base(). When the received bytes move, rebase() keeps
// all of it valid. The contents are complete only after parse_request_head() answered kDone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/field_table.h"
#include "http/method.h"
#include "http/semantics/list.h"

namespace tidegate::http::h1 {

enum class Scheme : std::uint8_t { kNone, kHttp, kHttps };

/// How the end of the request body is found (RFC 9112 section 6.3).
enum class BodyKind : std::uint8_t { kNone, kLength, kChunked };

// Options of Connection that have a meaning here, as bits of RequestHead::connection.
inline constexpr std::uint8_t kConnectionClose = 1;
inline constexpr std::uint8_t kConnectionKeepAlive = 2;
inline constexpr std::uint8_t kConnectionUpgrade = 4;
inline constexpr std::uint8_t kConnectionOther = 8;  // names other fields that belong to this hop only

struct RequestHead {
  Method method = Method::kOther;
  Version version = Version::kHttp11;  // kHttp10 or kHttp11; 1.2 and above count as 1.1 (RFC 9110 section 2.5)
  TargetForm target_form = TargetForm::kOrigin;
  Scheme scheme = Scheme::kNone;  // of an absolute target; kNone: the one of the listener

  Span method_token;
  Span target;             // as received
  Span path;               // without query; empty for authority and asterisk form, and for "http://host"
  Span query;              // without the '?'
  Span host;               // of an absolute or authority target, else of Host; IPv6 with its brackets; may be empty
  std::uint16_t port = 0;  // given with the host; 0: none
  bool has_query = false;  // tells "/?" from "/"

  BodyKind body = BodyKind::kNone;
  std::uint64_t content_length = 0;  // for kLength; at most 2^63-1

  std::uint8_t connection = 0;        // kConnection... bits
  bool keep_alive = false;            // the client allows another request (RFC 9112 section 9.3)
  bool expect_continue = false;       // waits for 100 before it sends its body; false when there is no body
  bool upgrade = false;               // names a protocol in Upgrade, and upgrade in Connection (RFC 9110 section 7.8)
  std::uint16_t dropped_aliases = 0;  // fields left out of the table, see aliases.h

  FieldTable fields;

  /// Everything as before a parse, over `base`.
  void reset(const char* base) noexcept;

  /// The received bytes have moved to `new_base`.
  void rebase(const char* new_base) noexcept { fields.rebase(new_base); }

  [[nodiscard]] std::string_view view(Span span) const noexcept { return {fields.base() + span.offset, span.size}; }

  /// The path to serve: "/" for an absolute target without one, empty for asterisk and authority form.
  [[nodiscard]] std::string_view request_path() const noexcept {
    return path.empty() && target_form == TargetForm::kAbsolute ? std::string_view("/") : view(path);
  }

  /// Calls `visit(std::string_view)` for each option of Connection, as received. These and the fields that they name
  /// must not be forwarded (RFC 9110 section 7.6.1).
  template <class Visit>
  void for_each_connection_option(Visit visit) const {
    fields.for_each(KnownField::kConnection, [&](std::string_view line) {
      ListReader list(line);
      while (const auto option = list.next()) visit(*option);
    });
  }
};

}  // namespace tidegate::http::h1
