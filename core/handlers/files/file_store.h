// The files that are kept in memory, once a process: a byte budget shared by all workers.
//
// Thread-safe behind one mutex, which is taken when a file is loaded, replaced or evicted, never on a hit: each worker
// keeps references of its own (LocalFiles). Eviction is a clock over the entries: one that was used since the last round
// gets another.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "handlers/files/file_entry.h"
#include "handlers/files/settings.h"

namespace tidegate::handlers {

// A worker's cache, told when entries have died so that an idle worker does not keep them.
class FileStoreListener {
 public:
  // Any thread, with the store's mutex held: only posts a message.
  virtual void on_entries_died() = 0;

 protected:
  ~FileStoreListener() = default;
};

class FileStore {
 public:
  FileStore(std::uint64_t budget_bytes, std::uint64_t file_max_bytes);
  ~FileStore();
  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;

  // New figures after a reload; what is too much is evicted.
  void set_budget(std::uint64_t budget_bytes, std::uint64_t file_max_bytes);
  [[nodiscard]] std::uint64_t file_max_bytes() const;

  // The same number for equal settings, over reloads, so that what is cached stays usable.
  [[nodiscard]] std::uint32_t id_of(const FilesSettings& settings);

  // Takes `bytes` of the budget, evicting others. False: they are not to be had.
  [[nodiscard]] bool reserve(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);

  // The entry with a reference for the caller, or nullptr.
  [[nodiscard]] FileEntry* find(std::uint32_t settings_id, std::string_view key);
  // Makes a loaded entry the current one of its key and returns the one to use, with a reference for the caller: an equal
  // one that another worker was first with, or `entry`. Takes over the caller's reference to `entry`.
  [[nodiscard]] FileEntry* publish(FileEntry* entry);
  // The file changed or is gone.
  void retire(FileEntry& entry);

  void add_listener(FileStoreListener& listener);
  void remove_listener(FileStoreListener& listener);

  [[nodiscard]] std::uint64_t used_bytes() const;
  [[nodiscard]] std::size_t size() const;

 private:
  struct Held {
    FileEntry* entry;
    std::int64_t seen_ms;  // checked_ms at the last round of the clock
  };
  using Ring = std::list<Held>;

  static std::string full_key(std::uint32_t settings_id, std::string_view key);
  void drop(Ring::iterator held);
  FileEntry* evict_one();
  void tell_listeners();

  mutable std::mutex mutex_;
  std::uint64_t budget_;
  std::uint64_t file_max_;
  std::uint64_t used_ = 0;
  Ring ring_;
  Ring::iterator hand_;
  std::unordered_map<std::string, Ring::iterator> by_key_;
  std::vector<FilesSettings> settings_;
  std::vector<FileStoreListener*> listeners_;
};

}  // namespace tidegate::handlers
