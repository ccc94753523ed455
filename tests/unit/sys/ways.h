// Every way of looking up and reopening files, so that each test of files runs all of them on every kernel.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platform/linux/file_open.h"
#include "platform/linux/openat2.h"
#include "unit/sys/temp_dir.h"

namespace tidegate::test {

struct Way {
  std::string name;
  platform::OpenBelow open_below;
  platform::Reopen reopen;

  [[nodiscard]] base::Result<sys::OpenedFile> open(const OwnedFile& root, const std::string& path, sys::Links links,
                                                   sys::Wait wait = sys::Wait::kMayBlock) const {
    return platform::open_file(open_below, reopen, root.number(), path.c_str(), links, wait);
  }
  [[nodiscard]] base::Result<sys::FileStat> stat(const OwnedFile& root, const std::string& path, sys::Links links,
                                                 sys::Wait wait = sys::Wait::kMayBlock) const {
    return platform::stat_file(open_below, root.number(), path.c_str(), links, wait);
  }
  // The file's content, or the name of the error ("not found").
  [[nodiscard]] std::string read(const OwnedFile& root, const std::string& path, sys::Links links) const {
    const auto opened = open(root, path, links);
    if (!opened) return std::string(base::name_of(opened.error().code));
    const OwnedFile file(opened->file);
    if (opened->stat.kind != sys::FileKind::kRegular) return "no regular file";
    return content_of(file.get());
  }
};

// Those that need openat2 are left out where the kernel or a sandbox has none.
[[nodiscard]] inline std::vector<Way> every_way() {
  std::vector<Way> ways{{"walk", &platform::open_below_by_walk, platform::Reopen::kThroughProc},
                        {"walk, by name", &platform::open_below_by_walk, platform::Reopen::kByName}};
  if (platform::probe_openat2() == platform::Openat2Support::kMissing) return ways;
  ways.push_back({"openat2", &platform::open_below_by_openat2, platform::Reopen::kThroughProc});
  ways.push_back({"openat2, by name", &platform::open_below_by_openat2, platform::Reopen::kByName});
  ways.push_back({"old openat2", &platform::open_below_by_old_openat2, platform::Reopen::kThroughProc});
  return ways;
}

}  // namespace tidegate::test
