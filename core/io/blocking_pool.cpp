#include "io/blocking_pool.h"

#include <system_error>

#include "base/check.h"
#include "sys/thread.h"

namespace tidegate::io {

BlockingPool::BlockingPool(unsigned threads_max) : threads_max_(threads_max) {
  TIDEGATE_CHECK(threads_max > 0);
  threads_.reserve(threads_max);
  const std::lock_guard lock(mutex_);
  start_thread();
}

BlockingPool::~BlockingPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  queued_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Called with the lock held.
void BlockingPool::start_thread() {
  threads_.emplace_back([this] { work(); });
  ++idle_threads_;
}

void BlockingPool::submit(Job& job) {
  job.next = nullptr;
  {
    const std::lock_guard lock(mutex_);
    (last_ == nullptr ? first_ : last_->next) = &job;
    last_ = &job;
    ++waiting_jobs_;
    // A job may be submitted by another one while the pool ends; then the threads at hand finish it.
    if (waiting_jobs_ > idle_threads_ && threads_.size() < threads_max_ && !stopping_) {
      try {
        start_thread();
      } catch (const std::system_error&) {
        // The system gives no thread now: those that run do the work.
      }
    }
  }
  queued_.notify_one();
}

void BlockingPool::work() {
  sys::name_this_thread("tg-blocking");
  std::unique_lock lock(mutex_);
  while (true) {
    queued_.wait(lock, [this] { return first_ != nullptr || stopping_; });
    if (first_ == nullptr) return;
    Job* job = first_;
    first_ = job->next;
    if (first_ == nullptr) last_ = nullptr;
    --waiting_jobs_;
    --idle_threads_;
    lock.unlock();
    job->run(*job);
    lock.lock();
    ++idle_threads_;
  }
}

}  // namespace tidegate::io
