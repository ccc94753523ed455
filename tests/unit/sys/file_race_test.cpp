// Names that are swapped while they are looked up never lead to a file outside the root.
#include <fcntl.h>
#include <stdio.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "unit/sys/ways.h"

namespace tidegate {
namespace {

using sys::Links;
using test::OwnedFile;
using test::TempDir;
using test::Way;

// By the two ways that serve; the others are variations of them.
constexpr int kOpens = 20'000;
constexpr int kOpensOfVariation = 1'000;

// Exchanges two names again and again on a thread of its own.
class Swapper {
 public:
  Swapper(std::string one, std::string two)
      : one_(std::move(one)), two_(std::move(two)), thread_([this] {
          while (!stopping_.load()) {
            if (::renameat2(AT_FDCWD, one_.c_str(), AT_FDCWD, two_.c_str(), RENAME_EXCHANGE) == 0) ++swaps_;
          }
        }) {}
  Swapper(const Swapper&) = delete;
  Swapper& operator=(const Swapper&) = delete;
  ~Swapper() {
    stopping_.store(true);
    thread_.join();
  }
  [[nodiscard]] int swaps() const { return swaps_.load(); }

 private:
  std::string one_;
  std::string two_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> swaps_ = 0;
  std::thread thread_;
};

struct Seen {
  int opens = 0;
  int inside = 0;
  int refused = 0;
  int outside = 0;
  std::string strange;
};

Seen open_often(const Way& way, const OwnedFile& root, const std::string& path, int opens) {
  Seen seen;
  // On a busy machine the other thread may not have had a turn yet: then some more, until both sides were seen.
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto goes_on = [&] {
    return (seen.inside == 0 || seen.refused == 0) && std::chrono::steady_clock::now() < latest;
  };
  for (; seen.opens < opens || goes_on(); ++seen.opens) {
    const auto opened = way.open(root, path, Links::kInsideRoot);
    if (!opened) {
      if (opened.error().code == base::Code::kNotFound)
        ++seen.refused;
      else
        seen.strange = base::name_of(opened.error().code);
      continue;
    }
    const OwnedFile file(opened->file);
    if (opened->stat.kind != sys::FileKind::kRegular) {
      ++seen.refused;  // the walk saw a link in the instant in which it was none any more
      continue;
    }
    const std::string content = test::content_of(file.get());
    if (content == "inside")
      ++seen.inside;
    else if (content == "outside")
      ++seen.outside;
    else
      seen.strange = "content " + content;
  }
  return seen;
}

// `path` leads inside while site/real is the directory or file it was, and outside while it is the link.
void check_swaps(const TempDir& dir, const std::string& path, bool variation) {
  const OwnedFile root = test::root_at(dir / "site");
  for (const Way& way : test::every_way()) {
    const Swapper swapper(dir / "site/real", dir / "site/bait");
    const bool serves = way.name == "openat2" || way.name == "walk";
    const int opens = serves && !variation ? kOpens : kOpensOfVariation;
    const Seen seen = open_often(way, root, path, opens);
    CAPTURE(way.name);
    CAPTURE(path);
    CHECK(seen.outside == 0);
    CHECK(seen.strange == "");
    CHECK(seen.inside > 0);
    CHECK(seen.refused > 0);
    CHECK(seen.inside + seen.refused == seen.opens);
    CHECK(swapper.swaps() > 0);
  }
}

void check_directory_swaps(const TempDir& dir, const std::string& target) {
  test::make_directory(dir / "outside");
  test::write_file(dir / "outside/file", "outside");
  test::make_directory(dir / "site");
  test::make_directory(dir / "site/real");
  test::write_file(dir / "site/real/file", "inside");
  test::link_to(target, dir / "site/bait");
  check_swaps(dir, "real/file", target[0] == '/');
}

TEST_CASE("a directory swapped with a relative link to the outside") {
  const TempDir dir;
  check_directory_swaps(dir, "../outside");
}

TEST_CASE("a directory swapped with an absolute link to the outside") {
  const TempDir dir;
  check_directory_swaps(dir, dir / "outside");
}

TEST_CASE("a file swapped with a link to the outside, looked up by its name and through links") {
  const TempDir dir;
  test::make_directory(dir / "outside");
  test::write_file(dir / "outside/file", "outside");
  test::make_directory(dir / "site");
  test::make_directory(dir / "site/sub");
  test::write_file(dir / "site/real", "inside");
  test::link_to("../outside/file", dir / "site/bait");
  test::link_to(dir / "site/real", dir / "site/absolute");
  test::link_to("../real", dir / "site/sub/up");
  check_swaps(dir, "real", true);
  check_swaps(dir, "absolute", true);
  check_swaps(dir, "sub/up", true);
}

// Looks up as the walk does, but swaps the names before its third call: the first meets the absolute link, the second
// sees where it really leads, and the third is to open the file there.
const TempDir* swapped_in = nullptr;
int calls = 0;
platform::Opened open_below_and_swap(int root, const char* path, Links links, sys::Wait wait, int flags) {
  if (++calls == 3) {
    const std::string real = *swapped_in / "site/real";
    const std::string bait = *swapped_in / "site/bait";
    REQUIRE(::renameat2(AT_FDCWD, real.c_str(), AT_FDCWD, bait.c_str(), RENAME_EXCHANGE) == 0);
  }
  return platform::open_below_by_walk(root, path, links, wait, flags);
}

TEST_CASE("a link whose real target is swapped between the look at it and its opening") {
  const TempDir dir;
  test::make_directory(dir / "outside");
  test::write_file(dir / "outside/file", "outside");
  test::make_directory(dir / "site");
  test::make_directory(dir / "site/real");
  test::write_file(dir / "site/real/file", "inside");
  test::link_to("../outside", dir / "site/bait");
  test::link_to(dir / "site/real/file", dir / "site/absolute");
  const OwnedFile root = test::root_at(dir / "site");
  swapped_in = &dir;
  const Way way{"walk and swap", &open_below_and_swap, platform::Reopen::kThroughProc};
  calls = 0;
  CHECK(way.read(root, "absolute", Links::kInsideRoot) == "not found");
  CHECK(calls == 3);
  CHECK(way.read(root, "real/file", Links::kAnywhere) == "outside");
  swapped_in = nullptr;
}

}  // namespace
}  // namespace tidegate
