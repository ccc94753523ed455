// What the steps of a plan find on the worker that runs them. One a worker; outlives its exchanges.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace tidegate::io {
class Loop;
class BlockingPool;
}  // namespace tidegate::io

namespace tidegate::pipeline {

// State that one kind of handler keeps on each worker (caches, upstream pools).
class WorkerState {
 public:
  virtual ~WorkerState() = default;
};

struct WorkerServices {
  io::Loop* loop = nullptr;
  io::BlockingPool* blocking = nullptr;
  // One entry a kind of handler, at the index that the module table gave it.
  std::vector<std::unique_ptr<WorkerState>> states;
};

}  // namespace tidegate::pipeline
