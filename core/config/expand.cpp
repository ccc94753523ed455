#include "config/expand.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace tidegate::config {
namespace {

class ProcessEnvironment final : public Environment {
 public:
  bool variable(const std::string& name, std::string& value) const override {
    const char* found = std::getenv(name.c_str());
    if (found == nullptr) return false;
    value = found;
    return true;
  }
};

class Expander {
 public:
  Expander(const Sources& sources, const Environment& environment, Diagnostics& diagnostics)
      : sources_(sources), environment_(environment), diagnostics_(diagnostics) {}

  void walk(Value& value) {
    if (value.kind == Value::Kind::kString) return expand(value);
    if (value.kind != Value::Kind::kArray && value.kind != Value::Kind::kTable) return;
    const bool table = value.kind == Value::Kind::kTable;
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      Member& member = value.members[i];
      path_.push_back({table ? &member.key : nullptr, i});
      walk(member.value);
      path_.pop_back();
    }
  }

 private:
  struct Step {
    const std::string* key;
    std::size_t index;
  };

  void expand(Value& value) {
    const std::string& text = value.text;
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
      if (at > done && text[at - 1] == '$') {
        // "$${": the first dollar sign goes, the rest is plain text.
        out.append(text, done, at - done - 1).append("${");
        done = at += 2;
        continue;
      }
      const std::size_t end = text.find('}', at);
      const std::size_t colon = text.find(':', at);
      if (end == std::string::npos || colon == std::string::npos || colon > end) {
        at += 2;
        continue;
      }
      out.append(text, done, at - done);
      if (!replace(value, text.substr(at + 2, colon - at - 2), text.substr(colon + 1, end - colon - 1), out)) {
        // One message is enough: the reader passes over it.
        value.kind = Value::Kind::kInvalid;
        return;
      }
      done = at = end + 1;
    }
    if (done == 0) return;
    out.append(text, done);
    value.raw = std::make_unique<std::string>(std::move(value.text));
    value.text = std::move(out);
  }

  // Appends what ${source:name} stands for.
  bool replace(const Value& value, const std::string& source, const std::string& name, std::string& out) {
    std::string found;
    if (source == "env") {
      if (!environment_.variable(name, found))
        return fail(value, "the environment variable " + in_quotes(name) + " is not set");
    } else if (source == "file") {
      const std::string path = sources_.resolve(value.at.file, name);
      const std::string problem = read_file(path, kMaxPlaceholderFileBytes, found);
      if (!problem.empty()) return fail(value, "cannot read " + in_quotes(path) + ": " + problem);
      if (found.ends_with('\n')) found.resize(found.size() - (found.ends_with("\r\n") ? 2 : 1));
    } else {
      return fail(value, "unknown placeholder ${" + source.substr(0, 32) +
                             ":...}; there are ${env:NAME} and ${file:PATH}, and $${ stands for ${");
    }
    out += found;
    return true;
  }

  bool fail(const Value& value, std::string message) {
    std::string pointer;
    for (const Step& step : path_)
      pointer += step.key != nullptr ? pointer_step(*step.key) : '/' + std::to_string(step.index);
    diagnostics_.push_back({.at = value.at, .pointer = std::move(pointer), .message = std::move(message)});
    return false;
  }

  const Sources& sources_;
  const Environment& environment_;
  Diagnostics& diagnostics_;
  std::vector<Step> path_;
};

}  // namespace

const Environment& process_environment() {
  static const ProcessEnvironment environment;
  return environment;
}

void expand_placeholders(Value& tree, const Sources& sources, const Environment& environment,
                         Diagnostics& diagnostics) {
  Expander(sources, environment, diagnostics).walk(tree);
}

std::string read_file(const std::string& path, std::size_t max_bytes, std::string& content) {
  if (path.find('\0') != std::string::npos) return "a path has no NUL byte";
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (error) return error.message();
  if (std::filesystem::is_directory(status)) return "it is a directory";
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::error_code(errno, std::generic_category()).message();
  content.clear();
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    content.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    if (content.size() > max_bytes) return "it is larger than " + std::to_string(max_bytes) + " bytes";
  }
  return stream.bad() ? "reading failed" : "";
}

}  // namespace tidegate::config
