#include "server/control/control_api.h"

#include <nlohmann/json.hpp>

#include "pipeline/runner.h"

namespace tidegate::server {

namespace {

using pipeline::RoutedExchange;
using pipeline::Verdict;

Verdict answer_json(RoutedExchange& exchange, std::uint16_t status, const nlohmann::json& document) {
  // Bytes that are no UTF-8 (a path, say) are replaced: the answer must be JSON whatever it holds.
  const std::string text = document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  exchange.response.status = status;
  exchange.add_field("Content-Type", "application/json");
  exchange.add_field("Cache-Control", "no-store");
  exchange.response.body.bytes = exchange.arena.copy(text);
  return Verdict::kResponded;
}

}  // namespace

ControlApi::ControlApi(Control& control, io::Loop& loop) : control_(control), host_(loop, observer(), "control") {
  auto snapshot = std::make_unique<pipeline::Snapshot>();
  auto site = std::make_unique<pipeline::SitePlan>();
  site->name = "control";
  pipeline::RoutePlan route;
  route.handler = {&ControlApi::run, this};
  site->routes.push_back(std::move(route));
  auto listener = std::make_unique<pipeline::ListenerPlan>();
  listener->fallback = site.get();
  snapshot->listeners.push_back(std::move(listener));
  snapshot->sites.push_back(std::move(site));
  host_.publish(*snapshot.release());  // owned by its pins: the runner's is the only one
}

ControlApi::~ControlApi() = default;

void ControlApi::open(sys::SocketHandle socket) { host_.open_listener(0, socket); }

void ControlApi::close() { host_.kill(); }

void ControlApi::on_exchange(const RoutedExchange&) {}

Verdict ControlApi::run(RoutedExchange& exchange, const void* self) {
  // The handler is not const: it acts on the process. Its address came from the constructor of this very object.
  return static_cast<ControlApi*>(const_cast<void*>(self))->answer(exchange);
}

Verdict ControlApi::answer(RoutedExchange& exchange) {
  const http::Request& request = exchange.request;
  const bool get = request.method == http::Method::kGet || request.method == http::Method::kHead;
  const bool post = request.method == http::Method::kPost;
  if (request.path == "/v1/status") {
    if (!get) return exchange.runner->fail(exchange, 405, "status is read with GET");
    return answer_json(exchange, 200, nlohmann::json::parse(status_json(control_)));
  }
  if (request.path == "/v1/reload") {
    if (!post) return exchange.runner->fail(exchange, 405, "reload is asked for with POST");
    return reload(exchange);
  }
  if (request.path == "/v1/stop") {
    if (!post) return exchange.runner->fail(exchange, 405, "stop is asked for with POST");
    control_.stop(request.query == "now=1");
    return answer_json(exchange, 202, {{"stopping", true}});
  }
  return exchange.runner->fail(exchange, 404, "the control API has /v1/status, /v1/reload and /v1/stop");
}

Verdict ControlApi::reload(RoutedExchange& exchange) {
  exchange.runner->hold(exchange);
  control_.reload([&exchange](const ReloadOutcome& outcome) {
    pipeline::Runner& runner = *exchange.runner;
    if (!runner.unhold(exchange)) return;
    const bool ok = outcome.code == kOk;
    const nlohmann::json document = {{"ok", ok}, {"exit_code", static_cast<int>(outcome.code)}, {"generation", outcome.generation}, {"errors", outcome.errors}, {"warnings", outcome.warnings}};
    runner.settle(exchange, answer_json(exchange, ok ? 200 : 422, document));
  });
  return Verdict::kWaiting;
}

}  // namespace tidegate::server
