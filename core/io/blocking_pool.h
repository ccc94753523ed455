// A few threads for what may block: cold file opens and reads, password hashes, name look-ups. One pool a process;
// submit() from any thread. Jobs are begun in order of arrival; a job must end by itself.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace tidegate::io {

// Embedded in its owner, which keeps it alive until `run` has posted the outcome back to its loop.
struct Job {
  using Run = void (*)(Job& job);
  Run run = nullptr;  // on a pool thread; its last act is Loop::post
  Job* next = nullptr;
};

class BlockingPool {
 public:
  // threads_max: at least 1. The first thread starts here, the others when there are more jobs than idle threads.
  explicit BlockingPool(unsigned threads_max);
  ~BlockingPool();  // runs what is queued, then joins
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  void submit(Job& job);

 private:
  void start_thread();
  void work();

  std::mutex mutex_;
  std::condition_variable queued_;
  Job* first_ = nullptr;
  Job* last_ = nullptr;
  std::size_t waiting_jobs_ = 0;
  std::size_t idle_threads_ = 0;  // threads that wait for a job or are about to
  unsigned threads_max_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tidegate::io
