// The page of the built-in default site: what a person sees who has just started Tidegate.
//
// Owner: handlers. Thread: any. Pure, no script, no other resource. Made once and kept by the caller.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::handlers {

struct WelcomePage {
  std::string_view version;      // of the server, as `tidegate version` says it; may be empty
  std::string_view config_path;  // the configuration file in use; empty: none
};

/// The page, `text/html; charset=utf-8`. To be sent with welcome_policy() as Content-Security-Policy.
[[nodiscard]] std::string render_welcome(const WelcomePage& page);

[[nodiscard]] std::string_view welcome_policy() noexcept;

}  // namespace tidegate::handlers
