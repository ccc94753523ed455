#include "handlers/files/file_store.h"

#include <algorithm>

#include "base/check.h"

namespace tidegate::handlers {

FileStore::FileStore(std::uint64_t budget_bytes, std::uint64_t file_max_bytes)
    : budget_(budget_bytes), file_max_(file_max_bytes), hand_(ring_.end()) {}

FileStore::~FileStore() {
  TIDEGATE_CHECK(listeners_.empty());
  while (!ring_.empty()) {
    FileEntry* entry = ring_.front().entry;
    ring_.pop_front();
    entry->unref();
  }
}

void FileStore::set_budget(std::uint64_t budget_bytes, std::uint64_t file_max_bytes) {
  {
    const std::lock_guard lock(mutex_);
    budget_ = budget_bytes;
    file_max_ = file_max_bytes;
  }
  static_cast<void>(reserve(0));
}

std::uint64_t FileStore::file_max_bytes() const {
  const std::lock_guard lock(mutex_);
  return file_max_;
}

std::uint32_t FileStore::id_of(const FilesSettings& settings) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(settings_.begin(), settings_.end(), settings);
  if (found != settings_.end()) return static_cast<std::uint32_t>(found - settings_.begin());
  settings_.push_back(settings);
  return static_cast<std::uint32_t>(settings_.size() - 1);
}

bool FileStore::reserve(std::uint64_t bytes) {
  std::vector<FileEntry*> evicted;
  bool granted = false;
  {
    const std::lock_guard lock(mutex_);
    // What the evicted entries are charged comes back when their last worker lets go, so room is made for it here.
    std::uint64_t coming_back = 0;
    const auto fits = [&] { return used_ - std::min(used_, coming_back) + bytes <= budget_; };
    while (!fits() && bytes <= budget_) {
      FileEntry* entry = evict_one();
      if (entry == nullptr) break;
      evicted.push_back(entry);
      coming_back += entry->charged_bytes;
    }
    granted = used_ + bytes <= budget_;
    if (granted) used_ += bytes;
    if (!evicted.empty()) tell_listeners();
  }
  for (FileEntry* entry : evicted) entry->unref();
  if (granted || evicted.empty()) return granted;
  const std::lock_guard lock(mutex_);
  if (used_ + bytes > budget_) return false;  // other workers still hold what was evicted
  used_ += bytes;
  return true;
}

void FileStore::give_back(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

std::string FileStore::full_key(std::uint32_t settings_id, std::string_view key) {
  return std::to_string(settings_id).append(key);
}

FileEntry* FileStore::find(std::uint32_t settings_id, std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(full_key(settings_id, key));
  if (found == by_key_.end()) return nullptr;
  FileEntry* entry = found->second->entry;
  entry->ref();
  return entry;
}

FileEntry* FileStore::publish(FileEntry* entry) {
  FileEntry* replaced = nullptr;
  FileEntry* winner = entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(full_key(entry->settings_id, entry->key));
    if (found != by_key_.end() && found->second->entry->same_version(*entry)) {
      winner = found->second->entry;
      winner->checked_ms.store(entry->checked_ms.load());
      replaced = entry;
    } else {
      if (found != by_key_.end()) {
        replaced = found->second->entry;
        drop(found->second);
        tell_listeners();
      }
      ring_.push_front({entry, entry->checked_ms.load()});
      by_key_[full_key(entry->settings_id, entry->key)] = ring_.begin();
    }
    winner->ref();
  }
  if (replaced != nullptr) replaced->unref();
  return winner;
}

void FileStore::retire(FileEntry& entry) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(full_key(entry.settings_id, entry.key));
    if (found == by_key_.end() || found->second->entry != &entry) return;
    drop(found->second);
    tell_listeners();
  }
  entry.unref();
}

// Takes an entry out of the table; the caller drops the table's reference.
void FileStore::drop(Ring::iterator held) {
  FileEntry* entry = held->entry;
  entry->dead.store(true, std::memory_order_release);
  by_key_.erase(full_key(entry->settings_id, entry->key));
  if (hand_ == held) ++hand_;
  ring_.erase(held);
}

// Drops the next entry that was not used since the hand came by last and returns it with the table's reference; nullptr
// when the table is empty.
FileEntry* FileStore::evict_one() {
  for (std::size_t steps = 2 * ring_.size() + 1; steps > 0 && !ring_.empty(); --steps) {
    if (hand_ == ring_.end()) hand_ = ring_.begin();
    const std::int64_t used_ms = hand_->entry->checked_ms.load(std::memory_order_relaxed);
    if (used_ms == hand_->seen_ms || steps == 1) {
      FileEntry* entry = hand_->entry;
      drop(hand_);
      return entry;
    }
    hand_->seen_ms = used_ms;
    ++hand_;
  }
  return nullptr;
}

// Under the mutex, so that no listener goes away meanwhile.
void FileStore::tell_listeners() {
  for (FileStoreListener* listener : listeners_) listener->on_entries_died();
}

void FileStore::add_listener(FileStoreListener& listener) {
  const std::lock_guard lock(mutex_);
  listeners_.push_back(&listener);
}

void FileStore::remove_listener(FileStoreListener& listener) {
  const std::lock_guard lock(mutex_);
  std::erase(listeners_, &listener);
}

std::uint64_t FileStore::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

std::size_t FileStore::size() const {
  const std::lock_guard lock(mutex_);
  return ring_.size();
}

}  // namespace tidegate::handlers
