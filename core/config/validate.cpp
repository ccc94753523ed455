#include "config/validate.h"

#include <unordered_map>

namespace tidegate::config {

Diagnostic& Validator::report(Severity severity, const SourceLocation& at, std::string pointer, std::string message,
                              std::string hint) {
  diagnostics_.push_back({severity, at, std::move(pointer), std::move(message), std::move(hint), {}});
  return diagnostics_.back();
}

SourceLocation Validator::route_place(const Route& route) const {
  const SourceLocation short_form = place_of(sources_, route.written, {"path"});
  return short_form == route.written.at ? place_of(sources_, route.written, {"match", "path"}) : short_form;
}

namespace {

// A key of one site, and where it stands.
struct Claim {
  std::size_t site;
  SourceLocation at;
};

class SiteChecks {
 public:
  explicit SiteChecks(Validator& validator) : validator_(validator) {}

  void check(std::size_t number, const Site& site) {
    check_name(number, site);
    check_listeners(number, site);
    const Value* written = site.written.value;
    if (site.routes.empty() && (written == nullptr || written->find("route") == nullptr)) {
      validator_.report(Severity::kWarning, site.written.at, Validator::site_pointer(number),
                        "the site " + in_quotes(site.name) + " has no routes, so it answers 404 to everything");
    }
  }

 private:
  void check_name(std::size_t number, const Site& site) {
    const SourceLocation at = place_of(validator_.sources(), site.written, {"name"});
    const auto [claim, first] = names_.try_emplace(site.name, Claim{number, at});
    if (first) return;
    validator_
        .report(Severity::kError, at, Validator::site_pointer(number) + "/name",
                "two sites are named " + in_quotes(site.name))
        .related.push_back({claim->second.at, "the name is given here first"});
  }

  void check_listeners(std::size_t number, const Site& site) {
    std::unordered_map<std::string_view, SourceLocation> own;
    for (std::size_t i = 0; i < site.listen.size(); ++i) {
      const Listen& listen = site.listen[i];
      const std::string pointer = Validator::site_pointer(number) + "/listen/" + std::to_string(i);
      const auto [before, first] = own.try_emplace(listen.text, listen.written.at);
      if (!first) {
        validator_
            .report(Severity::kError, listen.written.at, pointer,
                    "the listener " + in_quotes(listen.text) + " is listed twice")
            .related.push_back({before->second, "it is listed here first"});
        continue;
      }
      check_hosts(number, site, listen);
      for (const Listen& admin : validator_.config().admin.listen) {
        if (admin.text != listen.text) continue;
        validator_
            .report(Severity::kError, listen.written.at, pointer,
                    in_quotes(listen.text) + " is an admin listener already")
            .related.push_back({admin.written.at, "it is an admin listener here"});
      }
    }
    if (site.listen.empty() && site.written.value != nullptr && site.written.value->find("listen") != nullptr) {
      report_empty_listen(number, site);
    }
  }

  // An empty list; when its entries were wrong they have been reported.
  void report_empty_listen(std::size_t number, const Site& site) {
    const Value& list = *site.written.value->find("listen");
    if (list.kind != Value::Kind::kArray || !list.members.empty()) return;
    validator_.report(Severity::kError, list.at, Validator::site_pointer(number) + "/listen",
                      "a site needs at least one listener");
  }

  void check_hosts(std::size_t number, const Site& site, const Listen& listen) {
    if (site.hosts.empty() && !wrote_hosts(site)) {
      claim_host(number, listen, {}, site.written.at, Validator::site_pointer(number));
    }
    for (std::size_t i = 0; i < site.hosts.size(); ++i) {
      const std::string pointer = Validator::site_pointer(number) + "/hosts/" + std::to_string(i);
      claim_host(number, listen, site.hosts[i].text(), site.hosts[i].written.at, pointer);
    }
  }

  // Whether the list has entries, which were all wrong.
  static bool wrote_hosts(const Site& site) {
    const Value* list = site.written.value == nullptr ? nullptr : site.written.value->find("hosts");
    return list != nullptr && (list->kind != Value::Kind::kArray || !list->members.empty());
  }

  void claim_host(std::size_t number, const Listen& listen, const std::string& host, const SourceLocation& at,
                  const std::string& pointer) {
    const auto [claim, first] = hosts_.try_emplace(listen.text + '\n' + host, Claim{number, at});
    if (first) return;
    const bool same_site = claim->second.site == number;
    std::string message;
    if (host.empty()) {
      message = "a second default site (one without `hosts`) on " + in_quotes(listen.text);
    } else if (same_site) {
      message = "the host " + in_quotes(host) + " is listed twice";
    } else {
      message = "the host " + in_quotes(host) + " is served by two sites on " + in_quotes(listen.text);
    }
    validator_.report(Severity::kError, at, pointer, std::move(message))
        .related.push_back({claim->second.at, "it stands here first"});
  }

  Validator& validator_;
  std::unordered_map<std::string, Claim> names_;
  std::unordered_map<std::string, Claim> hosts_;
};

void validate_server(Validator& validator) {
  const ServerSettings& server = validator.config().server;
  if (server.file_cache.bytes == 0 || server.file_cache_max_file <= server.file_cache) return;
  validator.report(Severity::kWarning, place_of(validator.sources(), server.written, {"file_cache_max_file"}),
                   "/server/file_cache_max_file",
                   "no file of this size fits in `file_cache`, which is " + text_of(server.file_cache));
}

}  // namespace

void validate_sites(Validator& validator) {
  SiteChecks checks(validator);
  const std::vector<Site>& sites = validator.config().sites;
  for (std::size_t i = 0; i < sites.size(); ++i) checks.check(i, sites[i]);
}

void validate(Loaded& loaded, const ValidateOptions& options) {
  Validator validator(loaded.config, loaded.sources, loaded.diagnostics);
  validate_server(validator);
  validate_sites(validator);
  find_shadowed_routes(validator);
  find_redirect_loops(validator);
  if (options.check_files) validate_files(validator);
  if (loaded.config.sites.empty() && loaded.ok()) {
    validator.report(Severity::kWarning, {}, "/site", "there is no site, so the server answers nothing");
  }
  sort_by_place(loaded.diagnostics);
}

Loaded load_and_validate(const std::string& path, const LoadOptions& load, const ValidateOptions& options) {
  Loaded loaded = load_files(path, load);
  validate(loaded, options);
  return loaded;
}

}  // namespace tidegate::config
