#include "io/portable/libevent_selector.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/util.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/check.h"
#include "base/clock.h"
#include "base/slab.h"

namespace tidegate::io {

namespace {

#ifdef _WIN32
constexpr int kPairFamily = AF_INET;
#else
constexpr int kPairFamily = AF_UNIX;
#endif

struct FreeConfig {
  void operator()(event_config* config) const { event_config_free(config); }
};
using Config = std::unique_ptr<event_config, FreeConfig>;

// The wait's end must not be reached by a sum that overflows; a day is as good as for ever.
constexpr std::int64_t kWaitMaxMs = std::int64_t{24} * 60 * 60 * 1000;

// libevent tries its methods best first, and those with edges come before those without.
Config make_config(const LibeventOptions& options) {
  Config config(event_config_new());
  if (config == nullptr) return config;
  event_config_set_flag(config.get(), EVENT_BASE_FLAG_NOLOCK);
  if (options.method == nullptr) return config;
  for (const char** method = event_get_supported_methods(); *method != nullptr; ++method) {
    if (std::string_view(*method) != options.method) event_config_avoid_method(config.get(), *method);
  }
  return config;
}

bool is_supported(const char* wanted) {
  for (const char** method = event_get_supported_methods(); *method != nullptr; ++method) {
    if (std::string_view(*method) == wanted) return true;
  }
  return false;
}

}  // namespace

struct LibeventSelector::Entry {
  LibeventSelector* selector = nullptr;
  std::uint64_t key = base::Handle{}.packed();
  evutil_socket_t socket = -1;
  short directions = 0;  // EV_READ | EV_WRITE that libevent watches for
  bool assigned = false;  // libevent may know the event: it must be deleted before it is assigned again
  ::event event = {};
};

base::Result<std::unique_ptr<LibeventSelector>> make_libevent_selector(const LibeventOptions& options) {
  std::unique_ptr<LibeventSelector> selector(new (std::nothrow) LibeventSelector);
  if (selector != nullptr && selector->open(options)) return selector;
  return std::unexpected(base::Error{.code = base::Code::kNotSupported, .domain = base::Domain::kIo});
}

bool LibeventSelector::open(const LibeventOptions& options) {
  if (options.method != nullptr && !is_supported(options.method)) return false;
  const Config config = make_config(options);
  base_ = config == nullptr ? nullptr : event_base_new_with_config(config.get());
  if (base_ == nullptr) return false;
  const int features = event_base_get_features(base_);
  edge_triggered_ = (features & EV_FEATURE_ET) != 0;
  tells_close_ = (features & EV_FEATURE_EARLY_CLOSE) != 0;

  std::array<evutil_socket_t, 2> pair{};
  if (evutil_socketpair(kPairFamily, SOCK_STREAM, 0, pair.data()) != 0) return false;
  wake_receiver_ = pair[0];
  wake_sender_ = pair[1];
  for (const evutil_socket_t end : pair) {
    if (evutil_make_socket_nonblocking(end) != 0 || evutil_make_socket_closeonexec(end) != 0) return false;
  }
  wake_event_ = event_new(
      base_, pair[0], EV_READ | EV_PERSIST,
      [](evutil_socket_t, short, void* self) { static_cast<LibeventSelector*>(self)->on_wake(); }, this);
  timer_ = event_new(
      base_, -1, 0, [](evutil_socket_t, short, void* self) { static_cast<LibeventSelector*>(self)->timer_due_ms_ = -1; },
      this);
  return wake_event_ != nullptr && timer_ != nullptr && event_add(wake_event_, nullptr) == 0;
}

LibeventSelector::~LibeventSelector() {
  for (const std::unique_ptr<Entry>& entry : entries_) {
    if (entry != nullptr) watch(*entry, 0);
  }
  if (timer_ != nullptr) event_free(timer_);
  if (wake_event_ != nullptr) event_free(wake_event_);
  if (base_ != nullptr) event_base_free(base_);
  for (const sys::SocketHandle end : {wake_receiver_, wake_sender_}) {
    if (end != sys::kNoSocket) sys::close_socket(end, false);
  }
}

std::string_view LibeventSelector::method() const { return event_base_get_method(base_); }

LibeventSelector::Entry* LibeventSelector::find(std::uint64_t key) {
  const std::uint32_t index = base::Handle::unpack(key).index;
  if (index >= entries_.size() || entries_[index] == nullptr || entries_[index]->key != key) return nullptr;
  return entries_[index].get();
}

base::Error LibeventSelector::add(sys::SocketHandle socket, std::uint64_t key) {
  const std::uint32_t index = base::Handle::unpack(key).index;
  if (index >= entries_.size()) entries_.resize(std::size_t{index} + 1);
  if (entries_[index] == nullptr) entries_[index] = std::make_unique<Entry>();
  Entry& entry = *entries_[index];
  TIDEGATE_CHECK(entry.directions == 0);  // the socket before it was removed
  entry.selector = this;
  entry.key = key;
  entry.socket = static_cast<evutil_socket_t>(socket);
  if (!edge_triggered_ || watch(entry, EV_READ | EV_WRITE)) return {};
  entry.key = base::Handle{}.packed();
  return {.code = base::Code::kNoMemory, .domain = base::Domain::kIo};
}

void LibeventSelector::remove(sys::SocketHandle, std::uint64_t key) {
  Entry* entry = find(key);
  if (entry == nullptr) return;
  watch(*entry, 0);
  entry->key = base::Handle{}.packed();
}

void LibeventSelector::want(std::uint64_t key, bool read, bool write) {
  if (edge_triggered_) return;
  Entry* entry = find(key);
  if (entry == nullptr) return;
  const auto directions = static_cast<short>((read ? EV_READ : 0) | (write ? EV_WRITE : 0));
  // Where libevent has no memory to wait, the directions are reported as ready: the driver tries, and asks again.
  if (!watch(*entry, directions)) event_active(&entry->event, directions, 1);
}

// Makes libevent watch for exactly these directions. False: it could not; nothing is watched then.
bool LibeventSelector::watch(Entry& entry, short directions) {
  if (directions != 0 && directions == entry.directions) return true;
  if (entry.assigned) event_del(&entry.event);
  entry.directions = 0;
  if (directions == 0) return true;
  const int how = edge_triggered_ ? EV_ET | EV_PERSIST | (tells_close_ ? EV_CLOSED : 0) : 0;
  const auto call = [](evutil_socket_t, short what, void* to) {
    auto& ready = *static_cast<Entry*>(to);
    ready.selector->on_ready(ready, what);
  };
  event_assign(&entry.event, base_, entry.socket, static_cast<short>(directions | how), call, &entry);
  entry.assigned = true;
  if (event_add(&entry.event, nullptr) != 0) return false;
  entry.directions = directions;
  return true;
}

void LibeventSelector::on_ready(Entry& entry, short what) {
  const bool readable = (what & (EV_READ | EV_CLOSED)) != 0;
  const bool writable = (what & EV_WRITE) != 0;
  // libevent reports a failed connection as "both directions", without the end of the stream, which looks like a healthy
  // one that is ready for both. Without EV_CLOSED every end looks like data.
  const bool end_in_sight = (what & EV_CLOSED) != 0 || !tells_close_ || writable;
  ready_[ready_count_++] = {
      .key = entry.key, .readable = readable, .writable = writable, .peer_closed = edge_triggered_ && readable && end_in_sight};
  if (ready_count_ == ready_.size()) event_base_loopbreak(base_);  // the rest stays active for the next wait
  if (edge_triggered_) return;
  const auto left = static_cast<short>(entry.directions & ~what);
  entry.directions = 0;  // an event that does not persist is deleted when it is reported
  if (left != 0 && !watch(entry, left)) event_active(&entry.event, left, 1);
}

// The timer stays as it is while it is early enough: then a wait may end too soon, which costs less than to move the
// timer in every turn.
void LibeventSelector::bound_wait(std::int64_t timeout_ms) {
  if (timeout_ms < 0) {
    if (timer_due_ms_ >= 0) event_del(timer_);
    timer_due_ms_ = -1;
    return;
  }
  const std::int64_t wait_ms = std::min(timeout_ms, kWaitMaxMs);
  const std::int64_t due_ms = base::monotonic_ms() + wait_ms;
  if (timer_due_ms_ >= 0 && timer_due_ms_ <= due_ms) return;
  timeval duration{};
  duration.tv_sec = static_cast<decltype(duration.tv_sec)>(wait_ms / 1000);
  duration.tv_usec = static_cast<decltype(duration.tv_usec)>(wait_ms % 1000 * 1000);
  timer_due_ms_ = event_add(timer_, &duration) == 0 ? due_ms : -1;
}

std::size_t LibeventSelector::wait(std::int64_t timeout_ms, std::span<ReadyEvent> events) {
  TIDEGATE_CHECK(!events.empty());
  ready_ = events;
  ready_count_ = 0;
  if (timeout_ms != 0) bound_wait(timeout_ms);
  const bool unbounded_by_failure = timeout_ms > 0 && timer_due_ms_ < 0;
  const bool poll_only = timeout_ms == 0 || unbounded_by_failure;
  event_base_loop(base_, poll_only ? EVLOOP_ONCE | EVLOOP_NONBLOCK : EVLOOP_ONCE);
  ready_ = {};
  return ready_count_;
}

// At most one byte is on its way: who comes second relies on the first.
void LibeventSelector::wake() {
  if (wake_sent_.exchange(true)) return;
  const sys::Slice byte{.data = "", .size = 1};
  static_cast<void>(sys::send(wake_sender_, {&byte, 1}, false).has_value());
}

void LibeventSelector::on_wake() {
  std::array<char, 16> ignored;
  while (sys::receive(wake_receiver_, ignored.data(), ignored.size()).value_or(0) == ignored.size()) {
  }
  wake_sent_.exchange(false);  // after the byte was taken, else the next one could be taken with it
}

}  // namespace tidegate::io
