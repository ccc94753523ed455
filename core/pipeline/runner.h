// Runs exchanges through their route plans: one a worker, on its loop's thread.
//
//   on_request: pin the snapshot, find the route, its limits -> policies -> handler -> edits -> ResponseWriter
//
// The order of the steps is fixed and documented (docs/architecture.md). Whatever happens, each exchange reaches the
// observer exactly once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "pipeline/routed_exchange.h"
#include "pipeline/snapshot.h"

namespace tidegate::pipeline {

struct WorkerServices;

// Sees every exchange when it is over: access log, counters.
class ExchangeObserver {
 public:
  virtual void on_exchange(const RoutedExchange& exchange) = 0;
  // Wall clock in microseconds for `started_us`, or 0 when nobody wants timings.
  virtual std::int64_t start_time_us() = 0;

 protected:
  ~ExchangeObserver() = default;
};

class Runner final : public http::ExchangeHandler {
 public:
  // `services` is what handlers and policies of this worker need; see worker_services.h.
  Runner(ExchangeObserver& observer, WorkerServices& services);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Requests that begin from now on use this snapshot.
  void set_snapshot(Snapshot& snapshot);
  [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
  [[nodiscard]] WorkerServices& services() { return services_; }
  // Exchanges that have not been released.
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  // What was worked on last, for the watchdog: "GET /path (site, route)".
  [[nodiscard]] std::string last_activity() const;

  // A waiting step is done: go on with the next one.
  void proceed(RoutedExchange& exchange);
  // A waiting step has come to a verdict: kResponded sends what it has set.
  void settle(RoutedExchange& exchange, Verdict verdict);
  // Answers with the error page of the route. `hint` tells a person why; static or arena text, or empty.
  // A step returns the verdict; a waiting step gives it to settle().
  Verdict fail(RoutedExchange& exchange, std::uint16_t status, std::string_view hint);

  // Keeps the exchange's memory while a job on another thread uses it.
  void hold(RoutedExchange& exchange) { ++exchange.holds; }
  // Back on the loop. False: the exchange was abandoned meanwhile and is gone now.
  [[nodiscard]] bool unhold(RoutedExchange& exchange);

  // http::ExchangeHandler
  http::Exchange& acquire() override;
  void release(http::Exchange& exchange) override;
  void on_request(http::Exchange& exchange) override;
  void on_refused(http::Exchange& exchange, std::uint16_t status, std::string_view reason) override;
  void on_abandoned(http::Exchange& exchange) override;
  void on_finished(http::Exchange& exchange) override;

 private:
  void pin(RoutedExchange& exchange);
  void note_activity(const http::Request& request);
  void run(RoutedExchange& exchange);
  Verdict run_steps(RoutedExchange& exchange);
  Verdict answer_without_route(RoutedExchange& exchange);
  [[nodiscard]] const ErrorPage* find_page(const RoutedExchange& exchange, std::uint16_t status) const;
  Verdict serve_page(RoutedExchange& exchange, const ErrorPage& page);
  void send(RoutedExchange& exchange);
  void recycle(RoutedExchange& exchange);

  ExchangeObserver& observer_;
  WorkerServices& services_;
  Snapshot* snapshot_ = nullptr;
  // Snapshots that exchanges of this worker still use, with their number of exchanges; the current one is last.
  struct Pinned {
    Snapshot* snapshot;
    std::size_t exchanges;
  };
  std::vector<Pinned> pinned_;
  std::vector<std::unique_ptr<RoutedExchange>> free_;
  std::array<char, 96> activity_{};  // method and target of the request that ran last, cut
  std::size_t activity_size_ = 0;
  std::size_t in_flight_ = 0;
};

}  // namespace tidegate::pipeline
