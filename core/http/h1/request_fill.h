// From a parsed HTTP/1.x head to the version-neutral request.
#pragma once

#include <optional>
#include <string_view>

#include "http/exchange.h"
#include "http/h1/request_head.h"

namespace tidegate::http::h1 {

// Fills exchange.request; the normal path may come to lie in the exchange's arena. Returns why the target is refused
// with 400 (static text), or nothing.
[[nodiscard]] std::optional<std::string_view> fill_request(const RequestHead& head, Exchange& exchange);

}  // namespace tidegate::http::h1
