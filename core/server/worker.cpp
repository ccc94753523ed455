#include "server/worker.h"

#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "handlers/files/local_files.h"
#include "server/modules.h"
#include "sys/thread.h"

namespace tidegate::server {

namespace {
constexpr std::uint16_t kBufferCount = 256;
constexpr std::uint32_t kBufferSize = 16 * 1024;
constexpr std::int64_t kSlowTurnMs = 50;  // a turn that holds the worker longer is reported

enum : int { kStarting, kRunning, kFailed };
}  // namespace

struct Worker::Publish : io::Message {
  Worker* worker = nullptr;
  pipeline::Snapshot* snapshot = nullptr;
  SnapshotSettings settings;
  std::vector<ListenerSocket> opened;
  std::vector<std::uint16_t> closed;
};

struct Worker::Stop : io::Message {
  Worker* worker = nullptr;
  bool kill = false;
};

// From the worker to control.
struct Worker::Ack : io::Message {
  Worker* worker = nullptr;
  bool stopped = false;
};

Worker::Worker(const WorkerSettings& settings, const WorkerShared& shared, Owner& owner)
    : settings_(settings), shared_(shared), owner_(owner) {}

Worker::~Worker() {
  if (thread_.joinable()) thread_.join();
}

std::expected<void, std::string> Worker::start() {
  thread_ = std::thread([this] { run(); });
  state_.wait(kStarting);
  if (state_.load() == kFailed) {
    thread_.join();
    return std::unexpected(failure_);
  }
  return {};
}

void Worker::run() {
  sys::name_this_thread(("tg-worker-" + std::to_string(settings_.number)).c_str());
  if (settings_.pin) {
    if (const base::Error error = sys::pin_this_thread(settings_.number)) {
      base::log(base::LogLevel::kWarn, "server", "worker " + std::to_string(settings_.number) + " cannot be pinned: " + std::string(base::name_of(error.code)));
    }
  }
  auto made = shared_.make_poller(settings_.poller, *shared_.blocking, kBufferCount, kBufferSize);
  if (!made) {
    failure_ = made.error();
    state_.store(kFailed);
    state_.notify_all();
    return;
  }
  poller_ = made->driver->name();
  poller_reason_ = made->reason;
  loop_ = std::make_unique<io::Loop>(std::move(made->driver));
  serve();
}

void Worker::serve() {
  io::Loop& loop = *loop_;
  AccessLog log(stats_, *shared_.log);
  {
    ConnectionHost host(loop, log, "worker " + std::to_string(settings_.number));
    host.services().blocking = shared_.blocking;
    add_worker_states(host.services(), *shared_.files);
    host_ = &host;
    access_log_ = &log;
    state_.store(kRunning);
    state_.notify_all();
    while (!stopping_ || !host.empty() || host.runner().in_flight() > 0) {
      loop.turn(io::Driver::kForever);
      note_turn();
    }
  }
  host_ = nullptr;
  access_log_ = nullptr;
  auto ack = std::make_unique<Ack>();
  ack->worker = this;
  ack->stopped = true;
  send(std::move(ack));
}

// The message frees itself on control's loop.
void Worker::send(std::unique_ptr<Ack> ack) {
  ack->deliver = [](io::Message& message) {
    const std::unique_ptr<Ack> owned(static_cast<Ack*>(&message));
    Worker& worker = *owned->worker;
    if (owned->stopped) {
      worker.owner_.on_stopped(worker);
    } else {
      worker.owner_.on_published(worker);
    }
  };
  shared_.control->post(*ack.release());
}

void Worker::note_turn() {
  stats_.accepted.set(host_->accepted());
  stats_.connections.set(host_->connections());
  const std::int64_t held_ms = loop_->take_longest_turn_ms();
  if (held_ms > static_cast<std::int64_t>(stats_.longest_turn_ms.get())) stats_.longest_turn_ms.set(static_cast<std::uint64_t>(held_ms));
  if (held_ms < kSlowTurnMs) return;
  stats_.slow_turns.add(1);
  base::log(base::LogLevel::kWarn, "server",
            "worker " + std::to_string(settings_.number) + " was held for " + std::to_string(held_ms) + " ms by " + host_->runner().last_activity());
}

void Worker::publish(pipeline::Snapshot& snapshot, const SnapshotSettings& settings, std::vector<ListenerSocket> opened,
                     std::vector<std::uint16_t> closed) {
  auto change = std::make_unique<Publish>();
  change->worker = this;
  change->snapshot = &snapshot;
  change->settings = settings;
  change->opened = std::move(opened);
  change->closed = std::move(closed);
  change->deliver = [](io::Message& message) {
    const std::unique_ptr<Publish> owned(static_cast<Publish*>(&message));
    owned->worker->apply(*owned);
  };
  loop_->post(*change.release());
}

void Worker::apply(const Publish& change) {
  access_log_->set_format(change.settings.access_format);
  host_->set_connections_max(change.settings.connections_max);
  host_->publish(*change.snapshot);
  for (const std::uint16_t listener : change.closed) host_->close_listener(listener);
  for (const ListenerSocket& one : change.opened) host_->open_listener(one.listener, one.socket);
  auto ack = std::make_unique<Ack>();
  ack->worker = this;
  send(std::move(ack));
}

void Worker::stop(bool kill) {
  auto order = std::make_unique<Stop>();
  order->worker = this;
  order->kill = kill;
  order->deliver = [](io::Message& message) {
    const std::unique_ptr<Stop> owned(static_cast<Stop*>(&message));
    Worker& worker = *owned->worker;
    worker.stopping_ = true;
    if (worker.host_ == nullptr) return;
    owned->kill ? worker.host_->kill() : worker.host_->drain();
  };
  loop_->post(*order.release());
}

}  // namespace tidegate::server
