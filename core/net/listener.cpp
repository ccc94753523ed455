#include "net/listener.h"

#include "base/check.h"

namespace tidegate::net {

Listener::Listener(io::Loop& loop, io::SocketId socket, Acceptor& acceptor, std::uint32_t tag)
    : loop_(loop), acceptor_(acceptor), tag_(tag) {
  op_.verb = io::Verb::kAccept;
  op_.socket = socket;
  op_.owner = this;
  op_.done = [](io::Op& op, const io::Completion& completion) {
    static_cast<Listener*>(op.owner)->on_completion(completion);
  };
  retry_.listener = this;
  retry_.fire = [](io::Timer& timer) { static_cast<RetryTimer&>(timer).listener->accept(); };
}

Listener::~Listener() {
  TIDEGATE_CHECK(!op_.in_flight);
  loop_.timers().disarm(retry_);
}

void Listener::start() { resume(); }

void Listener::accept() {
  if (!paused_ && !closed_ && !op_.in_flight) loop_.driver().submit(op_);
}

void Listener::pause() {
  if (paused_) return;
  paused_ = true;
  loop_.timers().disarm(retry_);
  if (op_.in_flight) loop_.driver().cancel(op_);
}

void Listener::resume() {
  paused_ = false;
  accept();
}

void Listener::close() {
  if (closed_) return;
  closed_ = true;
  loop_.timers().disarm(retry_);
  loop_.driver().close(op_.socket, false);
}

void Listener::on_completion(const io::Completion& completion) {
  if (completion.accepted != sys::kNoSocket) {
    if (closed_) {
      sys::close_socket(completion.accepted, true);
    } else {
      short_ = false;
      ++accepted_;
      acceptor_.on_accept(*this, completion.accepted, completion.peer);
    }
  }
  if (completion.more || closed_ || paused_) return;
  const base::Code code = completion.error.code;
  if (code == base::Code::kNoDescriptors || code == base::Code::kNoMemory) {
    if (!short_) acceptor_.on_shortage(*this, completion.error);
    short_ = true;
    loop_.timers().arm(retry_, loop_.now_ms() + kRetryMs);
    return;
  }
  accept();
}

}  // namespace tidegate::net
