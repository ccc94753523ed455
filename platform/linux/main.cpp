// The binary on Linux: the one place where core and platform are both visible.
#include <utility>

#include "cli/cli.h"
#include "platform/linux/poller_choice.h"

namespace {

std::expected<tidegate::io::MadePoller, std::string> make_poller(std::string_view wanted, tidegate::io::BlockingPool& blocking,
                                                                 std::uint16_t buffer_count, std::uint32_t buffer_size) {
  auto made = tidegate::platform::make_driver(wanted, blocking, {buffer_count, buffer_size});
  if (!made) return std::unexpected(made.error());
  return tidegate::io::MadePoller{std::move(made->driver), std::move(made->choice.reason)};
}

}  // namespace

int main(int argc, char** argv) { return tidegate::cli::run(argc, argv, make_poller); }
