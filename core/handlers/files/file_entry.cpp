#include "handlers/files/file_entry.h"

#include <algorithm>
#include <utility>

#include "handlers/files/file_store.h"

namespace tidegate::handlers {

FileEntry::FileEntry(FileStore& owner, std::uint32_t id, std::string path)
    : store(owner), settings_id(id), key(std::move(path)) {}

FileEntry::~FileEntry() {
  for (const Representation& one : representations) {
    if (one.file != sys::kNoFile) sys::close_file(one.file);
  }
  if (charged_bytes > 0) store.give_back(charged_bytes);
}

void FileEntry::unref() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) std::unique_ptr<FileEntry>{this};
}

bool FileEntry::has_sidecars() const {
  return std::any_of(representations.begin() + 1, representations.end(),
                     [](const Representation& one) { return one.present; });
}

bool FileEntry::same_version(const FileEntry& other) const {
  return file_path == other.file_path &&
         std::equal(representations.begin(), representations.end(), other.representations.begin(),
                    [](const Representation& a, const Representation& b) {
                      return a.present == b.present && (!a.present || a.stat == b.stat);
                    });
}

}  // namespace tidegate::handlers
