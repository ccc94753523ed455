#include "handlers/files/root_directory.h"

#include <utility>

namespace tidegate::handlers {

namespace {
constexpr std::int64_t kCheckMs = 1000;
constexpr std::int64_t kRetiredMs = 60'000;

bool same_directory(sys::FileHandle a, sys::FileHandle b) {
  if (a == sys::kNoFile || b == sys::kNoFile) return false;
  const auto first = sys::stat_of(a);
  const auto second = sys::stat_of(b);
  return first && second && first->device == second->device && first->inode == second->inode;
}
}  // namespace

RootDirectory::RootDirectory(std::string path) : path_(std::move(path)) {}

RootDirectory::~RootDirectory() {
  if (current_ != sys::kNoFile) sys::close_file(current_);
  for (const Retired& old : retired_) sys::close_file(old.directory);
}

sys::FileHandle RootDirectory::at(std::int64_t now_ms) {
  if (now_ms - checked_ms_.load(std::memory_order_relaxed) >= kCheckMs) check(now_ms);
  return current_.load(std::memory_order_acquire);
}

void RootDirectory::check(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (now_ms - checked_ms_.load() < kCheckMs) return;
  const sys::FileHandle found = sys::open_root(path_).value_or(sys::kNoFile);
  const sys::FileHandle old = current_.load();
  if (same_directory(found, old)) {
    sys::close_file(found);
  } else {
    current_.store(found, std::memory_order_release);
    if (old != sys::kNoFile) retired_.push_back({old, now_ms});
  }
  std::erase_if(retired_, [&](const Retired& one) {
    if (now_ms - one.since_ms < kRetiredMs) return false;
    sys::close_file(one.directory);
    return true;
  });
  checked_ms_.store(now_ms, std::memory_order_relaxed);
}

}  // namespace tidegate::handlers
