#include "pipeline/runner.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "pipeline/error_response.h"
#include "pipeline/router.h"
#include "pipeline/worker_services.h"

namespace tidegate::pipeline {

namespace {
constexpr std::size_t kFreeMax = 64;  // exchanges kept for reuse

RoutedExchange& routed(http::Exchange& exchange) { return static_cast<RoutedExchange&>(exchange); }

struct Refusal {
  std::uint16_t status;
  std::string_view hint;
};

// The codec has read the head under the widest limits of its listener; those of the route may be tighter.
std::optional<Refusal> refuse_head(const http::HeadSize& size, const http::Limits& limits) {
  if (size.line > limits.request_line_size) return Refusal{414, "the request line is longer than limits.request_line_size"};
  if (size.fields > limits.header_size) return Refusal{431, "the fields are larger than limits.header_size"};
  if (size.count > limits.header_count) return Refusal{431, "more fields than limits.header_count"};
  return std::nullopt;
}
}  // namespace

Runner::Runner(ExchangeObserver& observer, WorkerServices& services) : observer_(observer), services_(services) {}

Runner::~Runner() {
  TIDEGATE_CHECK(in_flight_ == 0);
  for (const Pinned& pinned : pinned_) Snapshot::unpin(pinned.snapshot);
}

void Runner::set_snapshot(Snapshot& snapshot) {
  if (!pinned_.empty() && pinned_.back().exchanges == 0) {
    Snapshot::unpin(pinned_.back().snapshot);
    pinned_.pop_back();
  }
  snapshot.pin();
  snapshot_ = &snapshot;
  pinned_.push_back({&snapshot, 0});
}

http::Exchange& Runner::acquire() {
  if (free_.empty()) free_.push_back(std::make_unique<RoutedExchange>());
  RoutedExchange& exchange = *free_.back().release();
  free_.pop_back();
  ++in_flight_;
  exchange.runner = this;
  exchange.started_us = observer_.start_time_us();
  pin(exchange);
  return exchange;
}

void Runner::pin(RoutedExchange& exchange) {
  exchange.snapshot = snapshot_;
  ++pinned_.back().exchanges;
}

void Runner::release(http::Exchange& exchange) { recycle(routed(exchange)); }

void Runner::recycle(RoutedExchange& exchange) {
  const auto pinned = std::find_if(pinned_.begin(), pinned_.end(),
                                   [&](const Pinned& one) { return one.snapshot == exchange.snapshot; });
  if (--pinned->exchanges == 0 && pinned->snapshot != snapshot_) {
    Snapshot::unpin(pinned->snapshot);
    pinned_.erase(pinned);
  }
  --in_flight_;
  std::unique_ptr<RoutedExchange> owned(&exchange);
  if (free_.size() >= kFreeMax) return;
  owned->reset_all();
  free_.push_back(std::move(owned));
}

void Runner::on_request(http::Exchange& base) {
  RoutedExchange& exchange = routed(base);
  note_activity(exchange.request);
  const ListenerPlan& listener = *exchange.snapshot->listeners[exchange.request.listener];
  exchange.plan = &find_route(listener, exchange);
  exchange.limits = &exchange.plan->limits;
  if (const auto refusal = refuse_head(exchange.request.head_size, *exchange.limits)) {
    exchange.response.close = true;
    return settle(exchange, fail(exchange, refusal->status, refusal->hint));
  }
  const auto length = exchange.request.body_length;
  if (length && *length > exchange.limits->body_size) {
    exchange.response.close = true;
    return settle(exchange, fail(exchange, 413, "the request's content is larger than limits.body_size"));
  }
  run(exchange);
}

void Runner::run(RoutedExchange& exchange) {
  settle(exchange, run_steps(exchange));
}

void Runner::note_activity(const http::Request& request) {
  const auto copy = [this](std::string_view text) {
    const std::size_t part = std::min(text.size(), activity_.size() - activity_size_);
    std::memcpy(activity_.data() + activity_size_, text.data(), part);
    activity_size_ += part;
  };
  activity_size_ = 0;
  copy(request.method_text);
  copy(" ");
  copy(request.target);
}

std::string Runner::last_activity() const {
  return activity_size_ == 0 ? std::string("no request") : std::string(activity_.data(), activity_size_);
}

void Runner::settle(RoutedExchange& exchange, Verdict verdict) {
  if (verdict == Verdict::kResponded) send(exchange);
}

Verdict Runner::run_steps(RoutedExchange& exchange) {
  const RoutePlan& plan = *exchange.plan;
  while (exchange.next_policy < plan.policies.size()) {
    const Step& step = plan.policies[exchange.next_policy++];
    const Verdict verdict = step.run(exchange, step.settings);
    if (verdict != Verdict::kNext) return verdict;
  }
  if (plan.handler.run == nullptr) return answer_without_route(exchange);
  return plan.handler.run(exchange, plan.handler.settings);
}

// No site or no route: also where requests end up that are for the server itself (RFC 9110 sections 9.3.7 and 9.3.8).
Verdict Runner::answer_without_route(RoutedExchange& exchange) {
  if (exchange.request.form == http::TargetForm::kAsterisk) {
    exchange.response.status = 204;
    exchange.add_field("Allow", "GET, HEAD, OPTIONS");
    return Verdict::kResponded;
  }
  if (exchange.request.method == http::Method::kConnect) return fail(exchange, 501, "CONNECT is not supported");
  return fail(exchange, 404, "no route matches");
}

void Runner::proceed(RoutedExchange& exchange) { run(exchange); }

void Runner::send(RoutedExchange& exchange) {
  if (exchange.response_started) return;  // refused meanwhile by the codec
  if (exchange.error_status != 0) exchange.response.status = exchange.error_status;
  if (exchange.plan != nullptr) exchange.plan->edit.apply(exchange);
  if (exchange.writer != nullptr) exchange.writer->start(exchange);
}

const ErrorPage* Runner::find_page(const RoutedExchange& exchange, std::uint16_t status) const {
  if (exchange.plan == nullptr) return nullptr;
  const ErrorPage* best = nullptr;
  for (const ErrorPage& page : exchange.plan->error_pages) {
    if (status < page.first_status || status > page.last_status) continue;
    const auto width = [](const ErrorPage& one) { return one.last_status - one.first_status; };
    if (best == nullptr || width(page) < width(*best)) best = &page;
  }
  return best;
}

Verdict Runner::fail(RoutedExchange& exchange, std::uint16_t status, std::string_view hint) {
  if (exchange.failure_hint.empty()) exchange.failure_hint = hint;
  const bool in_page = exchange.error_status != 0;  // the page itself failed: no further attempt
  if (!in_page) {
    exchange.error_status = status;
    if (const ErrorPage* page = find_page(exchange, status)) return serve_page(exchange, *page);
  }
  set_error_response(exchange, exchange.error_status, hint);
  return Verdict::kResponded;
}

// A page of the configuration: a body of its own, or another path of the site, whose handler runs without policies.
Verdict Runner::serve_page(RoutedExchange& exchange, const ErrorPage& page) {
  if (page.path.empty()) {
    exchange.response.add_block(page.fields);
    exchange.response.body.bytes = page.body;
    return Verdict::kResponded;
  }
  exchange.request.path = page.path;
  exchange.request.query = {};
  exchange.request.method = exchange.head_only ? http::Method::kHead : http::Method::kGet;
  const RoutePlan& plan = find_route(*exchange.snapshot->listeners[exchange.request.listener], exchange);
  if (plan.handler.run == nullptr) return fail(exchange, 404, "the error page's path has no route");
  return plan.handler.run(exchange, plan.handler.settings);
}

void Runner::on_refused(http::Exchange& base, std::uint16_t status, std::string_view reason) {
  RoutedExchange& exchange = routed(base);
  if (exchange.plan == nullptr) exchange.plan = &exchange.snapshot->listeners[exchange.request.listener]->unmatched;
  exchange.failure_hint = reason;
  exchange.error_status = status;
  set_error_response(exchange, status, reason);
  send(exchange);
}

void Runner::on_abandoned(http::Exchange& base) { routed(base).abandoned = true; }

void Runner::on_finished(http::Exchange& base) {
  RoutedExchange& exchange = routed(base);
  exchange.finished = true;
  observer_.on_exchange(exchange);
  if (exchange.holds == 0) recycle(exchange);
}

bool Runner::unhold(RoutedExchange& exchange) {
  --exchange.holds;
  if (!exchange.finished) return true;
  if (exchange.holds == 0) recycle(exchange);
  return false;
}

}  // namespace tidegate::pipeline
