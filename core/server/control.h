// The control thread: owns the workers, the listeners and the current snapshot; reloads and stops as transactions; serves
// the control API over a unix socket with the same HTTP code as the workers. Everything here runs on its loop.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "handlers/files/file_store.h"
#include "io/blocking_pool.h"
#include "io/loop.h"
#include "server/listener_registry.h"
#include "server/log_writer.h"
#include "server/server.h"
#include "server/worker.h"
#include "sys/service.h"

namespace tidegate::server {

// How a reload ended: the new generation, or all errors as text for people.
struct ReloadOutcome {
  ExitCode code = kFailed;  // kConfigInvalid, kCannotBind, kState: why it was refused
  std::uint64_t generation = 0;
  std::string errors;    // formatted diagnostics, or a sentence
  std::string warnings;  // formatted; a successful reload may have some
};

class Control final : private Worker::Owner {
 public:
  Control(const ServerOptions& options, io::Loop& loop, LogWriter& log);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Loads the configuration, opens the listeners, starts the workers and waits for them. kOk or the exit code.
  [[nodiscard]] int start();
  // Turns the loop until the last worker has stopped.
  void run();

  // Validates, opens, swaps. `done` is called once, maybe at once, maybe when the workers have taken over. Reloads that
  // come meanwhile wait for their turn.
  void reload(std::function<void(const ReloadOutcome&)> done);
  // A gentle stop with a deadline; the second call, or `now`, ends everything at once.
  void stop(bool now);
  void on_signal(sys::Signal signal);

  // For status.
  [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
  [[nodiscard]] const ListenerRegistry& listeners() const { return listeners_; }
  [[nodiscard]] const handlers::FileStore& files() const { return files_; }
  [[nodiscard]] const LogWriter& log() const { return log_; }
  [[nodiscard]] const ServerOptions& options() const { return options_; }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] std::int64_t started_ms() const { return started_ms_; }
  [[nodiscard]] std::size_t sites() const { return sites_; }
  [[nodiscard]] std::uint64_t reloads() const { return reloads_; }
  [[nodiscard]] const std::string& last_reload_error() const { return last_reload_error_; }
  [[nodiscard]] bool stopping() const { return stopping_; }

 private:
  // A change on its way to the workers.
  struct Pending {
    std::unique_ptr<pipeline::Snapshot> snapshot;
    ListenerChange listeners;
    config::Loaded loaded;
    pipeline::Snapshot* old = nullptr;  // unpinned when all workers have taken over
    std::size_t acks_missing = 0;
    std::vector<std::function<void(const ReloadOutcome&)>> done;
  };

  void on_published(Worker& worker) override;
  void on_stopped(Worker& worker) override;

  [[nodiscard]] std::expected<void, std::string> configure_process(const config::Config& config);
  [[nodiscard]] int abort_start();
  [[nodiscard]] std::expected<void, std::string> prepare(config::Loaded loaded);
  void publish();
  void finish_change();
  void fail_reload(ExitCode code, const std::string& errors, std::function<void(const ReloadOutcome&)> done);
  void announce();

  struct StopTimer : io::Timer {
    Control* control = nullptr;
  };

  const ServerOptions& options_;
  io::Loop& loop_;
  LogWriter& log_;
  io::BlockingPool blocking_;
  handlers::FileStore files_;
  ListenerRegistry listeners_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Pending> pending_;
  std::vector<std::function<void(const ReloadOutcome&)>> waiting_reloads_;
  pipeline::Snapshot* current_ = nullptr;  // pinned
  StopTimer stop_timer_;
  std::int64_t shutdown_timeout_ms_ = 30'000;
  std::int64_t started_ms_;
  std::uint64_t generation_ = 0;
  std::uint64_t reloads_ = 0;
  std::size_t sites_ = 0;
  std::size_t running_workers_ = 0;
  std::size_t stopped_workers_ = 0;
  std::string last_reload_error_;
  bool stopping_ = false;
  bool killing_ = false;
};

}  // namespace tidegate::server
