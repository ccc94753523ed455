// serve: a folder as a site. respond: one answer to everything.
#include <charconv>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/built_config.h"
#include "cli/listening.h"
#include "cli/output.h"
#include "cli/start.h"
#include "cli/verbs/verbs.h"
#include "config/text_rules.h"

namespace tidegate::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUsualListen = "http://localhost:8080";

std::unexpected<Failure> usage(std::string message, std::string hint = {}) {
  return std::unexpected(Failure{server::kUsage, std::move(message), std::move(hint)});
}

// The directory as an absolute path without links, if it is one that can be read.
std::expected<std::string, Failure> folder_of(const Arguments& arguments) {
  const std::string given = arguments.rest().empty() ? "." : arguments.rest().front();
  std::error_code failed;
  const fs::path real = fs::canonical(given, failed);
  if (failed == std::errc::permission_denied)
    return std::unexpected(Failure{server::kState, given + " may not be entered: permission denied"});
  if (failed) return usage("there is no directory " + given);
  if (!fs::is_directory(real, failed))
    return usage(given + " is not a directory", "give the directory that the file is in");
  static_cast<void>(fs::directory_iterator(real, failed));
  if (failed) return std::unexpected(Failure{server::kState, real.string() + " cannot be read: " + failed.message()});
  return real.string();
}

std::expected<std::uint16_t, Failure> status_of(const Arguments& arguments) {
  const std::string* text = arguments.value("status");
  if (text == nullptr) return 200;
  std::uint16_t status = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), status);
  if (error != std::errc() || end != text->data() + text->size() || status < 200 || status > 599) {
    return usage("--status " + *text + ": a status is a number from 200 to 599");
  }
  return status;
}

}  // namespace

Outcome serve(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("listing") && arguments.has("no-listing"))
    return usage("--listing and --no-listing exclude each other");
  auto chosen = choose_listeners(arguments, kUsualListen);
  if (!chosen) return std::unexpected(chosen.error());
  auto root = folder_of(arguments);
  if (!root) return std::unexpected(root.error());
  const bool spa = arguments.has("spa");
  const bool listing = arguments.has("listing") || (!spa && !arguments.has("no-listing"));
  const FolderSite site{.root = *root, .spa = spa, .listing = listing, .hidden = arguments.has("hidden")};
  if (!chosen->note.empty()) invocation.output.complain(chosen->note + '\n');
  return serve_built(invocation, folder_config(site, std::move(chosen->listen), arguments.has("log")),
                     "Serving " + *root + " on ", ControlSocket::kOfProcess);
}

Outcome respond(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  auto status = status_of(arguments);
  if (!status) return std::unexpected(status.error());
  handlers::RespondSettings answer;
  answer.status = *status;
  answer.body = arguments.rest().front();
  if (!answer.body.empty() && (*status == 204 || *status == 205 || *status == 304)) {
    return usage("a response with status " + std::to_string(*status) + " has no content; give an empty TEXT");
  }
  if (const std::string* type = arguments.value("content-type")) {
    if (!config::is_media_type(*type))
      return usage("--content-type " + *type + ": a media type is written type/subtype");
    answer.content_type = *type;
  }
  auto chosen = choose_listeners(arguments, kUsualListen);
  if (!chosen) return std::unexpected(chosen.error());
  if (!chosen->note.empty()) invocation.output.complain(chosen->note + '\n');
  return serve_built(invocation, respond_config(std::move(answer), std::move(chosen->listen), arguments.has("log")),
                     "Answering on ", ControlSocket::kOfProcess);
}

}  // namespace tidegate::cli
