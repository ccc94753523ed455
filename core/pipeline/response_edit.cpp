#include "pipeline/response_edit.h"

#include <algorithm>

#include "http/semantics/chars.h"

namespace tidegate::pipeline {

void ResponseEdit::remove(std::string_view name) {
  removed_.emplace_back(name);
  removed_mask_ |= http::mask_of(name);
  if (http::equals_ignore_case(name, "Server")) omit_server_ = true;
}

void ResponseEdit::set(std::string_view name, std::string_view value) {
  remove(name);
  add(name, value);
}

void ResponseEdit::add(std::string_view name, std::string_view value) { added_.add(name, value); }

bool ResponseEdit::removes(std::string_view name) const {
  return std::any_of(removed_.begin(), removed_.end(),
                     [name](const std::string& removed) { return http::equals_ignore_case(removed, name); });
}

void ResponseEdit::apply(http::Exchange& exchange) const {
  if (omit_server_) exchange.response.omit_server = true;
  if (removed_mask_ != 0) filter(exchange);
  exchange.response.add_block(added_);
}

// Blocks that may hold a removed name are taken apart; what stays becomes extra fields of this response.
void ResponseEdit::filter(http::Exchange& exchange) const {
  http::Response& response = exchange.response;
  http::ExtraField* extra = response.extra;
  response.extra = response.extra_last = nullptr;
  for (; extra != nullptr; extra = extra->next) {
    if (!removes(extra->name)) exchange.add_field(extra->name, extra->value);
  }
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < response.block_count; ++i) {
    const http::FieldBlock& block = *response.blocks[i];
    if ((block.mask() & removed_mask_) == 0) {
      response.blocks[kept++] = &block;
      continue;
    }
    for (std::size_t f = 0; f < block.size(); ++f) {
      if (!removes(block.name(f))) exchange.add_field(block.name(f), block.value(f));
    }
  }
  response.block_count = kept;
}

}  // namespace tidegate::pipeline
