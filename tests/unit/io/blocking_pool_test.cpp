#include "io/blocking_pool.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tidegate::io {

namespace {

struct Numbered : Job {
  int number = 0;
  std::mutex* mutex = nullptr;
  std::vector<int>* order = nullptr;
};

// A meeting that only ends when so many jobs run at the same time.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0;
  int wanted = 0;
  bool failed = false;

  void attend() {
    std::unique_lock lock(mutex);
    ++inside;
    changed.notify_all();
    if (!changed.wait_for(lock, std::chrono::seconds(20), [this] { return inside >= wanted; })) failed = true;
  }
};

struct Attendee : Job {
  Meeting* meeting = nullptr;
};

}  // namespace

TEST_CASE("blocking pool: one thread runs jobs in order, and the destructor runs the rest") {
  std::mutex mutex;
  std::vector<int> order;
  std::deque<Numbered> jobs(1000);
  {
    BlockingPool pool(1);
    for (int i = 0; i < 1000; ++i) {
      Numbered& job = jobs[static_cast<std::size_t>(i)];
      job.number = i;
      job.mutex = &mutex;
      job.order = &order;
      job.run = [](Job& base) {
        auto& self = static_cast<Numbered&>(base);
        const std::lock_guard lock(*self.mutex);
        self.order->push_back(self.number);
      };
      pool.submit(job);
    }
  }
  REQUIRE(order.size() == 1000);
  CHECK(std::ranges::is_sorted(order));
}

TEST_CASE("blocking pool: as many jobs run at once as there may be threads, however fast they come") {
  for (int round = 0; round < 20; ++round) {
    Meeting meeting;
    meeting.wanted = 4;
    std::deque<Attendee> jobs(4);
    {
      BlockingPool pool(4);
      for (Attendee& job : jobs) {
        job.meeting = &meeting;
        job.run = [](Job& base) { static_cast<Attendee&>(base).meeting->attend(); };
        pool.submit(job);
      }
    }
    REQUIRE(!meeting.failed);
  }
}

TEST_CASE("blocking pool: an idle thread does not hold up a second job") {
  BlockingPool pool(2);
  for (int round = 0; round < 50; ++round) {
    Meeting meeting;
    meeting.wanted = 2;
    std::deque<Attendee> jobs(2);
    std::atomic<int> left{2};
    struct Counted : Attendee {
      std::atomic<int>* left = nullptr;
    };
    std::deque<Counted> counted(2);
    for (Counted& job : counted) {
      job.meeting = &meeting;
      job.left = &left;
      job.run = [](Job& base) {
        auto& self = static_cast<Counted&>(base);
        std::atomic<int>& count = *self.left;
        self.meeting->attend();
        count.fetch_sub(1);
      };
      pool.submit(job);
    }
    while (left.load() > 0) std::this_thread::yield();
    REQUIRE(!meeting.failed);
  }
}

TEST_CASE("blocking pool: jobs from many threads, and jobs from jobs while it ends") {
  struct Spawner : Job {
    BlockingPool* pool = nullptr;
    std::atomic<int>* runs = nullptr;
    int left = 0;
  };
  std::atomic<int> runs{0};
  std::deque<Spawner> jobs(64);
  {
    BlockingPool pool(3);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t * 16; i < (t + 1) * 16; ++i) {
          jobs[i].pool = &pool;
          jobs[i].runs = &runs;
          jobs[i].left = 20;
          jobs[i].run = [](Job& base) {
            auto& self = static_cast<Spawner&>(base);
            self.runs->fetch_add(1);
            if (--self.left > 0) self.pool->submit(self);
          };
          pool.submit(jobs[i]);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(runs.load() == 64 * 20);
}

}  // namespace tidegate::io
