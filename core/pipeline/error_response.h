// The built-in answer for an error status: a page, JSON or plain text, as the client prefers (RFC 9110 section 15.5).
#pragma once

#include <cstdint>
#include <string_view>

#include "pipeline/routed_exchange.h"

namespace tidegate::pipeline {

// Sets status, fields and body of the response. `hint` is a sentence for the person who reads it; it may be empty.
void set_error_response(RoutedExchange& exchange, std::uint16_t status, std::string_view hint);

}  // namespace tidegate::pipeline
