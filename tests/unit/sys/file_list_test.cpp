// Listing directories: names as they are, stats by the links policy, limits.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using sys::FileKind;
using sys::FileStat;
using sys::Links;
using test::OwnedFile;
using test::TempDir;

std::map<std::string, FileStat> list(const OwnedFile& directory, Links links, std::size_t entries_max = 1000) {
  const auto entries = sys::list_directory(directory.get(), links, entries_max);
  REQUIRE(entries.has_value());
  std::map<std::string, FileStat> named;
  for (const auto& entry : *entries) named.emplace(entry.name, entry.stat);
  CHECK(named.size() == entries->size());
  return named;
}

TEST_CASE("an empty directory has no entries") {
  const TempDir dir;
  CHECK(list(test::root_at(dir.path()), Links::kInsideRoot).empty());
}

TEST_CASE("names come as they are, with their stats") {
  const TempDir dir;
  const std::vector<std::string> names{
      ".hidden", "...", " a b ", "line\nend", "\xc3\xa9", "\xff\xfe", std::string(255, 'x')};
  for (const std::string& name : names) test::write_file(dir / name, name);
  test::make_directory(dir / "directory");
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0666) == 0);
  const auto entries = list(test::root_at(dir.path()), Links::kInsideRoot);
  CHECK(entries.size() == names.size() + 2);
  for (const std::string& name : names) {
    CAPTURE(name);
    REQUIRE(entries.contains(name));
    CHECK(entries.at(name).kind == FileKind::kRegular);
    CHECK(entries.at(name).size == name.size());
  }
  CHECK(entries.at("directory").kind == FileKind::kDirectory);
  CHECK(entries.at("pipe").kind == FileKind::kOther);
}

TEST_CASE("links are described by what they lead to, if they may be followed") {
  const TempDir dir;
  test::write_file(dir / "outside", "outside");
  test::make_directory(dir / "site");
  test::write_file(dir / "site/file", "content");
  test::make_directory(dir / "site/directory");
  test::link_to("file", dir / "site/to-file");
  test::link_to(dir / "site/directory", dir / "site/to-directory");
  test::link_to("../outside", dir / "site/to-outside");
  test::link_to("nothing", dir / "site/dangling");
  const OwnedFile site = test::root_at(dir / "site");
  const auto inside = list(site, Links::kInsideRoot);
  CHECK(inside.size() == 6);
  CHECK(inside.at("to-file") == inside.at("file"));
  CHECK(inside.at("to-directory").kind == FileKind::kDirectory);
  CHECK(inside.at("to-outside") == FileStat{});
  CHECK(inside.at("dangling") == FileStat{});
  const auto never = list(site, Links::kNever);
  CHECK(never.at("file").kind == FileKind::kRegular);
  for (const char* name : {"to-file", "to-directory", "to-outside", "dangling"}) CHECK(never.at(name) == FileStat{});
  const auto anywhere = list(site, Links::kAnywhere);
  CHECK(anywhere.at("to-outside").size == 7);
  CHECK(anywhere.at("dangling") == FileStat{});
}

TEST_CASE("n entries are within a limit of n, n + 1 are not") {
  const TempDir dir;
  const OwnedFile directory = test::root_at(dir.path());
  for (int i = 0; i < 10; ++i) test::write_file(dir / std::to_string(i), "");
  CHECK(list(directory, Links::kInsideRoot, 10).size() == 10);
  test::write_file(dir / "one more", "");
  CHECK(sys::list_directory(directory.get(), Links::kInsideRoot, 10).error().code == base::Code::kTooLarge);
  CHECK(list(directory, Links::kInsideRoot, 11).size() == 11);
}

TEST_CASE("a directory can be listed again and again, and a file not at all") {
  const TempDir dir;
  test::write_file(dir / "file", "");
  const OwnedFile directory = test::root_at(dir.path());
  CHECK(list(directory, Links::kInsideRoot).size() == 1);
  CHECK(list(directory, Links::kInsideRoot).size() == 1);
  const auto opened = sys::open_beneath(directory.get(), "file", Links::kNever, sys::Wait::kMayBlock);
  REQUIRE(opened.has_value());
  const OwnedFile file(opened->file);
  CHECK(sys::list_directory(file.get(), Links::kInsideRoot, 10).error().code == base::Code::kNotFound);
}

TEST_CASE("entries that come and go do no harm") {
  const TempDir dir;
  for (int i = 0; i < 50; ++i) test::write_file(dir / ("stays" + std::to_string(i)), "x");
  const OwnedFile directory = test::root_at(dir.path());
  std::atomic<bool> stopping = false;
  std::thread changes([&] {
    for (int i = 0; !stopping.load(); i = (i + 1) % 50) {
      const std::string path = dir / ("goes" + std::to_string(i));
      const platform::Descriptor made(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
      ::unlink(path.c_str());
    }
  });
  bool all_there = true;
  bool vanished_seen = false;
  for (int round = 0; round < 500; ++round) {
    const auto entries = sys::list_directory(directory.get(), Links::kInsideRoot, 1000);
    std::size_t staying = 0;
    if (entries) {
      for (const auto& entry : *entries) {
        staying += entry.name.starts_with("stays") ? 1U : 0U;
        vanished_seen = vanished_seen || entry.stat.kind != FileKind::kRegular;
      }
    }
    all_there = all_there && staying == 50;
  }
  stopping.store(true);
  changes.join();
  CHECK(all_there);
  CHECK(!vanished_seen);
}

}  // namespace
}  // namespace tidegate
