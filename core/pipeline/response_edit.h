// Changes of a route to the fields of its responses: remove, then set, then add (configuration `headers`). Compiled
// once: in the common case nothing of the response is touched and one block is appended. Immutable; any thread.
#pragma once

#include <string>
#include <vector>

#include "http/exchange.h"
#include "http/field_block.h"

namespace tidegate::pipeline {

class ResponseEdit {
 public:
  void remove(std::string_view name);
  // Replaces every field of that name.
  void set(std::string_view name, std::string_view value);
  // Adds one more field of that name.
  void add(std::string_view name, std::string_view value);

  // Called once a response, before it starts.
  void apply(http::Exchange& exchange) const;

 private:
  [[nodiscard]] bool removes(std::string_view name) const;
  void filter(http::Exchange& exchange) const;

  std::vector<std::string> removed_;  // names, also of those that are set
  http::NameMask removed_mask_ = 0;
  http::FieldBlock added_;
  bool omit_server_ = false;
};

}  // namespace tidegate::pipeline
