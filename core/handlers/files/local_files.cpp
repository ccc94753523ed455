#include "handlers/files/local_files.h"

#include <utility>

namespace tidegate::handlers {

namespace {
constexpr std::int64_t kUnusedMs = 10'000;  // entries that were not used for so long go first when room is needed
}  // namespace

base::Pin LocalFile::pin() {
  ++pins;
  return adopted_pin();
}

base::Pin LocalFile::adopted_pin() {
  return {[](void* object) {
            auto* file = static_cast<LocalFile*>(object);
            --file->pins;
            LocalFiles::let_go(file);
          },
          this};
}

LocalFiles::LocalFiles(FileStore& store, io::Loop& loop) : store_(store), loop_(loop) {
  sweep_.files = this;
  sweep_.deliver = [](io::Message& message) {
    auto& sweep = static_cast<Sweep&>(message);
    sweep.posted.store(false);
    sweep.files->sweep_dead();
  };
  store_.add_listener(*this);
}

LocalFiles::~LocalFiles() {
  store_.remove_listener(*this);
  for (Table& table : tables_) {
    while (!table.empty()) unlist(table, *table.begin()->second);
  }
}

void LocalFiles::on_entries_died() {
  if (!sweep_.posted.exchange(true)) loop_.post(sweep_);
}

LocalFile* LocalFiles::find(std::uint32_t settings_id, std::string_view path) {
  if (settings_id >= tables_.size()) return nullptr;
  Table& table = tables_[settings_id];
  const auto found = table.find(path);
  if (found == table.end()) return nullptr;
  LocalFile& file = *found->second;
  if (!file.entry->dead.load(std::memory_order_relaxed)) return &file;
  unlist(table, file);
  return nullptr;
}

LocalFile* LocalFiles::adopt(FileEntry* entry) {
  if (entry->settings_id >= tables_.size()) tables_.resize(entry->settings_id + 1);
  Table& table = tables_[entry->settings_id];
  if (const auto found = table.find(entry->key); found != table.end()) unlist(table, *found->second);
  if (table.size() >= kEntriesMax) make_room(table);
  auto made = std::make_unique<LocalFile>();
  made->entry = entry;
  made->pins = 1;
  // An entry that the store does not hold (no budget) serves one response only.
  made->listed = entry->charged_bytes > 0 && !entry->dead.load(std::memory_order_relaxed);
  LocalFile* file = made.release();
  if (file->listed) table.emplace(entry->key, file);
  return file;
}

void LocalFiles::retire(LocalFile& file) {
  store_.retire(*file.entry);
  if (file.listed) unlist(tables_[file.entry->settings_id], file);
}

void LocalFiles::sweep_dead() {
  for (Table& table : tables_) {
    for (auto at = table.begin(); at != table.end();) {
      LocalFile& file = *(at++)->second;
      if (file.entry->dead.load(std::memory_order_relaxed)) unlist(table, file);
    }
  }
}

void LocalFiles::make_room(Table& table) {
  const std::int64_t oldest_ms = loop_.now_ms() - kUnusedMs;
  for (auto at = table.begin(); at != table.end();) {
    LocalFile& file = *(at++)->second;
    if (file.entry->checked_ms.load(std::memory_order_relaxed) < oldest_ms) unlist(table, file);
  }
  while (table.size() >= kEntriesMax) unlist(table, *table.begin()->second);
}

void LocalFiles::unlist(Table& table, LocalFile& file) {
  table.erase(file.entry->key);
  file.listed = false;
  let_go(&file);
}

void LocalFiles::let_go(LocalFile* file) {
  if (file->listed || file->pins > 0) return;
  const std::unique_ptr<LocalFile> owned(file);
  owned->entry->unref();
}

}  // namespace tidegate::handlers
