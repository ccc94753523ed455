// The control API: what the command line (and later the browser UI) asks of the running server, as HTTP over the control
// socket. An ordinary handler on the control loop.
//
//   GET  /v1/status   what runs, as JSON
//   POST /v1/reload   200 with the new generation, or 422 with all errors
//   POST /v1/stop     202; ?now=1 ends connections at once
#pragma once

#include <memory>
#include <string>

#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"
#include "server/connection_host.h"
#include "server/control.h"

namespace tidegate::server {

class ControlApi final : private pipeline::ExchangeObserver {
 public:
  ControlApi(Control& control, io::Loop& loop);
  ~ControlApi();
  ControlApi(const ControlApi&) = delete;
  ControlApi& operator=(const ControlApi&) = delete;

  // Serves on a listening unix socket.
  void open(sys::SocketHandle socket);
  // Ends all connections; then turn the loop until empty().
  void close();
  [[nodiscard]] bool empty() { return host_.empty() && host_.runner().in_flight() == 0; }

 private:
  pipeline::ExchangeObserver& observer() { return *this; }
  static pipeline::Verdict run(pipeline::RoutedExchange& exchange, const void* self);
  void on_exchange(const pipeline::RoutedExchange& exchange) override;
  std::int64_t start_time_us() override { return 0; }
  pipeline::Verdict answer(pipeline::RoutedExchange& exchange);
  pipeline::Verdict reload(pipeline::RoutedExchange& exchange);

  Control& control_;
  ConnectionHost host_;
};

// The status document.
[[nodiscard]] std::string status_json(const Control& control);

}  // namespace tidegate::server
