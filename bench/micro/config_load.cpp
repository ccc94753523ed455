// How long a large configuration takes to load and check: 10,000 sites with three routes each, in one file.
//
// Prints milliseconds of processor time (and wall time in brackets) for every step; nothing is asserted.
// Usage: micro_config_load [sites]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "config/json_form.h"
#include "config/validate.h"

namespace {

using namespace tidegate::config;

std::string make_text(std::size_t sites, const std::string& root) {
  std::string text = "[server]\nworkers = 2\n\n";
  for (std::size_t i = 0; i < sites; ++i) {
    const std::string n = std::to_string(i);
    text += "[[site]]\nname = \"site" + n + "\"\nhosts = [\"h" + n + ".example\", \"*.h" + n + ".example\"]\n";
    text += "listen = [\"http://127.0.0.1:8080\"]\n\n";
    text +=
        "  [[site.route]]\n  path = \"/ping\"\n  respond = { status = 200, body = \"pong\\n\", content_type = \"text/plain\" }\n\n";
    text += "  [[site.route]]\n  path = \"/old/*\"\n  redirect = { to = \"/new/{path.rest}\", status = 308 }\n\n";
    text += "  [[site.route]]\n  path = \"/*\"\n  files = { root = \"" + root +
            "\", index = [\"index.html\"], listing = true }\n\n";
  }
  return text;
}

// Prints what passed since the last call.
class Lap {
 public:
  void print(const char* what) {
    const std::clock_t cpu = std::clock();
    const auto wall = std::chrono::steady_clock::now();
    std::printf("%-14s %6.0f ms  (wall %.0f ms)\n", what, 1000.0 * static_cast<double>(cpu - cpu_) / CLOCKS_PER_SEC,
                std::chrono::duration<double, std::milli>(wall - wall_).count());
    cpu_ = std::clock();
    wall_ = std::chrono::steady_clock::now();
  }

 private:
  std::clock_t cpu_ = std::clock();
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t sites = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000;
  std::string text = make_text(sites, std::filesystem::temp_directory_path().string());
  std::printf("%zu sites, %zu routes, %.1f MB of TOML\n", sites, sites * 3, static_cast<double>(text.size()) / 1e6);
  Lap lap;
  Loaded loaded = load_text(std::move(text), "bench.toml", {});
  lap.print("load");
  validate(loaded);
  lap.print("validate");
  const std::string json = to_json(loaded.config);
  lap.print("to_json");
  const Loaded again = load_json(json, "bench.json", {});
  lap.print("load_json");
  const bool good = loaded.ok() && again.ok() && loaded.config.sites.size() == sites && again.config == loaded.config;
  std::printf("%s\n", good ? "no errors" : "ERRORS");
  return good ? 0 : 1;
}
