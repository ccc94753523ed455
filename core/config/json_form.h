// The JSON form of a configuration: what the admin API speaks and `config show` prints. load.h reads it back.
#pragma once

#include <string>

#include "config/json_writer.h"
#include "config/model.h"

namespace tidegate::config {

struct JsonOptions {
  bool defaults = true;  // also settings that have their default value
  // When given: strings that came from ${env:X} or ${file:X} are written as they stand in these sources, from which the
  // configuration was loaded. Otherwise the values themselves are written, secrets included.
  const Sources* sources = nullptr;
  JsonWriter::Layout layout = JsonWriter::Layout::kIndented;
};

// The effective configuration: all files in one object, paths absolute. Reading it gives an equal configuration (up to
// bytes that are not UTF-8, which JSON cannot carry). Ends with a newline.
[[nodiscard]] std::string to_json(const Config& config, const JsonOptions& options = {});

}  // namespace tidegate::config
