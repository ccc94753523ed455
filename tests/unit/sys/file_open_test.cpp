// Look-ups below a root: what is found, what is refused, under each links policy and by every way.
#include <sys/fsuid.h>

#include <string>
#include <vector>

#include "unit/sys/ways.h"

namespace tidegate {
namespace {

using sys::FileKind;
using sys::Links;
using sys::Wait;
using test::every_way;
using test::OwnedFile;
using test::root_at;
using test::TempDir;
using test::Way;
using test::write_file;

constexpr auto kPolicies = {Links::kInsideRoot, Links::kNever, Links::kAnywhere};

// site/ is the root; outside/ lies beside it.
struct Tree {
  TempDir dir;
  Tree() {
    test::make_directory(dir / "outside");
    write_file(dir / "outside/secret", "secret");
    test::make_directory(dir / "site");
    test::make_directory(dir / "site/sub");
    write_file(dir / "site/index.html", "index");
    write_file(dir / "site/sub/page", "page");
  }
  [[nodiscard]] OwnedFile root() const { return root_at(dir / "site"); }
  void link(const std::string& target, const std::string& name) const { test::link_to(target, dir / ("site/" + name)); }
};

TEST_CASE("plain files and directories are found under every policy") {
  const Tree tree;
  const OwnedFile root = tree.root();
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    for (const Links links : kPolicies) {
      CHECK(way.read(root, "index.html", links) == "index");
      CHECK(way.read(root, "sub/page", links) == "page");
      CHECK(way.read(root, "sub//./page", links) == "page");
      CHECK(way.read(root, "sub/none", links) == "not found");
      CHECK(way.read(root, "none/page", links) == "not found");
      CHECK(way.read(root, "index.html/page", links) == "not found");
      CHECK(way.read(root, "index.html/", links) == "not found");
      for (const char* directory : {".", "sub", "sub/", "./sub/."}) {
        CAPTURE(directory);
        const auto opened = way.open(root, directory, links);
        REQUIRE(opened.has_value());
        const OwnedFile owned(opened->file);
        CHECK(opened->stat.kind == FileKind::kDirectory);
        CHECK(opened->file != sys::kNoFile);
      }
    }
  }
}

TEST_CASE("an opened directory is a root itself") {
  const Tree tree;
  const OwnedFile root = tree.root();
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    const auto opened = way.open(root, "sub", Links::kInsideRoot);
    REQUIRE(opened.has_value());
    const OwnedFile sub(opened->file);
    CHECK(way.read(sub, "page", Links::kInsideRoot) == "page");
    CHECK(way.read(sub, "../index.html", Links::kInsideRoot) == "not found");
  }
}

TEST_CASE("paths that climb, begin at the top or are empty are not found under any policy") {
  const Tree tree;
  const OwnedFile root = tree.root();
  const std::string absolute = tree.dir / "site/index.html";
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    for (const Links links : kPolicies) {
      for (const std::string& path : std::vector<std::string>{
               "", "/", "..", "../", "../outside/secret", "../site/index.html", "sub/../index.html", "sub/..",
               "sub/../../outside/secret", "./../outside/secret", "//etc/passwd", absolute}) {
        CAPTURE(path);
        CHECK(way.read(root, path, links) == "not found");
        CHECK(way.stat(root, path, links).error().code == base::Code::kNotFound);
      }
    }
  }
}

TEST_CASE("names that only look like climbing are names") {
  const Tree tree;
  const OwnedFile root = tree.root();
  for (const std::string name : {"...", "..a", "a..", "sub/...."}) write_file(tree.dir / ("site/" + name), name);
  for (const Way& way : every_way()) {
    for (const std::string name : {"...", "..a", "a..", "sub/...."}) {
      CAPTURE(way.name);
      CAPTURE(name);
      CHECK(way.read(root, name, Links::kInsideRoot) == name);
    }
  }
}

TEST_CASE("links inside the root are followed, also absolute ones and through ..") {
  const Tree tree;
  const OwnedFile root = tree.root();
  tree.link("sub/page", "relative");
  tree.link("../index.html", "sub/up");
  tree.link(tree.dir / "site/sub/page", "absolute");
  tree.link(tree.dir / "site/sub", "absolute-directory");
  tree.link("../site/sub/page", "out-and-in");
  tree.link("relative", "second");
  tree.link("sub/../sub/../index.html", "zigzag");
  tree.link("absolute", "to-absolute");
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    for (const Links links : {Links::kInsideRoot, Links::kAnywhere}) {
      CHECK(way.read(root, "relative", links) == "page");
      CHECK(way.read(root, "sub/up", links) == "index");
      CHECK(way.read(root, "absolute", links) == "page");
      CHECK(way.read(root, "absolute-directory/page", links) == "page");
      CHECK(way.read(root, "out-and-in", links) == "page");
      CHECK(way.read(root, "second", links) == "page");
      CHECK(way.read(root, "zigzag", links) == "index");
      CHECK(way.read(root, "to-absolute", links) == "page");
    }
    for (const char* name : {"relative", "sub/up", "absolute", "absolute-directory/page", "out-and-in", "zigzag"}) {
      CAPTURE(name);
      CHECK(way.read(root, name, Links::kNever) == "not found");
      CHECK(way.stat(root, name, Links::kNever).error().code == base::Code::kNotFound);
    }
  }
}

TEST_CASE("links to the outside are not found unless they may lead anywhere") {
  const Tree tree;
  const OwnedFile root = tree.root();
  tree.link(tree.dir / "outside/secret", "absolute");
  tree.link("../outside/secret", "relative");
  tree.link("../outside", "directory");
  tree.link(tree.dir / "outside", "absolute-directory");
  tree.link("relative", "second");
  // The name of the outside begins like the root's.
  test::make_directory(tree.dir / "site-two");
  write_file(tree.dir / "site-two/secret", "secret");
  tree.link(tree.dir / "site-two/secret", "same-beginning");
  // Inside again, but out of it behind that.
  tree.link(tree.dir / "site/sub/back-out", "in-then-out");
  tree.link("../../outside/secret", "sub/back-out");
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    for (const char* name : {"absolute", "relative", "directory/secret", "absolute-directory/secret", "second",
                             "same-beginning", "in-then-out", "sub/back-out"}) {
      CAPTURE(name);
      CHECK(way.read(root, name, Links::kInsideRoot) == "not found");
      CHECK(way.stat(root, name, Links::kInsideRoot).error().code == base::Code::kNotFound);
      CHECK(way.read(root, name, Links::kNever) == "not found");
      CHECK(way.read(root, name, Links::kAnywhere) == "secret");
    }
    CHECK(way.read(root, "directory", Links::kInsideRoot) == "not found");
  }
}

TEST_CASE("links that lead nowhere or in circles are not found") {
  const Tree tree;
  const OwnedFile root = tree.root();
  tree.link("nothing", "dangling");
  tree.link("self", "self");
  tree.link("two", "one");
  tree.link("one", "two");
  tree.link("one/page", "through-a-circle");
  tree.link("index.html/page", "through-a-file");
  for (const Way& way : every_way()) {
    for (const Links links : kPolicies) {
      for (const char* name : {"dangling", "self", "one", "through-a-circle", "self/page", "through-a-file"}) {
        CAPTURE(way.name);
        CAPTURE(name);
        CHECK(way.read(root, name, links) == "not found");
      }
    }
  }
}

TEST_CASE("40 links in a row are followed, 41 are not") {
  const Tree tree;
  const OwnedFile root = tree.root();
  tree.link("index.html", "link1");
  for (int i = 2; i <= 41; ++i) tree.link("link" + std::to_string(i - 1), "link" + std::to_string(i));
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    CHECK(way.read(root, "link40", Links::kInsideRoot) == "index");
    CHECK(way.read(root, "link41", Links::kInsideRoot) == "not found");
  }
}

TEST_CASE("a root that is the top of the file system has everything inside") {
  const Tree tree;
  const OwnedFile top = root_at("/");
  tree.link(tree.dir / "outside/secret", "absolute");
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    CHECK(way.read(top, (tree.dir / "site/absolute").substr(1), Links::kInsideRoot) == "secret");
  }
}

TEST_CASE("a root is opened through a link, and only if it is a directory") {
  const Tree tree;
  test::link_to("site", tree.dir / "current");
  tree.link(tree.dir / "site/sub/page", "absolute");
  const OwnedFile root = root_at(tree.dir / "current");
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    CHECK(way.read(root, "absolute", Links::kInsideRoot) == "page");
  }
  CHECK(sys::open_root(tree.dir / "none").error().code == base::Code::kNotFound);
  CHECK(sys::open_root(tree.dir / "site/index.html").error().code == base::Code::kNotFound);
}

TEST_CASE("odd names are opened as they are") {
  const Tree tree;
  const OwnedFile root = tree.root();
  const std::vector<std::string> names{" ",
                                       "a b",
                                       "line\nend",
                                       "tab\t",
                                       "quote\"'",
                                       "per%20cent",
                                       "\xc3\xa9t\xc3\xa9",
                                       "\xff\xfe\x80",
                                       "back\\slash",
                                       "*?[",
                                       "-rf",
                                       std::string(255, 'n')};
  for (const std::string& name : names) write_file(tree.dir / ("site/sub/" + name), name);
  for (const Way& way : every_way()) {
    for (const std::string& name : names) {
      CAPTURE(way.name);
      CAPTURE(name);
      CHECK(way.read(root, "sub/" + name, Links::kInsideRoot) == name);
    }
    CHECK(way.read(root, std::string(256, 'n'), Links::kInsideRoot) == "not found");
    CHECK(way.read(root, std::string(5000, 'n'), Links::kInsideRoot) == "not found");
  }
}

TEST_CASE("a stat tells kind, size, identity and version") {
  const Tree tree;
  const OwnedFile root = tree.root();
  write_file(tree.dir / "site/empty", "");
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    CHECK(way.read(root, "empty", Links::kInsideRoot).empty());
    const auto before = way.stat(root, "index.html", Links::kInsideRoot);
    REQUIRE(before.has_value());
    CHECK(before->kind == FileKind::kRegular);
    CHECK(before->size == 5);
    CHECK(before->modified_ns > 1'600'000'000'000'000'000);
    CHECK(before->changed_ns >= before->modified_ns);
    const auto opened = way.open(root, "index.html", Links::kInsideRoot);
    REQUIRE(opened.has_value());
    const OwnedFile file(opened->file);
    CHECK(opened->stat == *before);
    CHECK(sys::stat_of(file.get()) == *before);
    CHECK(*way.stat(root, "sub/page", Links::kInsideRoot) != *before);
  }
}

TEST_CASE("a file that appears is found and one that vanishes is not, but stays readable where it is open") {
  const Tree tree;
  const OwnedFile root = tree.root();
  for (const Way& way : every_way()) {
    CAPTURE(way.name);
    CHECK(way.read(root, "late", Links::kInsideRoot) == "not found");
    write_file(tree.dir / "site/late", "here");
    const auto opened = way.open(root, "late", Links::kInsideRoot);
    REQUIRE(opened.has_value());
    const OwnedFile file(opened->file);
    REQUIRE(::unlink((tree.dir / "site/late").c_str()) == 0);
    CHECK(test::content_of(file.get()) == "here");
    CHECK(way.read(root, "late", Links::kInsideRoot) == "not found");
  }
}

// Takes root's rights on files from this thread for a while.
class WithoutRights {
 public:
  WithoutRights() { ::setfsuid(65534); }
  WithoutRights(const WithoutRights&) = delete;
  WithoutRights& operator=(const WithoutRights&) = delete;
  ~WithoutRights() { ::setfsuid(::geteuid()); }
};

TEST_CASE("what may not be read is denied; a directory that may only be entered is still a root") {
  const Tree tree;
  const OwnedFile root = tree.root();
  REQUIRE(::chmod(tree.dir.path().c_str(), 0711) == 0);
  write_file(tree.dir / "site/private", "private");
  REQUIRE(::chmod((tree.dir / "site/private").c_str(), 0000) == 0);
  test::make_directory(tree.dir / "site/closed");
  write_file(tree.dir / "site/closed/page", "page");
  REQUIRE(::chmod((tree.dir / "site/sub").c_str(), 0311) == 0);
  REQUIRE(::chmod((tree.dir / "site/closed").c_str(), 0000) == 0);
  {
    const WithoutRights guard;
    for (const Way& way : every_way()) {
      CAPTURE(way.name);
      CHECK(way.read(root, "private", Links::kInsideRoot) == "permission denied");
      CHECK(way.stat(root, "private", Links::kInsideRoot).has_value());
      CHECK(way.read(root, "closed/page", Links::kInsideRoot) == "permission denied");
      const auto sub = way.open(root, "sub", Links::kInsideRoot);
      REQUIRE(sub.has_value());
      const OwnedFile owned(sub->file);
      CHECK(way.read(owned, "page", Links::kInsideRoot) == "page");
      CHECK(sys::list_directory(owned.get(), Links::kInsideRoot, 10).error().code == base::Code::kDenied);
    }
  }
  REQUIRE(::chmod((tree.dir / "site/closed").c_str(), 0755) == 0);
  REQUIRE(::chmod((tree.dir / "site/sub").c_str(), 0755) == 0);
}

}  // namespace
}  // namespace tidegate
