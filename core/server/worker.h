// One worker: a thread with a loop and its connections. Control speaks to it by messages only.
//
// Everything of the worker is made and destroyed on its own thread, so that its memory is local to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/blocking_pool.h"
#include "io/loop.h"
#include "io/poller_factory.h"
#include "pipeline/snapshot.h"
#include "server/access_log.h"
#include "server/connection_host.h"
#include "server/worker_stats.h"

namespace tidegate::handlers {
class FileStore;
}

namespace tidegate::server {

struct WorkerSettings {
  unsigned number = 0;
  bool pin = false;
  std::string poller = "auto";
};

// What changes with the snapshot beside it.
struct SnapshotSettings {
  AccessFormat access_format = AccessFormat::kOff;
  std::size_t connections_max = SIZE_MAX;  // of one worker
};

// What the workers share; outlives them.
struct WorkerShared {
  io::PollerFactory make_poller = nullptr;
  io::BlockingPool* blocking = nullptr;
  handlers::FileStore* files = nullptr;
  LogWriter* log = nullptr;
  io::Loop* control = nullptr;  // where acknowledgements go
};

// A listening socket for one worker.
struct ListenerSocket {
  std::uint16_t listener = 0;
  sys::SocketHandle socket = sys::kNoSocket;
};

class Worker {
 public:
  // Told on control's loop.
  class Owner {
   public:
    // The change that was sent with publish() is in force.
    virtual void on_published(Worker& worker) = 0;
    // The thread is about to end: all connections are gone.
    virtual void on_stopped(Worker& worker) = 0;

   protected:
    ~Owner() = default;
  };

  Worker(const WorkerSettings& settings, const WorkerShared& shared, Owner& owner);
  ~Worker();  // joins; stop() must have been called or start() have failed
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the thread and waits until its poller works. The error is a sentence.
  [[nodiscard]] std::expected<void, std::string> start();

  // From control. The snapshot is pinned by the caller until on_published.
  void publish(pipeline::Snapshot& snapshot, const SnapshotSettings& settings, std::vector<ListenerSocket> opened,
               std::vector<std::uint16_t> closed);
  // Lets connections end, then stops the loop; `kill` ends them at once (may follow a gentle stop).
  void stop(bool kill);

  [[nodiscard]] const WorkerStats& stats() const { return stats_; }
  [[nodiscard]] const std::string& poller() const { return poller_; }
  [[nodiscard]] const std::string& poller_reason() const { return poller_reason_; }
  [[nodiscard]] unsigned number() const { return settings_.number; }

 private:
  struct Publish;
  struct Stop;
  struct Ack;

  void run();
  void serve();
  void apply(const Publish& change);
  void send(std::unique_ptr<Ack> ack);
  void note_turn();

  WorkerSettings settings_;
  WorkerShared shared_;
  Owner& owner_;
  WorkerStats stats_;
  std::string poller_;
  std::string poller_reason_;
  std::thread thread_;
  std::atomic<int> state_{0};  // 0 starting, 1 running, 2 failed
  std::string failure_;
  std::unique_ptr<io::Loop> loop_;  // made by the thread; outlives it, since control may still post
  // Of the worker's thread while it runs.
  ConnectionHost* host_ = nullptr;
  AccessLog* access_log_ = nullptr;
  bool stopping_ = false;
};

}  // namespace tidegate::server
