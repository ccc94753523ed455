// Writes the model as JSON along the schema: the other direction of the Reader.
#pragma once

#include <string>

#include "config/json_writer.h"
#include "config/schema.h"
#include "config/value.h"

namespace tidegate::config {

class Writer {
 public:
  // `defaults`: also write settings that have their default. `raw`: write strings that came from ${env:X} or ${file:X}
  // as they stand in their sources, which must still be alive, instead of what they stood for.
  Writer(JsonWriter::Layout layout, bool defaults, bool raw) : json(layout), defaults_(defaults), raw_(raw) {}

  JsonWriter json;

  void write_object(const void* object, const ObjectInfo& info, const Value* source);
  void string(const std::string& text, const Value* source);
  // The tree of an object, if it may be looked at; else null.
  [[nodiscard]] const Value* source_of(const Written& written) const { return raw_ ? written.value : nullptr; }
  [[nodiscard]] const Value* element_of(const Value* list, std::size_t index, std::size_t size) const;

 private:
  bool defaults_;
  bool raw_;
};

}  // namespace tidegate::config
