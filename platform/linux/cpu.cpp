// Which CPUs this process may use: the affinity mask (sched_setaffinity(2)) and the quota of its control groups.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <vector>

#include "platform/linux/cgroup.h"
#include "platform/posix/errno.h"
#include "sys/thread.h"

namespace tidegate::sys {

namespace {

constexpr unsigned kCpusMax = 1U << 16U;  // more than any kernel is built for

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeSet>;

// The numbers of the CPUs in the mask of the process's first thread. The kernel refuses a set that is smaller than its
// own, whose size it does not tell.
std::vector<unsigned> read_affinity() {
  for (unsigned room = 1024; room <= kCpusMax; room *= 2) {
    const CpuSet set(CPU_ALLOC(room));
    const std::size_t size = CPU_ALLOC_SIZE(room);
    if (set == nullptr) return {};
    if (::sched_getaffinity(::getpid(), size, set.get()) != 0) {
      if (errno == EINVAL) continue;
      return {};
    }
    std::vector<unsigned> cpus;
    for (unsigned cpu = 0; cpu < room; ++cpu) {
      if (CPU_ISSET_S(cpu, size, set.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {};
}

// As it was at the first call: threads that were pinned since must not narrow the answer.
const std::vector<unsigned>& usable_cpus() {
  static const std::vector<unsigned> cpus = read_affinity();
  return cpus;
}

}  // namespace

unsigned cpu_count() {
  const auto allowed = std::max<std::size_t>(usable_cpus().size(), 1);
  const auto quota = platform::cpu_quota("");
  if (!quota || *quota >= static_cast<double>(allowed)) return static_cast<unsigned>(allowed);
  return std::max(1U, static_cast<unsigned>(std::ceil(*quota)));
}

base::Error pin_this_thread(unsigned nth_cpu) {
  const auto& cpus = usable_cpus();
  if (nth_cpu >= cpus.size()) return platform::sys_error(base::Code::kInvalid);
  const unsigned cpu = cpus[nth_cpu];
  const CpuSet set(CPU_ALLOC(cpu + 1));
  const std::size_t size = CPU_ALLOC_SIZE(cpu + 1);
  if (set == nullptr) return platform::sys_error(base::Code::kNoMemory);
  CPU_ZERO_S(size, set.get());
  CPU_SET_S(cpu, size, set.get());
  if (::sched_setaffinity(0, size, set.get()) != 0) return platform::last_error();
  return {};
}

}  // namespace tidegate::sys
