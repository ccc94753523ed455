// fmt: configuration files in their canonical layout.
#include "config/fmt.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs/verbs.h"
#include "config/diagnostic.h"
#include "config/text_diff.h"
#include "server/server.h"

namespace tidegate::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStdin = "-";

std::expected<std::string, Failure> read_text(const std::string& path) {
  if (path == kStdin) return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::error_code failed;
  if (fs::is_directory(path, failed)) return std::unexpected(Failure{server::kUsage, path + " is a directory"});
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.is_open() && !file.bad()) return text;
  const bool missing = !fs::exists(path, failed);
  return std::unexpected(Failure{missing ? server::kFailed : server::kState,
                                 path + (missing ? ": there is no such file" : " cannot be read")});
}

bool write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return !file.fail();
}

// Overwrites the file where it is, so that its owner, mode and links stay. A copy beside it comes first: when the disk is
// full, that is found out before the file is touched, and when the writing is cut, nothing is lost.
std::expected<void, Failure> replace_text(const std::string& path, const std::string& text) {
  const std::string copy = path + ".tidegate-fmt";
  std::error_code failed;
  if (fs::exists(copy, failed))
    return std::unexpected(Failure{server::kState, copy + " is in the way: look at it and remove it"});
  if (!write_text(copy, text)) {
    fs::remove(copy, failed);
    return std::unexpected(Failure{server::kState, path + " cannot be written: no copy can be made beside it"});
  }
  if (!write_text(path, text))
    return std::unexpected(Failure{server::kState, path + " cannot be written; its new text is in " + copy});
  fs::remove(copy, failed);
  return {};
}

class Formatter {
 public:
  explicit Formatter(const Invocation& invocation)
      : output_(invocation.output),
        check_(invocation.arguments.has("check")),
        diff_(invocation.arguments.has("diff")) {}

  void format(const std::string& path) {
    const auto text = read_text(path);
    if (!text) return fail(text.error());
    const std::string name = path == kStdin ? "stdin" : path;
    config::Sources sources;
    config::Diagnostics problems;
    const auto formatted = config::format_toml(*text, sources.add(name, {}, *text), problems);
    if (!formatted) {
      output_.complain(config::format(problems, sources, {.colour = output_.colour_errors(), .excerpt = true}));
      return remember(server::kConfigInvalid);
    }
    const bool differs = *formatted != *text;
    if (differs) differs_ = true;
    if (diff_) output_.write(config::unified_diff(*text, *formatted, name, name));
    if (check_) {
      if (differs && !diff_) output_.write(name + '\n');
    } else if (path == kStdin) {
      if (!diff_) output_.write(*formatted);
    } else if (differs && !diff_) {
      replace(path, *formatted);
    }
  }

  // The worst that happened; differences count when they were asked for.
  [[nodiscard]] int code() const { return worst_ == server::kOk && check_ && differs_ ? server::kDifferences : worst_; }

 private:
  void replace(const std::string& path, const std::string& text) {
    if (auto replaced = replace_text(path, text); !replaced) return fail(replaced.error());
    output_.write(path + '\n');
  }
  void fail(const Failure& failure) { remember(output_.fail(failure)); }
  void remember(int code) {
    if (worst_ == server::kOk) worst_ = code;
  }

  Output& output_;
  bool check_;
  bool diff_;
  bool differs_ = false;
  int worst_ = server::kOk;
};

}  // namespace

Outcome format_files(const Invocation& invocation) {
  Formatter formatter(invocation);
  const std::vector<std::string>& files = invocation.arguments.rest();
  if (files.empty()) formatter.format(kStdin);
  for (const std::string& file : files) formatter.format(file);
  return formatter.code();
}

}  // namespace tidegate::cli
