#include "server/compile.h"

#include <algorithm>
#include <utility>

#include "http/semantics/chars.h"
#include "server/modules.h"

namespace tidegate::server {

namespace {

http::Limits to_runtime(const config::Limits& limits) {
  return {.request_line_size = static_cast<std::uint32_t>(limits.request_line_size.bytes),
          .header_size = static_cast<std::uint32_t>(limits.header_size.bytes),
          .header_count = static_cast<std::uint32_t>(limits.header_count),
          .body_size = limits.body_size.bytes,
          .header_timeout_ms = limits.header_timeout.ms,
          .idle_timeout_ms = limits.idle_timeout.ms,
          .body_idle_timeout_ms = limits.body_idle_timeout.ms,
          .write_idle_timeout_ms = limits.write_idle_timeout.ms,
          .body_rate_min = limits.body_rate_min.bytes_per_second,
          .write_rate_min = limits.write_rate_min.bytes_per_second,
          .rate_grace_ms = limits.rate_grace.ms,
          .keepalive_requests = limits.keepalive_requests.count};
}

// A head is read before its route is known: under the widest limits that any route of the listener has.
void widen_head_limits(http::Limits& limits, const http::Limits& other) {
  limits.request_line_size = std::max(limits.request_line_size, other.request_line_size);
  limits.header_size = std::max(limits.header_size, other.header_size);
  limits.header_count = std::max(limits.header_count, other.header_count);
  limits.header_timeout_ms = std::max(limits.header_timeout_ms, other.header_timeout_ms);
}

// The edits of server, site and route added up, in this order: an inner level may remove what an outer one sets.
class EditSum {
 public:
  void add(const config::HeaderOps& ops) {
    for (const std::string& name : ops.remove) remove(name);
    for (const config::FieldLine& line : ops.set) {
      remove(line.name);
      added_.push_back(&line);
    }
    for (const config::FieldLine& line : ops.add) added_.push_back(&line);
  }
  [[nodiscard]] pipeline::ResponseEdit edit() const {
    pipeline::ResponseEdit edit;
    for (const std::string& name : removed_) edit.remove(name);
    for (const config::FieldLine* line : added_) edit.add(line->name, line->value);
    return edit;
  }

 private:
  void remove(const std::string& name) {
    removed_.push_back(name);
    std::erase_if(added_, [&name](const config::FieldLine* line) { return http::equals_ignore_case(line->name, name); });
  }
  std::vector<std::string> removed_;
  std::vector<const config::FieldLine*> added_;
};

void append_pages(std::vector<pipeline::ErrorPage>& out, const std::vector<config::ErrorPage>& pages) {
  for (const config::ErrorPage& page : pages) {
    pipeline::ErrorPage made{.first_status = page.first_status, .last_status = page.last_status, .path = page.path, .body = page.body, .fields = {}};
    made.fields.add("Content-Type", page.content_type);
    out.push_back(std::move(made));
  }
}

pipeline::FieldCondition condition_of(const config::FieldMatch& match) {
  using From = config::FieldMatch::Kind;
  using To = pipeline::FieldCondition::Kind;
  const To kind = match.kind == From::kEquals ? To::kEquals : match.kind == From::kPresent ? To::kPresent : To::kAbsent;
  return {.name = match.name, .kind = kind, .value = match.value};
}

pipeline::PathPattern pattern_of(const config::PathPattern& path) {
  using From = config::PathPattern::Kind;
  using To = pipeline::PathPattern::Kind;
  const To kind = path.kind == From::kExact ? To::kExact : path.kind == From::kPrefix ? To::kPrefix : To::kGlob;
  return {.kind = kind, .literal = path.literal, .glob = path.text};
}

pipeline::RouteMatch match_of(const config::Match& match) {
  pipeline::RouteMatch out;
  out.path = pattern_of(match.path);
  out.clients = match.client;
  for (const std::string& name : match.method) {
    const http::Method method = http::method_from_token(name);
    if (method == http::Method::kOther) {
      out.other_methods.push_back(name);
    } else {
      out.methods |= 1U << static_cast<unsigned>(method);
      if (method == http::Method::kGet) out.methods |= 1U << static_cast<unsigned>(http::Method::kHead);
    }
  }
  for (const config::FieldMatch& field : match.header) out.fields.push_back(condition_of(field));
  for (const config::FieldMatch& field : match.query) out.query.push_back(condition_of(field));
  return out;
}

class Compiler {
 public:
  Compiler(const config::Config& config, const config::Sources& sources, handlers::FileStore& files)
      : config_(config), sources_(sources), files_(files), snapshot_(std::make_unique<pipeline::Snapshot>()) {}

  std::expected<std::unique_ptr<pipeline::Snapshot>, std::string> run(const ListenerNumbers& listeners) {
    for (const auto& [text, number] : listeners) {
      if (snapshot_->listeners.size() <= number) snapshot_->listeners.resize(number + 1U);
      snapshot_->listeners[number] = make_listener(text);
    }
    for (const config::Site& site : config_.sites) {
      if (auto added = add_site(site, listeners); !added) return std::unexpected(added.error());
    }
    for (const auto& listener : snapshot_->listeners) {
      if (listener != nullptr && listener->fallback == nullptr) widen_head_limits(listener->limits, listener->unmatched.limits);
    }
    return std::move(snapshot_);
  }

 private:
  std::unique_ptr<pipeline::ListenerPlan> make_listener(const std::string& text) const {
    auto listener = std::make_unique<pipeline::ListenerPlan>();
    listener->text = text;
    EditSum edits;
    edits.add(config_.server.headers);
    listener->unmatched.edit = edits.edit();
    listener->limits = listener->unmatched.limits = to_runtime(config_.limits);
    listener->limits.request_line_size = listener->limits.header_size = listener->limits.header_count = 0;
    listener->limits.header_timeout_ms = 0;  // these four come from the sites
    append_pages(listener->unmatched.error_pages, config_.server.error_pages);
    return listener;
  }

  std::expected<void, std::string> add_site(const config::Site& site, const ListenerNumbers& listeners) {
    auto plan = std::make_unique<pipeline::SitePlan>();
    plan->name = site.name;
    const config::Route none;
    plan->unmatched = make_common(site, none);
    plan->routes.reserve(site.routes.size());
    for (const config::Route& route : site.routes) {
      auto made = make_route(site, route);
      if (!made) return std::unexpected(made.error());
      plan->routes.push_back(std::move(*made));
    }
    for (const config::Listen& listen : site.listen) {
      const auto number = listeners.find(listen.text);
      if (number != listeners.end()) enter(*snapshot_->listeners[number->second], site, *plan);
    }
    snapshot_->sites.push_back(std::move(plan));
    return {};
  }

  static void enter(pipeline::ListenerPlan& listener, const config::Site& site, const pipeline::SitePlan& plan) {
    if (site.hosts.empty()) listener.fallback = &plan;
    widen_head_limits(listener.limits, plan.unmatched.limits);
    for (const pipeline::RoutePlan& route : plan.routes) widen_head_limits(listener.limits, route.limits);
    for (const config::HostName& host : site.hosts) (host.wildcard ? listener.wildcard : listener.exact)[host.name] = &plan;
  }

  // What every plan of the site has: edits, limits, error pages.
  pipeline::RoutePlan make_common(const config::Site& site, const config::Route& route) const {
    pipeline::RoutePlan plan;
    EditSum edits;
    edits.add(config_.server.headers);
    edits.add(site.headers);
    edits.add(route.headers);
    plan.edit = edits.edit();
    plan.limits = to_runtime(config::resolve(config::resolve(config_.limits, site.limits), route.limits));
    append_pages(plan.error_pages, route.error_pages);
    append_pages(plan.error_pages, site.error_pages);
    append_pages(plan.error_pages, config_.server.error_pages);
    plan.logged = route.log.value_or(site.log.value_or(true));
    plan.site = site.name;
    plan.name = route.name;
    if (route.written.at) plan.place = sources_.describe(route.written.at);
    return plan;
  }

  std::expected<pipeline::RoutePlan, std::string> make_route(const config::Site& site, const config::Route& route) {
    pipeline::RoutePlan plan = make_common(site, route);
    plan.match = match_of(route.match);
    const auto& access = route.access ? route.access : site.access;
    if (access) plan.policies.push_back(make_access_policy(*access, *snapshot_));
    const auto& auth = route.basic_auth ? route.basic_auth : site.basic_auth;
    if (auth) {
      auto step = make_basic_auth_policy(*auth, *snapshot_);
      if (!step) return std::unexpected(step.error());
      plan.policies.push_back(*step);
    }
    plan.handler = make_handler(route, plan.match.path, files_, *snapshot_);
    return plan;
  }

  const config::Config& config_;
  const config::Sources& sources_;
  handlers::FileStore& files_;
  std::unique_ptr<pipeline::Snapshot> snapshot_;
};

}  // namespace

std::expected<std::unique_ptr<pipeline::Snapshot>, std::string> compile(const config::Config& config,
                                                                        const config::Sources& sources,
                                                                        const ListenerNumbers& listeners,
                                                                        handlers::FileStore& files) {
  return Compiler(config, sources, files).run(listeners);
}

}  // namespace tidegate::server
