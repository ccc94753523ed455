#include "cli/listening.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "server/server.h"
#include "sys/socket.h"

namespace tidegate::cli {

namespace {

constexpr std::string_view kHttpOnly = "this version of Tidegate speaks http only";

// The addresses of a listener on this machine, as the server opens them.
std::vector<base::Endpoint> endpoints_of(const config::Listen& listen) {
  std::vector<std::string_view> ips;
  if (listen.kind == config::Listen::Kind::kAddress) return {{.address = listen.address}};
  if (listen.kind == config::Listen::Kind::kLocalhost) ips = {"127.0.0.1", "::1"};
  if (listen.kind == config::Listen::Kind::kAny) ips = {"0.0.0.0", "::"};
  std::vector<base::Endpoint> endpoints;
  for (const std::string_view ip : ips) {
    base::Endpoint endpoint{.address = base::parse_ip(ip).value_or(base::Address{})};
    endpoint.address.port = listen.address.port;
    endpoints.push_back(endpoint);
  }
  return endpoints;
}

// The endpoint of the listener that somebody else has, if any. Nothing stays open.
std::optional<base::Endpoint> taken(const config::Listen& listen) {
  for (const base::Endpoint& endpoint : endpoints_of(listen)) {
    const auto socket = sys::listen_at(endpoint, {});
    if (socket) {
      sys::close_socket(*socket, false);
    } else if (socket.error().code == base::Code::kAddressInUse) {
      return endpoint;
    }
  }
  return std::nullopt;
}

// The same listener on another port.
config::Listen at_port(const config::Listen& listen, std::uint16_t port) {
  const std::size_t colon = listen.text.rfind(':');
  return config::parse_listen(listen.text.substr(0, colon + 1) + std::to_string(port)).value_or(listen);
}

ChosenListeners next_free(const config::Listen& usual) {
  const auto first = taken(usual);
  if (!first) return {{usual}};
  for (std::uint16_t i = 1; i <= kPortTries; ++i) {
    config::Listen other = at_port(usual, static_cast<std::uint16_t>(usual.address.port + i));
    if (taken(other)) continue;
    const std::string holder = sys::holder_of(*first);
    std::string note = "port " + std::to_string(usual.address.port) + " is taken" +
                       (holder.empty() ? "" : " by " + holder) + ", using " + std::to_string(other.address.port);
    return {{std::move(other)}, std::move(note)};
  }
  return {{usual}};  // the server will say who holds it
}

std::expected<config::Listen, Failure> parse_one(const std::string& text) {
  if (text.starts_with("https:")) {
    return std::unexpected(Failure{server::kUsage, std::string(kHttpOnly) + ": " + text, "write http:// instead"});
  }
  auto listen = config::parse_listen(text);
  if (!listen) return std::unexpected(Failure{server::kUsage, "--listen " + text + ": " + listen.error()});
  if (listen->kind == config::Listen::Kind::kUnix) {
    std::error_code ignored;
    config::set_path(*listen, std::filesystem::absolute(listen->path, ignored).lexically_normal().string());
  }
  return *listen;
}

}  // namespace

std::expected<ChosenListeners, Failure> choose_listeners(const Arguments& arguments, const std::string& usual) {
  if (arguments.has("https")) {
    return std::unexpected(
        Failure{server::kUsage, std::string(kHttpOnly) + "; --https is not available", "leave --https out"});
  }
  ChosenListeners chosen;
  for (const std::string& text : arguments.values("listen")) {
    auto listen = parse_one(text);
    if (!listen) return std::unexpected(listen.error());
    chosen.listen.push_back(std::move(*listen));
  }
  if (!chosen.listen.empty()) return chosen;
  auto listen = parse_one(usual);
  if (!listen) return std::unexpected(listen.error());
  return next_free(*listen);
}

std::vector<std::string> reached_at(const std::map<std::string, std::vector<std::string>>& listeners) {
  std::vector<std::string> shown;
  const auto show = [&shown](std::string text) {
    if (std::ranges::find(shown, text) == shown.end()) shown.push_back(std::move(text));
  };
  for (const auto& [text, addresses] : listeners) {
    const bool localhost = text.starts_with("http://localhost:");
    for (const std::string& address : addresses) {
      const std::string port = address.substr(address.rfind(':') + 1);
      const bool every = address.starts_with("0.0.0.0:") || address.starts_with("[::]:");
      if (localhost) {
        show("http://localhost:" + port);
      } else if (every) {
        show("http://localhost:" + port + " (and every other address of this machine)");
      } else {
        show("http://" + address);
      }
    }
  }
  return shown;
}

}  // namespace tidegate::cli
