#include "server/control.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "config/validate.h"
#include "server/compile.h"
#include "sys/thread.h"

namespace tidegate::server {

namespace {

constexpr unsigned kBlockingThreads = 4;
constexpr std::uint64_t kDescriptorsPerConnection = 2;  // the socket, and a file or an upstream

LogTargetSettings target_of(const config::LogTarget& target) {
  using From = config::LogTarget::Kind;
  using To = LogTargetSettings::Kind;
  LogTargetSettings out;
  out.kind = target.kind == From::kOff      ? To::kOff
             : target.kind == From::kStdout ? To::kStdout
             : target.kind == From::kStderr ? To::kStderr
                                            : To::kFile;
  out.path = target.path;
  if (target.rotation) {
    out.rotate_bytes = target.rotation->size.bytes;
    out.rotate_keep = target.rotation->keep;
  }
  return out;
}

AccessFormat format_of(const config::AccessLog& log) {
  if (log.to.kind == config::LogTarget::Kind::kOff) return AccessFormat::kOff;
  return log.format == config::AccessLogFormat::kJson ? AccessFormat::kJson : AccessFormat::kCombined;
}

base::LogLevel level_of(config::LogLevel level) {
  switch (level) {
    case config::LogLevel::kDebug: return base::LogLevel::kDebug;
    case config::LogLevel::kInfo: return base::LogLevel::kInfo;
    case config::LogLevel::kWarn: return base::LogLevel::kWarn;
    case config::LogLevel::kError: return base::LogLevel::kError;
  }
  return base::LogLevel::kInfo;
}

std::string_view name_of(config::Poller poller) {
  switch (poller) {
    case config::Poller::kAuto: return "auto";
    case config::Poller::kIoUring: return "io_uring";
    case config::Poller::kEpoll: return "epoll";
    case config::Poller::kKqueue: return "kqueue";
    case config::Poller::kIocp: return "iocp";
    case config::Poller::kLibevent: return "libevent";
  }
  return "auto";
}

std::vector<config::Listen> all_listeners(const config::Config& config) {
  std::vector<config::Listen> all;
  for (const config::Site& site : config.sites) all.insert(all.end(), site.listen.begin(), site.listen.end());
  return all;
}

// Of one worker. Automatic: what the descriptors allow.
std::size_t connections_max(const config::Config& config, std::size_t workers) {
  if (!config.limits.connections.automatic()) {
    return std::max<std::size_t>(1, config.limits.connections.count / workers);
  }
  const std::uint64_t descriptors = sys::raise_descriptor_limit();
  return std::max<std::size_t>(64, (descriptors - std::min<std::uint64_t>(descriptors, 256)) / kDescriptorsPerConnection / workers);
}

}  // namespace

Control::Control(const ServerOptions& options, io::Loop& loop, LogWriter& log)
    : options_(options),
      loop_(loop),
      log_(log),
      blocking_(kBlockingThreads),
      files_(0, 0),
      listeners_(sys::take_inherited_listeners()),
      started_ms_(base::monotonic_ms()) {
  stop_timer_.control = this;
  stop_timer_.fire = [](io::Timer& timer) { static_cast<StopTimer&>(timer).control->stop(true); };
}

Control::~Control() {
  loop_.timers().disarm(stop_timer_);
  workers_.clear();
  if (current_ != nullptr) pipeline::Snapshot::unpin(current_);
  listeners_.remove_socket_files();
}

int Control::start() {
  config::Loaded loaded = options_.load();
  config::validate(loaded);
  const std::string complaints = config::format(loaded.diagnostics, loaded.sources);
  if (!loaded.ok()) {
    base::log(base::LogLevel::kError, "config", "the configuration is not valid\n" + complaints);
    return kConfigInvalid;
  }
  if (!complaints.empty()) base::log(base::LogLevel::kWarn, "config", complaints);
  if (auto configured = configure_process(loaded.config); !configured) {
    base::log(base::LogLevel::kError, "server", configured.error());
    return kState;
  }
  const config::WorkerCount& count = loaded.config.server.workers;
  const unsigned workers = count.automatic ? sys::cpu_count() : count.max;
  Worker::Owner& owner = *this;
  for (unsigned i = 0; i < workers; ++i) {
    WorkerSettings settings{.number = i, .pin = loaded.config.server.pin_workers, .poller = std::string(name_of(loaded.config.server.poller))};
    const WorkerShared shared{.make_poller = options_.make_poller, .blocking = &blocking_, .files = &files_, .log = &log_, .control = &loop_};
    workers_.push_back(std::make_unique<Worker>(settings, shared, owner));
  }
  if (auto prepared = prepare(std::move(loaded)); !prepared) {
    base::log(base::LogLevel::kError, "server", prepared.error());
    workers_.clear();
    return kCannotBind;
  }
  for (auto& worker : workers_) {
    if (auto started = worker->start(); !started) {
      base::log(base::LogLevel::kError, "server", started.error());
      return abort_start();
    }
    ++running_workers_;
  }
  publish();
  while (pending_ != nullptr) loop_.turn(io::Driver::kForever);
  announce();
  return kOk;
}

// A worker has no poller: those that run already are stopped again.
int Control::abort_start() {
  ListenerRegistry::undo(pending_->listeners);
  pending_.reset();
  stopping_ = true;
  for (std::size_t i = 0; i < running_workers_; ++i) workers_[i]->stop(true);
  while (stopped_workers_ < running_workers_) loop_.turn(io::Driver::kForever);
  return kFailed;
}

// What of a configuration is the process's, not the snapshot's.
std::expected<void, std::string> Control::configure_process(const config::Config& config) {
  if (auto configured = log_.configure(target_of(config.log.access.to), target_of(config.log.error.to)); !configured) return configured;
  base::set_log_level(level_of(config.log.error.level));
  files_.set_budget(config.server.file_cache.bytes, config.server.file_cache_max_file.bytes);
  shutdown_timeout_ms_ = config.server.shutdown_timeout.ms;
  return {};
}

// Compiles and opens; nothing that runs is touched.
std::expected<void, std::string> Control::prepare(config::Loaded loaded) {
  auto change = listeners_.prepare(all_listeners(loaded.config), static_cast<unsigned>(workers_.size()));
  if (!change) return std::unexpected(change.error());
  auto snapshot = compile(loaded.config, loaded.sources, change->numbers, files_);
  if (!snapshot) {
    ListenerRegistry::undo(*change);
    return std::unexpected(snapshot.error());
  }
  pending_ = std::make_unique<Pending>();
  pending_->snapshot = std::move(*snapshot);
  pending_->snapshot->generation = generation_ + 1;
  pending_->listeners = std::move(*change);
  pending_->loaded = std::move(loaded);
  return {};
}

void Control::publish() {
  pipeline::Snapshot* snapshot = pending_->snapshot.release();
  snapshot->pin();
  pending_->acks_missing = workers_.size();
  pipeline::Snapshot* old = std::exchange(current_, snapshot);
  const config::Config& config = pending_->loaded.config;
  const SnapshotSettings settings{.access_format = format_of(config.log.access), .connections_max = connections_max(config, workers_.size())};
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    workers_[i]->publish(*snapshot, settings, std::move(pending_->listeners.opened[i]), pending_->listeners.closed);
  }
  if (old != nullptr) pending_->old = old;
}

void Control::on_published(Worker&) {
  if (pending_ != nullptr && --pending_->acks_missing == 0) finish_change();
}

void Control::finish_change() {
  const std::unique_ptr<Pending> change = std::move(pending_);
  if (change->old != nullptr) pipeline::Snapshot::unpin(change->old);
  listeners_.commit(change->listeners);
  generation_ = current_->generation;
  sites_ = change->loaded.config.sites.size();
  last_reload_error_.clear();
  const ReloadOutcome outcome{.code = kOk, .generation = generation_, .errors = {}, .warnings = config::format(change->loaded.diagnostics, change->loaded.sources)};
  for (const auto& done : change->done) done(outcome);
  if (waiting_reloads_.empty()) return;
  auto waiting = std::exchange(waiting_reloads_, {});
  for (auto& done : waiting) reload(std::move(done));
}

void Control::reload(std::function<void(const ReloadOutcome&)> done) {
  if (stopping_) return done({.code = kFailed, .generation = generation_, .errors = "the server is stopping", .warnings = {}});
  if (pending_ != nullptr) {
    waiting_reloads_.push_back(std::move(done));
    return;
  }
  ++reloads_;
  sys::notify_reloading();
  config::Loaded loaded = options_.load();
  config::validate(loaded);
  if (!loaded.ok()) return fail_reload(kConfigInvalid, config::format(loaded.diagnostics, loaded.sources), std::move(done));
  if (auto prepared = prepare(std::move(loaded)); !prepared) return fail_reload(kCannotBind, prepared.error(), std::move(done));
  if (auto configured = configure_process(pending_->loaded.config); !configured) {
    ListenerRegistry::undo(pending_->listeners);
    pending_.reset();
    return fail_reload(kState, configured.error(), std::move(done));
  }
  pending_->done.push_back([this, done = std::move(done)](const ReloadOutcome& outcome) {
    base::log(base::LogLevel::kInfo, "server", "configuration generation " + std::to_string(outcome.generation) + " is in force");
    sys::notify_ready("serving");
    done(outcome);
  });
  publish();
}

void Control::fail_reload(ExitCode code, const std::string& errors, std::function<void(const ReloadOutcome&)> done) {
  last_reload_error_ = errors;
  base::log(base::LogLevel::kError, "server", "reload refused, generation " + std::to_string(generation_) + " stays in force\n" + errors);
  sys::notify_ready("serving; the last reload was refused");
  done({.code = code, .generation = generation_, .errors = errors, .warnings = {}});
}

void Control::announce() {
  base::log(base::LogLevel::kInfo, "server", "poller " + workers_.front()->poller() + " (" + workers_.front()->poller_reason() + "), " +
                std::to_string(workers_.size()) + (workers_.size() == 1 ? " worker" : " workers"));
  for (const auto& [text, addresses] : listeners_.bound()) {
    for (const std::string& address : addresses) {
      base::log(base::LogLevel::kInfo, "server", "listening on " + address);
    }
  }
  if (options_.announce) options_.announce(listeners_.bound());
  sys::notify_ready("serving");
}

void Control::run() {
  while (stopped_workers_ < workers_.size()) loop_.turn(io::Driver::kForever);
}

void Control::stop(bool now) {
  const bool kill = now || stopping_;
  if (!stopping_) {
    stopping_ = true;
    sys::notify_stopping();
    base::log(base::LogLevel::kInfo, "server", kill ? "stopping at once" : "stopping: connections may finish for " + std::to_string(shutdown_timeout_ms_ / 1000) + " s");
    loop_.timers().arm(stop_timer_, loop_.now_ms() + shutdown_timeout_ms_);
  } else if (killing_) {
    return;
  }
  killing_ = kill;
  for (auto& worker : workers_) worker->stop(kill);
}

void Control::on_stopped(Worker&) { ++stopped_workers_; }

void Control::on_signal(sys::Signal signal) {
  switch (signal) {
    case sys::Signal::kTerminate:
    case sys::Signal::kInterrupt:
    case sys::Signal::kQuit: return stop(false);
    case sys::Signal::kReload: return options_.hangup_stops ? stop(false) : reload([](const ReloadOutcome&) {});
    case sys::Signal::kReopenLogs: return log_.reopen();
    case sys::Signal::kHandOver:
      return base::log(base::LogLevel::kWarn, "server", "SIGUSR2: handing over to a new binary is not available in this version");
  }
}

}  // namespace tidegate::server
