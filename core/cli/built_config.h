// The configurations that commands make from their options, without a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model.h"

namespace tidegate::cli {

struct FolderSite {
  std::string root;  // absolute
  bool spa = false;  // what is not found is answered with /index.html
  bool listing = true;
  bool hidden = false;
};

// One site with a folder on these listeners. `log`: one line an exchange to standard output.
[[nodiscard]] config::Config folder_config(const FolderSite& site, std::vector<config::Listen> listen, bool log);

// One site that gives the same answer to every request.
[[nodiscard]] config::Config respond_config(handlers::RespondSettings answer, std::vector<config::Listen> listen,
                                            bool log);

// What runs when nothing is configured: a page at "/" that says so.
[[nodiscard]] config::Config welcome_config(config::Listen listen);

}  // namespace tidegate::cli
