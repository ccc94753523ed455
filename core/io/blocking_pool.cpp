#include "io/blocking_pool.h"

#include "sys/thread.h"

namespace tidegate::io {

BlockingPool::BlockingPool(unsigned threads_max) : threads_max_(threads_max) {}

BlockingPool::~BlockingPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  queued_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void BlockingPool::submit(Job& job) {
  job.next = nullptr;
  {
    const std::lock_guard lock(mutex_);
    (last_ == nullptr ? first_ : last_->next) = &job;
    last_ = &job;
    if (idle_ == 0 && threads_.size() < threads_max_) threads_.emplace_back([this] { work(); });
  }
  queued_.notify_one();
}

void BlockingPool::work() {
  sys::name_this_thread("tg-blocking");
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    queued_.wait(lock, [this] { return first_ != nullptr || stopping_; });
    --idle_;
    if (first_ == nullptr) return;
    Job* job = first_;
    first_ = job->next;
    if (first_ == nullptr) last_ = nullptr;
    lock.unlock();
    job->run(*job);
    lock.lock();
  }
}

}  // namespace tidegate::io
