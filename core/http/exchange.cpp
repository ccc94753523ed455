#include "http/exchange.h"

#include <functional>

namespace tidegate::http {

void Exchange::detach(std::size_t head_size) {
  const char* old_base = fields->base();
  const std::string_view copy = arena.copy({old_base, head_size});
  own_fields_.assign(*fields, copy.data());
  fields = &own_fields_;
  // Views into the head follow it; those into the arena or to constants stay.
  const auto move = [&](std::string_view& view) {
    const bool inside = std::less_equal<>{}(old_base, view.data()) && std::less<>{}(view.data(), old_base + head_size);
    if (inside) view = {copy.data() + (view.data() - old_base), view.size()};
  };
  move(request.method_text);
  move(request.target);
  move(request.path);
  move(request.query);
  move(request.host);
}

void Exchange::reset() {
  request = Request{};
  fields = trailers = nullptr;
  response.reset();
  arena.reset();
  limits = nullptr;
  writer = nullptr;
  body_reader = nullptr;
  started_us = 0;
  bytes_received = bytes_sent = 0;
  failure = {};
  response_started = head_only = false;
}

}  // namespace tidegate::http
