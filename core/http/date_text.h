// The text of the Date field, made once a second. One a loop, on its thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "http/semantics/date.h"

namespace tidegate::http {

class DateText {
 public:
  // `now_ms` is the loop's monotonic time: the wall clock is read only when the second may have changed.
  [[nodiscard]] std::string_view at(std::int64_t now_ms) {
    if (now_ms >= renew_ms_) renew(now_ms);
    return {text_.data(), text_.size()};
  }

 private:
  void renew(std::int64_t now_ms);

  std::int64_t renew_ms_ = 0;
  std::array<char, kHttpDateSize> text_{};
};

}  // namespace tidegate::http
