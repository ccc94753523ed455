#include "config/model.h"

#include "config/value.h"

namespace tidegate::config {

SourceLocation place_of(const Sources& /*owner*/, const Written& object, std::initializer_list<std::string_view> path) {
  SourceLocation at = object.at;
  const Value* value = object.value;
  for (const std::string_view key : path) {
    value = value == nullptr ? nullptr : value->find(key);
    if (value == nullptr) break;
    at = value->at;
  }
  return at;
}

}  // namespace tidegate::config
