#include "server/server.h"

#include <filesystem>
#include <utility>

#include "base/log.h"
#include "io/loop.h"
#include "server/control.h"
#include "server/control/control_api.h"
#include "server/log_writer.h"
#include "sys/process.h"
#include "sys/service.h"
#include "sys/thread.h"

namespace tidegate::server {

namespace {

constexpr std::uint16_t kControlBuffers = 16;
constexpr std::uint32_t kControlBufferSize = 16 * 1024;
constexpr std::uint32_t kSocketMode = 0660;

// Error lines go to the log writer while this lives.
class SinkScope {
 public:
  explicit SinkScope(LogWriter& log) { base::set_log_sink(&log); }
  ~SinkScope() { base::set_log_sink(nullptr); }
  SinkScope(const SinkScope&) = delete;
  SinkScope& operator=(const SinkScope&) = delete;
};

struct SignalMessage : io::Message {
  Control* control = nullptr;
  sys::Signal signal = sys::Signal::kTerminate;
};

struct SignalTarget {
  io::Loop* loop;
  Control* control;
};

void forward_signal(void* context, sys::Signal signal) {
  const auto& target = *static_cast<SignalTarget*>(context);
  auto message = std::make_unique<SignalMessage>();
  message->control = target.control;
  message->signal = signal;
  message->deliver = [](io::Message& base) {
    const std::unique_ptr<SignalMessage> owned(static_cast<SignalMessage*>(&base));
    owned->control->on_signal(owned->signal);
  };
  target.loop->post(*message.release());
}

// The control socket of this process.
struct ControlSocket {
  std::string path;
  sys::SocketHandle socket = sys::kNoSocket;
};

// Why there is none.
struct NoControlSocket {
  ExitCode code;
  std::string why;
};

std::expected<ControlSocket, NoControlSocket> open_control_socket(const ServerOptions& options) {
  std::string path = options.control_socket;
  std::string directory;
  if (path.empty()) {
    const auto prepared = sys::prepare_runtime_directory();
    if (!prepared) {
      return std::unexpected(NoControlSocket{kState, "the runtime directory " + sys::runtime_directory() + " cannot be made: " +
                                                         std::string(base::name_of(prepared.error().code)) +
                                                         "; set TIDEGATE_RUNTIME_DIR to a directory of yours"});
    }
    directory = *prepared;
    path = directory + "/admin.sock";
  }
  const auto listen = [](const std::string& at) {
    return sys::listen_at({.address = {.family = base::Family::kUnix}, .unix_path = at}, {.unix_mode = kSocketMode});
  };
  auto socket = listen(path);
  const bool taken = !socket && socket.error().code == base::Code::kAddressInUse;
  if (taken && !options.own_control_socket && !directory.empty()) {
    path = directory + "/admin-" + std::to_string(sys::process_id()) + ".sock";
    socket = listen(path);
  }
  if (!socket) {
    std::string text = "cannot open the control socket " + path + ": " + std::string(base::name_of(socket.error().code));
    if (taken) text += "; another server is running (`tidegate status`), stop it or choose another socket with --socket";
    return std::unexpected(NoControlSocket{taken ? kCannotBind : kState, std::move(text)});
  }
  return ControlSocket{path, *socket};
}

}  // namespace

int run_server(const ServerOptions& options) {
  sys::name_this_thread("tg-control");
  static_cast<void>(sys::raise_descriptor_limit());
  LogWriter log;
  const SinkScope sink(log);
  io::BlockingPool blocking(1);
  auto made = options.make_poller("auto", blocking, kControlBuffers, kControlBufferSize);
  if (!made) {
    base::log(base::LogLevel::kError, "server", made.error());
    return kFailed;
  }
  auto control_socket = open_control_socket(options);
  if (!control_socket) {
    base::log(base::LogLevel::kError, "server", control_socket.error().why);
    return control_socket.error().code;
  }
  io::Loop loop(std::move(made->driver));
  int outcome = kOk;
  {
    Control control(options, loop, log);
    ControlApi api(control, loop);
    SignalTarget target{&loop, &control};
    outcome = control.start();
    if (outcome == kOk) {
      api.open(control_socket->socket);
      const auto signals = sys::SignalSource::start(&forward_signal, &target);
      control.run();
    } else {
      sys::close_socket(control_socket->socket, false);
    }
    api.close();
    while (!api.empty()) loop.turn(io::Driver::kForever);
  }
  std::error_code ignored;
  std::filesystem::remove(control_socket->path, ignored);
  if (outcome == kOk) base::log(base::LogLevel::kInfo, "server", "stopped");
  return outcome;
}

}  // namespace tidegate::server
