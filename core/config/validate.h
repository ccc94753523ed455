// Checks what the readers cannot see in one table alone: how sites, listeners, routes and the file system go together.
#pragma once

#include <cstddef>
#include <string>

#include "config/load.h"
#include "config/value.h"

namespace tidegate::config {

struct ValidateOptions {
  bool check_files = true;  // look at the file system: roots, password files, directories of logs
};

// Appends what it finds to loaded.diagnostics and sorts them. May be called on a configuration that has errors already:
// it speaks only of what was read.
void validate(Loaded& loaded, const ValidateOptions& options = {});

// load_files and validate.
[[nodiscard]] Loaded load_and_validate(const std::string& path, const LoadOptions& load = {},
                                       const ValidateOptions& options = {});

// What the single checks share: the configuration, and how a diagnostic about a site or a route is begun.
class Validator {
 public:
  Validator(const Config& config, const Sources& sources, Diagnostics& diagnostics)
      : config_(config), sources_(sources), diagnostics_(diagnostics) {}

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Sources& sources() const { return sources_; }
  Diagnostic& report(Severity severity, const SourceLocation& at, std::string pointer, std::string message,
                     std::string hint = {});

  [[nodiscard]] static std::string site_pointer(std::size_t site) { return "/site/" + std::to_string(site); }
  [[nodiscard]] static std::string route_pointer(std::size_t site, std::size_t route) {
    return site_pointer(site) + "/route/" + std::to_string(route);
  }
  // Where the path of the route was written, or else the route.
  [[nodiscard]] SourceLocation route_place(const Route& route) const;

 private:
  const Config& config_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
};

// Two sites with one name; one host twice on a listener; a listener twice in a site; a site without routes.
void validate_sites(Validator& validator);
// Routes that an earlier one of the site hides: reported only when certain.
void find_shadowed_routes(Validator& validator);
// Redirects whose target is answered by the same redirect again.
void find_redirect_loops(Validator& validator);
// Directories and files that are named.
void validate_files(Validator& validator);

}  // namespace tidegate::config
