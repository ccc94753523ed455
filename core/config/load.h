// Reads configuration from files or text into the model, with every error of every file.
//
// A load never fails as a whole: it returns what could be read together with the diagnostics, and the configuration may
// be used only when `ok()`. Everything here runs on the control thread or in a command, never on a worker.
#pragma once

#include <string>

#include "config/diagnostic.h"
#include "config/expand.h"
#include "config/model.h"
#include "config/source.h"

namespace tidegate::config {

struct LoadOptions {
  const Environment* environment = nullptr;  // for ${env:NAME}; null: that of the process
};

// `config` refers into `sources` (Written::value): keep them together, or do not follow those references.
struct Loaded {
  Config config;
  Sources sources;
  Diagnostics diagnostics;  // sorted by place

  [[nodiscard]] bool ok() const { return !has_errors(diagnostics); }
};

// Reads a TOML file and, depth first, the files that it includes. Sites add up in that order; the tables server, limits,
// log and admin may stand in one file only.
[[nodiscard]] Loaded load_files(const std::string& path, const LoadOptions& options = {});

// The same for a text that is no file. `name` is for messages; relative paths start at `directory` (empty: the working
// directory).
[[nodiscard]] Loaded load_text(std::string text, std::string name, std::string directory,
                               const LoadOptions& options = {});

// Reads the JSON form (see to_json in json_form.h), which has the same shape; includes are not allowed in it.
[[nodiscard]] Loaded load_json(std::string text, std::string name, std::string directory,
                               const LoadOptions& options = {});

}  // namespace tidegate::config
