// What a route says about a fixed response: plain data, filled by the configuration reader, read by the respond handler.
//
// Immutable after it is published; any worker may read it. The reader has checked that field names are tokens, that
// values hold no control characters, and that a status without content (204, 205, 304) comes with an empty body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidegate::handlers {

// One response field of a fixed response.
struct RespondField {
  std::string name;
  std::string value;

  friend bool operator==(const RespondField&, const RespondField&) = default;
};

struct RespondSettings {
  std::uint16_t status = 200;                              // 200 to 599
  std::string body;                                        // sent as it is; may hold any bytes
  std::string content_type = "text/plain; charset=utf-8";  // empty: the field is not sent
  std::vector<RespondField> headers;                       // further fields, in written order

  friend bool operator==(const RespondSettings&, const RespondSettings&) = default;
};

}  // namespace tidegate::handlers
