// Signals of the operator: blocked everywhere, taken one after the other by one thread with sigwait(3).
#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "base/check.h"
#include "sys/service.h"
#include "sys/thread.h"

namespace tidegate::sys {

namespace {

constexpr std::array<std::pair<int, Signal>, 6> kSignals{{
    {SIGTERM, Signal::kTerminate},
    {SIGINT, Signal::kInterrupt},
    {SIGQUIT, Signal::kQuit},
    {SIGHUP, Signal::kReload},
    {SIGUSR1, Signal::kReopenLogs},
    {SIGUSR2, Signal::kHandOver},
}};

// Sent to the waiting thread alone to end its wait.
constexpr int kEndWait = SIGUSR2;

sigset_t service_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const auto& [number, signal] : kSignals) ::sigaddset(&set, number);
  return set;
}

class SigwaitSource final : public SignalSource {
 public:
  SigwaitSource(Report report, void* context) : report_(report), context_(context), thread_([this] { run(); }) {}
  SigwaitSource(const SigwaitSource&) = delete;
  SigwaitSource& operator=(const SigwaitSource&) = delete;
  ~SigwaitSource() override {
    stopping_.store(true);
    ::pthread_kill(thread_.native_handle(), kEndWait);
    thread_.join();
  }

 private:
  void run() {
    name_this_thread("signals");
    const sigset_t set = service_signals();
    for (;;) {
      int number = 0;
      if (::sigwait(&set, &number) != 0) continue;
      if (stopping_.load()) return;
      for (const auto& [known, signal] : kSignals) {
        if (known == number) report_(context_, signal);
      }
    }
  }

  Report report_;
  void* context_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

void block_service_signals() {
  const sigset_t set = service_signals();
  TIDEGATE_CHECK(::pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  // sendfile(2) takes no flag against it; a write to a closed connection shall be an error, not the end.
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

std::unique_ptr<SignalSource> SignalSource::start(Report report, void* context) {
  return std::make_unique<SigwaitSource>(report, context);
}

}  // namespace tidegate::sys
