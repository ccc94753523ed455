// Pipes, sockets and devices are never opened and never hold a look-up; leases do not hold a worker; file systems
// without openat2 in the kernel are served by the walk.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include "unit/sys/child_process.h"
#include "unit/sys/ways.h"

namespace tidegate {
namespace {

using sys::FileKind;
using sys::Links;
using sys::Wait;
using test::OwnedFile;
using test::TempDir;
using test::Way;

void check_never_opened(const Way& way, const OwnedFile& root, const std::string& name, Links links) {
  CAPTURE(way.name);
  CAPTURE(name);
  const auto opened = way.open(root, name, links);
  REQUIRE(opened.has_value());
  CHECK(opened->file == sys::kNoFile);
  CHECK(opened->stat.kind == FileKind::kOther);
  CHECK(way.stat(root, name, links)->kind == FileKind::kOther);
}

TEST_CASE("a pipe is not opened: nobody joins it") {
  const TempDir dir;
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0666) == 0);
  test::link_to("pipe", dir / "link");
  const OwnedFile root = test::root_at(dir.path());
  for (const Way& way : test::every_way()) {
    check_never_opened(way, root, "pipe", Links::kInsideRoot);
    check_never_opened(way, root, "link", Links::kInsideRoot);
    // A writer that will not wait is told that there is no reader.
    const platform::Descriptor writer(::open((dir / "pipe").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    CHECK(!writer.valid());
    CHECK(errno == ENXIO);
  }
}

TEST_CASE("a unix socket's file is not opened") {
  const TempDir dir;
  const platform::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = dir / "socket";
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size());
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const OwnedFile root = test::root_at(dir.path());
  for (const Way& way : test::every_way()) check_never_opened(way, root, "socket", Links::kInsideRoot);
}

TEST_CASE("a device is not opened") {
  const TempDir dir;
  const OwnedFile root = test::root_at(dir.path());
  test::link_to("/dev/zero", dir / "zero");
  test::link_to("/dev/tty", dir / "terminal");
  for (const Way& way : test::every_way()) {
    check_never_opened(way, root, "zero", Links::kAnywhere);
    check_never_opened(way, root, "terminal", Links::kAnywhere);
    CHECK(way.open(root, "zero", Links::kInsideRoot).error().code == base::Code::kNotFound);
  }
  if (::mknod((dir / "device").c_str(), S_IFCHR | 0666, ::makedev(1, 5)) != 0) {
    MESSAGE("devices cannot be made here; only links to them were tried");
    return;
  }
  for (const Way& way : test::every_way()) check_never_opened(way, root, "device", Links::kInsideRoot);
}

TEST_CASE("magic links of /proc are not followed") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  const platform::Descriptor file(::open((dir / "file").c_str(), O_RDONLY | O_CLOEXEC));
  const OwnedFile own = test::root_at("/proc/self/fd");
  for (const Way& way : test::every_way()) {
    CAPTURE(way.name);
    CHECK(way.open(own, std::to_string(file.get()), Links::kInsideRoot).error().code == base::Code::kNotFound);
  }
}

TEST_CASE("a name that was never looked up would block, one in memory is opened without waiting") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  const OwnedFile root = test::root_at(dir.path());
  CHECK(sys::open_beneath(root.get(), "never-asked-for", Links::kInsideRoot, Wait::kCachedOnly).error().code ==
        base::Code::kWouldBlock);
  CHECK(sys::stat_beneath(root.get(), "nor-this", Links::kInsideRoot, Wait::kCachedOnly).error().code ==
        base::Code::kWouldBlock);
  CHECK(sys::open_beneath(root.get(), "never-asked-for", Links::kInsideRoot, Wait::kMayBlock).error().code ==
        base::Code::kNotFound);
  const auto opened = sys::open_beneath(root.get(), "file", Links::kInsideRoot, Wait::kCachedOnly);
  if (platform::probe_openat2() != platform::Openat2Support::kFull) {
    MESSAGE("this kernel has no RESOLVE_CACHED");
    CHECK(opened.error().code == base::Code::kWouldBlock);
    return;
  }
  REQUIRE(opened.has_value());
  const OwnedFile file(opened->file);
  CHECK(test::content_of(file.get()) == "content");
  const int flags = ::fcntl(file.number(), F_GETFL);
  CHECK((flags & O_NONBLOCK) == 0);
  CHECK((flags & O_ACCMODE) == O_RDONLY);
  CHECK((::fcntl(file.number(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(sys::stat_beneath(root.get(), "file", Links::kInsideRoot, Wait::kCachedOnly) == opened->stat);
}

TEST_CASE("ways that cannot promise not to wait say that they would block") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  const OwnedFile root = test::root_at(dir.path());
  for (const Way& way : test::every_way()) {
    if (way.open_below == &platform::open_below_by_openat2) continue;
    CAPTURE(way.name);
    CHECK(way.open(root, "file", Links::kInsideRoot, Wait::kCachedOnly).error().code == base::Code::kWouldBlock);
    CHECK(way.stat(root, "file", Links::kInsideRoot, Wait::kCachedOnly).error().code == base::Code::kWouldBlock);
  }
}

TEST_CASE("a lease of somebody else does not hold a worker") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  const OwnedFile root = test::root_at(dir.path());
  struct sigaction ignore{};
  struct sigaction before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGIO, &ignore, &before);  // how the kernel asks the holder to give the lease up
  const platform::Descriptor holder(::open((dir / "file").c_str(), O_RDWR | O_CLOEXEC));
  if (::fcntl(holder.get(), F_SETLEASE, F_WRLCK) != 0) {
    MESSAGE("this file system has no leases");
  } else if (platform::probe_openat2() == platform::Openat2Support::kFull) {
    const auto opened = sys::open_beneath(root.get(), "file", Links::kInsideRoot, Wait::kCachedOnly);
    CHECK(opened.error().code == base::Code::kWouldBlock);
    CHECK(::fcntl(holder.get(), F_SETLEASE, F_UNLCK) == 0);
    const auto later = sys::open_beneath(root.get(), "file", Links::kInsideRoot, Wait::kCachedOnly);
    REQUIRE(later.has_value());
    sys::close_file(later->file);
  }
  ::sigaction(SIGIO, &before, nullptr);
}

// What a sandbox of a container does that does not know the call.
bool forbid_openat2() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = 4, .filter = rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TIDEGATE_CHILD_CASE("child: openat2 is forbidden") {
  REQUIRE(platform::probe_openat2() == platform::Openat2Support::kMissing);
  const bool walks = platform::best_open_below() == &platform::open_below_by_walk;
  CHECK(walks);
  const TempDir dir;
  test::make_directory(dir / "site");
  test::write_file(dir / "outside", "outside");
  test::write_file(dir / "site/file", "content");
  test::link_to(dir / "site/file", dir / "site/inside");
  test::link_to("../outside", dir / "site/out");
  const OwnedFile root = test::root_at(dir / "site");
  for (const char* name : {"file", "inside"}) {
    const auto opened = sys::open_beneath(root.get(), name, Links::kInsideRoot, Wait::kMayBlock);
    REQUIRE(opened.has_value());
    const OwnedFile file(opened->file);
    CHECK(test::content_of(file.get()) == "content");
  }
  CHECK(sys::open_beneath(root.get(), "out", Links::kInsideRoot, Wait::kMayBlock).error().code ==
        base::Code::kNotFound);
  CHECK(sys::open_beneath(root.get(), "file", Links::kInsideRoot, Wait::kCachedOnly).error().code ==
        base::Code::kWouldBlock);
}

TEST_CASE("where openat2 is forbidden the walk serves") {
  CHECK(test::run_in_child("child: openat2 is forbidden", [] { return forbid_openat2(); }) == 0);
}

// In a mount name space of its own this process sees an empty /proc.
bool hide_proc() {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
}

TIDEGATE_CHILD_CASE("child: there is no /proc") {
  const TempDir dir;
  test::write_file(dir / "file", "content");
  test::link_to(dir / "file", dir / "absolute");
  const OwnedFile root = test::root_at(dir.path());
  if (!hide_proc()) {
    MESSAGE("/proc cannot be hidden here");
    return;
  }
  REQUIRE(::access("/proc/self", F_OK) != 0);
  for (const Wait wait : {Wait::kMayBlock, Wait::kCachedOnly}) {
    const auto opened = sys::open_beneath(root.get(), "file", Links::kInsideRoot, wait);
    if (!opened && platform::probe_openat2() != platform::Openat2Support::kFull) continue;
    REQUIRE(opened.has_value());
    const OwnedFile file(opened->file);
    CHECK(test::content_of(file.get()) == "content");
    CHECK((::fcntl(file.number(), F_GETFL) & O_NONBLOCK) == 0);
  }
  // Where it really leads cannot be known, so it leads nowhere.
  CHECK(sys::open_beneath(root.get(), "absolute", Links::kInsideRoot, Wait::kMayBlock).error().code ==
        base::Code::kNotFound);
}

TEST_CASE("without /proc files are opened by name") {
  CHECK(test::run_in_child("child: there is no /proc", [] { return true; }) == 0);
}

}  // namespace
}  // namespace tidegate
