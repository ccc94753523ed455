// CPUs, quotas, names of threads and the limit of descriptors.
#include "sys/thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <array>
#include <filesystem>
#include <string>
#include <thread>

#include "platform/linux/cgroup.h"
#include "unit/sys/temp_dir.h"

namespace tidegate {
namespace {

using test::TempDir;

TEST_CASE("there is at least one CPU and not more than the machine has") {
  CHECK(sys::cpu_count() >= 1);
  CHECK(sys::cpu_count() <= std::max(1U, static_cast<unsigned>(::sysconf(_SC_NPROCESSORS_CONF))));
}

TEST_CASE("a pinned thread runs on that CPU, and the count stays") {
  const unsigned before = sys::cpu_count();
  cpu_set_t process;
  REQUIRE(::sched_getaffinity(0, sizeof process, &process) == 0);
  const int usable = CPU_COUNT(&process);
  std::thread([&] {
    for (unsigned nth = 0; nth < static_cast<unsigned>(usable); ++nth) {
      CHECK(!sys::pin_this_thread(nth));
      cpu_set_t pinned;
      CHECK(::sched_getaffinity(0, sizeof pinned, &pinned) == 0);
      CHECK(CPU_COUNT(&pinned) == 1);
      CHECK(CPU_ISSET(static_cast<unsigned>(::sched_getcpu()), &pinned));
    }
    CHECK(sys::pin_this_thread(static_cast<unsigned>(usable)).code == base::Code::kInvalid);
    CHECK(sys::cpu_count() == before);
  }).join();
}

TEST_CASE("a thread's name is cut to 15 bytes") {
  std::thread([] {
    std::array<char, 32> name{};
    sys::name_this_thread("worker-0");
    CHECK(::pthread_getname_np(::pthread_self(), name.data(), name.size()) == 0);
    CHECK(std::string(name.data()) == "worker-0");
    sys::name_this_thread("a name of more than 15 bytes");
    CHECK(::pthread_getname_np(::pthread_self(), name.data(), name.size()) == 0);
    CHECK(std::string(name.data()) == "a name of more ");
  }).join();
}

TEST_CASE("the limit of descriptors is raised to what is allowed") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit low{.rlim_cur = 64, .rlim_max = before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
  CHECK(sys::raise_descriptor_limit() == before.rlim_max);
  rlimit after{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &after) == 0);
  CHECK(after.rlim_cur == before.rlim_max);
  CHECK(sys::raise_descriptor_limit() == before.rlim_max);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
}

// A copy of those files of a system that tell about control groups.
struct FakeSystem {
  TempDir dir;
  FakeSystem(const std::string& mountinfo, const std::string& cgroup) {
    write("proc/self/mountinfo", mountinfo);
    write("proc/self/cgroup", cgroup);
  }
  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(dir / path).parent_path());
    test::write_file(dir / path, content);
  }
  [[nodiscard]] std::optional<double> quota() const { return platform::cpu_quota(dir.path()); }
};

const std::string kMounts2 =
    "24 1 0:22 / /proc rw,nosuid shared:13 - proc proc rw\n"
    "35 24 0:30 / /sys/fs/cgroup rw,nosuid,nodev shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST_CASE("control groups, version 2: the tightest quota on the way up counts") {
  const FakeSystem system(kMounts2, "0::/system.slice/tidegate.service\n");
  CHECK(!system.quota());
  system.write("sys/fs/cgroup/system.slice/tidegate.service/cpu.max", "max 100000\n");
  CHECK(!system.quota());
  system.write("sys/fs/cgroup/system.slice/tidegate.service/cpu.max", "150000 100000\n");
  CHECK(system.quota() == 1.5);
  system.write("sys/fs/cgroup/system.slice/cpu.max", "50000 100000\n");
  CHECK(system.quota() == 0.5);
  system.write("sys/fs/cgroup/system.slice/cpu.max", "800000 100000\n");
  CHECK(system.quota() == 1.5);
  for (const char* nonsense : {"", "\n", "150000", "x 100000", "100000 0", "-1 100000", "1 2 3"}) {
    system.write("sys/fs/cgroup/system.slice/tidegate.service/cpu.max", nonsense);
    CHECK(system.quota() == 8.0);
  }
}

TEST_CASE("control groups in a container that sees its own group as the top") {
  const FakeSystem system(kMounts2, "0::/\n");
  system.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  CHECK(system.quota() == 2.0);
}

TEST_CASE("control groups, version 1, named as the host sees them") {
  const FakeSystem system(
      "30 1 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
      "31 30 0:28 /docker/abc /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
      "32 30 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
      "5:cpuset:/docker/abc\n4:cpu,cpuacct:/docker/abc/inner\n0::/docker/abc\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  CHECK(!system.quota());
  system.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
  CHECK(system.quota() == 3.0);
  system.write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "25000\n");
  system.write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "50000\n");
  CHECK(system.quota() == 0.5);
}

TEST_CASE("no control groups, no quota") {
  const TempDir empty;
  CHECK(!platform::cpu_quota(empty.path()));
  const FakeSystem strange("garbage\n\n - \n1 2 3 - cgroup2\n", ":::\nx\n0::relative\n");
  CHECK(!strange.quota());
}

}  // namespace
}  // namespace tidegate
