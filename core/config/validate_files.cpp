// Looks at the directories and files that a configuration names. What may appear later is a warning, not an error.
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "config/htpasswd.h"
#include "config/validate.h"

namespace tidegate::config {
namespace fs = std::filesystem;

namespace {

class FileChecks {
 public:
  explicit FileChecks(Validator& validator) : validator_(validator) {}

  void check_route(const Route& route, const std::string& pointer) {
    check_basic_auth(route.basic_auth, route.written, pointer);
    const auto* files = std::get_if<handlers::FilesSettings>(&route.handler);
    if (files == nullptr || files->root.empty()) return;
    check_root(*files, route, pointer + "/files");
    check_prefix(*files, route, pointer + "/files/strip_prefix");
  }

  void check_basic_auth(const std::optional<BasicAuth>& auth, const Written& owner, const std::string& pointer) {
    if (!auth || auth->file.empty()) return;
    const auto users = read_htpasswd(auth->file);
    std::string problem = users ? "" : users.error();
    if (users && users->empty()) problem = "it has no users, so nobody could ever enter";
    if (problem.empty()) return;
    validator_.report(Severity::kError, place_of(validator_.sources(), owner, {"basic_auth", "file"}),
                      pointer + "/basic_auth/file", "the password file " + in_quotes(auth->file) + ": " + problem);
  }

  void check_log(const LogTarget& target, std::string_view name) {
    if (target.kind != LogTarget::Kind::kFile || target.path.empty()) return;
    const std::string directory = fs::path(target.path).parent_path().string();
    const std::string pointer = "/log/" + std::string(name) + "/to";
    const SourceLocation at = place_of(validator_.sources(), validator_.config().log.written, {name, "to"});
    if (status(target.path) == fs::file_type::directory) {
      validator_.report(Severity::kError, at, pointer, "the log file " + in_quotes(target.path) + " is a directory");
    } else if (status(directory) != fs::file_type::directory) {
      validator_.report(Severity::kWarning, at, pointer,
                        "the directory " + in_quotes(directory) + " of the log file does not exist");
    }
  }

 private:
  fs::file_type status(const std::string& path) {
    const auto [entry, first] = known_.try_emplace(path, fs::file_type::not_found);
    std::error_code error;
    if (first) entry->second = fs::status(path, error).type();
    return entry->second;
  }

  void check_root(const handlers::FilesSettings& files, const Route& route, const std::string& pointer) {
    const SourceLocation at = place_of(validator_.sources(), route.written, {"files", "root"});
    const fs::file_type type = status(files.root);
    if (type == fs::file_type::not_found || type == fs::file_type::none) {
      validator_.report(Severity::kWarning, at, pointer + "/root",
                        "the directory " + in_quotes(files.root) + " does not exist (yet); requests are answered 404");
    } else if (type != fs::file_type::directory) {
      validator_.report(Severity::kError, at, pointer + "/root", in_quotes(files.root) + " is not a directory");
    } else if (!files.fallback.empty() && status(files.root + files.fallback) == fs::file_type::not_found) {
      validator_.report(
          Severity::kWarning, place_of(validator_.sources(), route.written, {"files", "fallback"}),
          pointer + "/fallback",
          "the fallback " + in_quotes(files.fallback) + " does not exist (yet) below " + in_quotes(files.root));
    }
  }

  // A prefix that no path of the route begins with is a slip.
  void check_prefix(const handlers::FilesSettings& files, const Route& route, const std::string& pointer) {
    const PathPattern& path = route.match.path;
    const PathPattern below{
        .kind = PathPattern::Kind::kPrefix, .text = files.strip_prefix + '*', .literal = files.strip_prefix};
    if (files.strip_prefix.empty() || may_overlap(below, path)) return;
    validator_.report(Severity::kWarning, place_of(validator_.sources(), route.written, {"files", "strip_prefix"}),
                      pointer, "no path that " + in_quotes(path.text) + " matches begins with this prefix");
  }

  Validator& validator_;
  std::unordered_map<std::string, fs::file_type> known_;
};

}  // namespace

void validate_files(Validator& validator) {
  FileChecks checks(validator);
  const Config& config = validator.config();
  checks.check_log(config.log.access.to, "access");
  checks.check_log(config.log.error.to, "error");
  for (std::size_t i = 0; i < config.sites.size(); ++i) {
    const Site& site = config.sites[i];
    checks.check_basic_auth(site.basic_auth, site.written, Validator::site_pointer(i));
    for (std::size_t j = 0; j < site.routes.size(); ++j)
      checks.check_route(site.routes[j], Validator::route_pointer(i, j));
  }
}

}  // namespace tidegate::config
