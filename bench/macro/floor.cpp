// The floor: the least work a server on epoll can do for one exchange.
//
// One thread, one level-triggered epoll. Whatever arrives on a connection counts as one whole request and is answered with the
// same bytes; nothing is parsed. That is enough for a load generator that sends one short request at a time and waits for the
// answer, and for nothing else: this is a ruler, not a server.
//
// usage: floor PORT ANSWER_FILE HEAD_BYTES send|split|sendfile
//   PORT         port on 127.0.0.1
//   ANSWER_FILE  the complete answer, head and body; it is sent unchanged
//   HEAD_BYTES   how many of its first bytes are the head
//   send         one send() of head and body from memory
//   split        one send() of the head and one of the body, from memory: with bodies of some 100 KiB cheaper for both sides
//   sendfile     send() of the head with MSG_MORE, then sendfile() of the rest
// Runs until a signal ends it. Exit codes: 1 the system refused something; 2 usage.
//
// Invariants: a connection that cannot take the whole answer keeps its offset and is armed for EPOLLOUT until all of it is sent;
// until then it is not read. `connections` is indexed by descriptor and grows only when a higher descriptor appears.

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace tidegate::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr std::size_t kEventsPerTurn = 256;
constexpr std::size_t kReceiveBytes = 16384;

enum class Way { kSend, kSplit, kSendfile };

struct Answer {
  int file = -1;               // for sendfile
  std::vector<char> bytes;     // head and body
  std::size_t head_bytes = 0;  // always sent from memory
  Way way = Way::kSend;
};

struct Connection {
  std::size_t sent = 0;  // bytes of the current answer that the kernel took
  bool sending = false;  // armed for EPOLLOUT
};

// Ends the program: a ruler that cannot do its one job has nothing to recover.
[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "floor: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

Answer read_answer(const char* path, std::size_t head_bytes, Way way) {
  Answer answer;
  answer.file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (answer.file < 0) fail(path);
  struct stat info{};
  if (::fstat(answer.file, &info) != 0) fail("fstat");
  answer.bytes.resize(static_cast<std::size_t>(info.st_size));
  std::size_t have = 0;
  while (have < answer.bytes.size()) {
    const ssize_t got = ::read(answer.file, answer.bytes.data() + have, answer.bytes.size() - have);
    if (got <= 0) fail("read of the answer");
    have += static_cast<std::size_t>(got);
  }
  answer.head_bytes = head_bytes;
  answer.way = way;
  return answer;
}

int open_listener(std::uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  const int on = 1;
  if (::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) fail("SO_REUSEADDR");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
  if (::listen(listener, kBacklog) != 0) fail("listen");
  return listener;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("getrlimit");
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
}

class Floor {
 public:
  Floor(const Answer& answer, int listener)
      : answer_(answer), listener_(listener), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) fail("epoll_create1");
    control(EPOLL_CTL_ADD, listener_, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, kEventsPerTurn> events{};
    for (;;) {
      const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      if (count < 0 && errno != EINTR) fail("epoll_wait");
      for (int i = 0; i < count; ++i) handle(events[static_cast<std::size_t>(i)]);
    }
  }

 private:
  void control(int operation, int fd, std::uint32_t interest) {
    epoll_event event{};
    event.events = interest;
    event.data.fd = fd;
    if (::epoll_ctl(epoll_, operation, fd, &event) != 0) fail("epoll_ctl");
  }

  Connection& connection(int fd) { return connections_[static_cast<std::size_t>(fd)]; }

  void handle(const epoll_event& event) {
    const int fd = event.data.fd;
    if (fd == listener_) {
      accept_all();
    } else if (connection(fd).sending) {
      send_answer(fd);
    } else {
      receive(fd);
    }
  }

  void accept_all() {
    for (;;) {
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0) {
        if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) return;
        fail("accept4");
      }
      const int on = 1;
      if (::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("TCP_NODELAY");
      if (connections_.size() <= static_cast<std::size_t>(fd)) connections_.resize(static_cast<std::size_t>(fd) + 1);
      connection(fd) = Connection{};
      control(EPOLL_CTL_ADD, fd, EPOLLIN);
    }
  }

  void receive(int fd) {
    const ssize_t got = ::recv(fd, buffer_.data(), buffer_.size(), 0);
    if (got > 0) {
      connection(fd).sent = 0;
      send_answer(fd);
    } else if (got == 0 || errno != EAGAIN) {
      ::close(fd);
    }
  }

  // Sends what is left of the answer; arms EPOLLOUT when the socket is full and goes back to reading when all is sent.
  void send_answer(int fd) {
    Connection& peer = connection(fd);
    while (peer.sent < answer_.bytes.size()) {
      const ssize_t put = send_some(fd, peer.sent);
      if (put < 0) {
        if (errno != EAGAIN) {
          ::close(fd);
        } else if (!peer.sending) {
          peer.sending = true;
          control(EPOLL_CTL_MOD, fd, EPOLLOUT);
        }
        return;
      }
      peer.sent += static_cast<std::size_t>(put);
    }
    if (peer.sending) {
      peer.sending = false;
      control(EPOLL_CTL_MOD, fd, EPOLLIN);
    }
  }

  ssize_t send_some(int fd, std::size_t offset) {
    if (answer_.way == Way::kSend) return send_until(fd, offset, answer_.bytes.size(), 0);
    if (offset < answer_.head_bytes) {
      return send_until(fd, offset, answer_.head_bytes, answer_.way == Way::kSendfile ? MSG_MORE : 0);
    }
    if (answer_.way == Way::kSplit) return send_until(fd, offset, answer_.bytes.size(), 0);
    off_t position = static_cast<off_t>(offset);
    return ::sendfile(fd, answer_.file, &position, answer_.bytes.size() - offset);
  }

  ssize_t send_until(int fd, std::size_t offset, std::size_t end, int flags) {
    return ::send(fd, answer_.bytes.data() + offset, end - offset, MSG_NOSIGNAL | flags);
  }

  const Answer& answer_;
  int listener_;
  int epoll_;
  std::vector<Connection> connections_;
  std::array<char, kReceiveBytes> buffer_{};
};

bool parse_number(std::string_view text, std::size_t max, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value <= max;
}

bool parse_way(std::string_view text, Way& way) {
  if (text == "send") {
    way = Way::kSend;
  } else if (text == "split") {
    way = Way::kSplit;
  } else if (text == "sendfile") {
    way = Way::kSendfile;
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  using namespace tidegate::bench;
  std::size_t port = 0;
  std::size_t head_bytes = 0;
  Way way = Way::kSend;
  if (argc != 5 || !parse_number(argv[1], 65535, port) || !parse_number(argv[3], SIZE_MAX, head_bytes) ||
      !parse_way(argv[4], way)) {
    std::fputs("usage: floor PORT ANSWER_FILE HEAD_BYTES send|split|sendfile\n", stderr);
    return 2;
  }
  if (std::signal(SIGPIPE, SIG_IGN) == SIG_ERR) fail("SIGPIPE");  // sendfile has no MSG_NOSIGNAL
  raise_descriptor_limit();
  const Answer answer = read_answer(argv[2], head_bytes, way);
  if (head_bytes > answer.bytes.size()) {
    std::fputs("floor: the answer is shorter than its head\n", stderr);
    return 2;
  }
  Floor(answer, open_listener(static_cast<std::uint16_t>(port))).run();
}
