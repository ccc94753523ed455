// One worker's view of the file store: hits without a lock and without a shared counter.
//
// Each entry here holds one reference to a FileEntry. While bytes of it are being sent it is pinned (a plain counter);
// a dead entry leaves the table at once and is let go of with its last pin. On the worker's thread, except
// on_entries_died.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/pin.h"
#include "handlers/files/file_entry.h"
#include "handlers/files/file_store.h"
#include "io/loop.h"
#include "pipeline/worker_services.h"

namespace tidegate::handlers {

struct LocalFile {
  FileEntry* entry = nullptr;
  std::uint32_t pins = 0;
  bool listed = false;  // in the table

  // Keeps the entry's bytes; drop on the worker's thread.
  [[nodiscard]] base::Pin pin();
  // The pin that adopt() made, to be handed on or dropped.
  [[nodiscard]] base::Pin adopted_pin();
  void unpin() { adopted_pin().drop(); }
};

class LocalFiles final : public pipeline::WorkerState, private FileStoreListener {
 public:
  static constexpr std::size_t kEntriesMax = 16384;

  LocalFiles(FileStore& store, io::Loop& loop);
  ~LocalFiles() override;
  LocalFiles(const LocalFiles&) = delete;
  LocalFiles& operator=(const LocalFiles&) = delete;

  // The entry of a request path, if this worker has it and it is not dead.
  [[nodiscard]] LocalFile* find(std::uint32_t settings_id, std::string_view path);
  // Takes over a reference to the entry. The result is pinned once for the caller, who gives the pin to a response or
  // drops it.
  LocalFile* adopt(FileEntry* entry);
  // The file changed: it leaves this table, the store and in time those of the other workers.
  void retire(LocalFile& file);

 private:
  using Table = std::unordered_map<std::string_view, LocalFile*>;
  struct Sweep : io::Message {
    LocalFiles* files = nullptr;
    std::atomic<bool> posted{false};
  };
  friend struct LocalFile;
  void on_entries_died() override;
  void sweep_dead();
  void make_room(Table& table);
  static void unlist(Table& table, LocalFile& file);
  static void let_go(LocalFile* file);

  FileStore& store_;
  io::Loop& loop_;
  std::vector<Table> tables_;  // by settings id
  Sweep sweep_;
};

}  // namespace tidegate::handlers
