// How much memory this process occupies: proc_pid_statm(5).
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "platform/posix/small_file.h"
#include "sys/process.h"

namespace tidegate::sys {

std::uint64_t resident_memory_bytes() {
  const std::string content = platform::read_text("/proc/self/statm").value_or("");
  const std::size_t space = content.find(' ');  // the first number is the address space, the second what is resident
  if (space == std::string::npos) return 0;
  std::uint64_t pages = 0;
  const char* end = content.data() + content.size();
  if (std::from_chars(content.data() + space + 1, end, pages).ec != std::errc{}) return 0;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tidegate::sys
