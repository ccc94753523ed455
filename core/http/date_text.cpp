#include "http/date_text.h"

#include "base/clock.h"

namespace tidegate::http {

void DateText::renew(std::int64_t now_ms) {
  const std::int64_t wall_us = base::wall_us();
  format_http_date(wall_us / 1'000'000, text_);
  renew_ms_ = now_ms + 1000 - wall_us / 1000 % 1000;
}

}  // namespace tidegate::http
