// Replaces ${env:NAME} and ${file:/path} in the strings of a tree.
//
// "$${" stands for "${". Other "${...}" without a colon stay as they are, so that scripts in a body need no escapes. A
// string that was changed keeps its raw text, so that messages and `config show` never print what may be a secret.
#pragma once

#include <string>
#include <string_view>

#include "config/diagnostic.h"
#include "config/value.h"

namespace tidegate::config {

// What a string may be replaced from; a test brings its own.
class Environment {
 public:
  virtual ~Environment() = default;
  // False when the variable is not set.
  virtual bool variable(const std::string& name, std::string& value) const = 0;
};

// The environment of the process. Do not change it (setenv) in another thread meanwhile.
[[nodiscard]] const Environment& process_environment();

inline constexpr std::size_t kMaxPlaceholderFileBytes = std::size_t{1} << 20U;

// Expands every string below `tree`, which belongs to file `tree.at.file` of `sources`. An error makes its
// string kInvalid.
void expand_placeholders(Value& tree, const Sources& sources, const Environment& environment, Diagnostics& diagnostics);

// Reads a whole file. Returns a sentence when it cannot be read or is larger than `max_bytes`; else an empty string.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t max_bytes, std::string& content);

}  // namespace tidegate::config
