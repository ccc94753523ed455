#include "cli/built_config.h"

#include <utility>

#include "handlers/welcome_page.h"

namespace tidegate::cli {

namespace {

using namespace config::literals;

config::Config site_of(std::string name, config::Route route, std::vector<config::Listen> listen, bool log) {
  config::Config config;
  config.log.access.to.kind = log ? config::LogTarget::Kind::kStdout : config::LogTarget::Kind::kOff;
  config.log.access.format = config::AccessLogFormat::kCombined;
  // A person at a terminal is told by the command itself what runs; the log is for what goes wrong.
  config.log.error.level = config::LogLevel::kWarn;
  // After Ctrl-C the prompt should come back.
  config.server.shutdown_timeout = 3_s;
  config::Site site;
  site.name = std::move(name);
  site.listen = std::move(listen);
  site.routes.push_back(std::move(route));
  config.sites.push_back(std::move(site));
  return config;
}

}  // namespace

config::Config folder_config(const FolderSite& site, std::vector<config::Listen> listen, bool log) {
  using handlers::SidecarCoding;
  handlers::FilesSettings files;
  files.root = site.root;
  files.listing = site.listing;
  files.hidden = site.hidden;
  if (site.spa) files.fallback = "/index.html";
  files.precompressed = {SidecarCoding::kBrotli, SidecarCoding::kZstd, SidecarCoding::kGzip};
  // A page that was just saved must be seen at the next load: browsers ask each time, and are told when nothing changed.
  files.cache_control = "no-cache";
  config::Route route;
  route.handler = std::move(files);
  return site_of("serve", std::move(route), std::move(listen), log);
}

config::Config respond_config(handlers::RespondSettings answer, std::vector<config::Listen> listen, bool log) {
  config::Route route;
  route.handler = std::move(answer);
  return site_of("respond", std::move(route), std::move(listen), log);
}

config::Config welcome_config(config::Listen listen) {
  handlers::RespondSettings page;
  page.body = handlers::render_welcome({.version = TIDEGATE_VERSION, .config_path = {}});
  page.content_type = "text/html; charset=utf-8";
  page.headers = {{"Content-Security-Policy", std::string(handlers::welcome_policy())},
                  {"X-Content-Type-Options", "nosniff"}};
  config::Route route;
  route.match.path = {.kind = config::PathPattern::Kind::kExact, .text = "/", .literal = "/"};
  route.handler = std::move(page);
  return site_of("welcome", std::move(route), {std::move(listen)}, false);
}

}  // namespace tidegate::cli
