// The table behind rule.h.
#include "http/h1/rule.h"

#include <array>
#include <cstddef>

namespace tidegate::http::h1 {
namespace {

struct Entry {
  std::uint16_t status;
  std::string_view text;
};

constexpr auto kEntries = std::to_array<Entry>({{0, ""},
#define TIDEGATE_ENTRY(id, status, text) {status, text},
                                                TIDEGATE_H1_RULES(TIDEGATE_ENTRY)
#undef TIDEGATE_ENTRY
});

}  // namespace

std::uint16_t status_of(Rule rule) noexcept { return kEntries[static_cast<std::size_t>(rule)].status; }

std::string_view text_of(Rule rule) noexcept { return kEntries[static_cast<std::size_t>(rule)].text; }

}  // namespace tidegate::http::h1
