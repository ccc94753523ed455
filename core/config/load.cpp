#include "config/load.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "config/include.h"
#include "config/json_parse.h"
#include "config/reader.h"
#include "config/toml_parse.h"

namespace tidegate::config {
namespace {

constexpr std::size_t kMaxIncludeDepth = 16;

// Puts together what the documents say. One Loader a load.
class Loader {
 public:
  explicit Loader(const LoadOptions& options)
      : environment_(options.environment != nullptr ? *options.environment : process_environment()) {}

  void load_file(const std::string& path, const SourceLocation& named_at, const std::string& pointer) {
    const std::string canonical = canonical_name(path);
    if (std::ranges::find(open_, canonical) != open_.end()) return report_cycle(path, named_at, pointer);
    if (!seen_.insert(canonical).second) return;  // two patterns that overlap
    if (open_.size() > kMaxIncludeDepth)
      return report(named_at, pointer, "files include one another more than 16 deep");
    std::string text;
    const std::string problem = read_file(path, kMaxTomlBytes, text);
    if (!problem.empty()) return report(named_at, pointer, "cannot read \"" + path + "\": " + problem);
    open_.push_back(canonical);
    load_toml(std::move(text), path, std::filesystem::path(path).parent_path().string());
    open_.pop_back();
  }

  void load_toml(std::string text, std::string name, std::string directory) {
    const std::uint32_t file = loaded_.sources.add(std::move(name), std::move(directory), std::move(text));
    TomlDocument document = parse_toml(loaded_.sources.file(file).text, file, loaded_.diagnostics);
    if (!document.readable) return;
    take_document(file, std::move(document.root));
    include_all(*loaded_.sources.file(file).tree);
  }

  void load_json_text(std::string text, std::string name, std::string directory) {
    const std::uint32_t file = loaded_.sources.add(std::move(name), std::move(directory), std::move(text));
    JsonDocument document = parse_json(loaded_.sources.file(file).text, file, loaded_.diagnostics);
    if (!document.readable) return;
    take_document(file, std::move(document.root));
    const Value& root = *loaded_.sources.file(file).tree;
    if (const Member* include = root.kind == Value::Kind::kTable ? root.find_member("include") : nullptr) {
      report(include->key_at, "/include", "`include` may stand in files only");
    }
  }

  Loaded finish() {
    name_sites();
    sort_by_place(loaded_.diagnostics);
    return std::move(loaded_);
  }

 private:
  static std::string canonical_name(const std::string& path) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    return error ? path : canonical.string();
  }

  void report(const SourceLocation& at, std::string pointer, std::string message) {
    loaded_.diagnostics.push_back({.at = at, .pointer = std::move(pointer), .message = std::move(message)});
  }

  void report_cycle(const std::string& path, const SourceLocation& named_at, const std::string& pointer) {
    std::string way;
    for (auto file = std::ranges::find(open_, canonical_name(path)); file != open_.end(); ++file) way += *file + " -> ";
    report(named_at, pointer, "files include one another in a circle: " + way + canonical_name(path));
  }

  // Expands, reads and merges one tree, and gives it to its file.
  void take_document(std::uint32_t file, Value root) {
    Sources& sources = loaded_.sources;
    sources.file(file).tree = std::make_unique<Value>(std::move(root));
    Value& tree = *sources.file(file).tree;
    const std::size_t first_diagnostic = loaded_.diagnostics.size();
    expand_placeholders(tree, sources, environment_, loaded_.diagnostics);
    Config part;
    Reader(sources, loaded_.diagnostics).read_object(tree, &part, root_schema());
    count_sites_on(first_diagnostic);
    merge(tree, std::move(part));
  }

  // Sites are numbered through all files: the pointers of this document's diagnostics begin at its first site.
  void count_sites_on(std::size_t first_diagnostic) {
    constexpr std::string_view kSites = "/site/";
    const std::size_t before = loaded_.config.sites.size();
    if (before == 0) return;
    for (std::size_t i = first_diagnostic; i < loaded_.diagnostics.size(); ++i) {
      std::string& pointer = loaded_.diagnostics[i].pointer;
      if (!pointer.starts_with(kSites)) continue;
      const std::size_t end = std::min(pointer.find('/', kSites.size()), pointer.size());
      const std::size_t number = std::stoul(pointer.substr(kSites.size(), end - kSites.size()));
      pointer.replace(kSites.size(), end - kSites.size(), std::to_string(number + before));
    }
  }

  void merge(const Value& tree, Config part) {
    Config& whole = loaded_.config;
    if (claim(tree, "server")) whole.server = std::move(part.server);
    if (claim(tree, "limits")) whole.limits = part.limits;
    if (claim(tree, "log")) whole.log = std::move(part.log);
    if (claim(tree, "admin")) whole.admin = std::move(part.admin);
    if (tree.at.file == 0) whole.include = std::move(part.include);
    std::ranges::move(part.sites, std::back_inserter(whole.sites));
  }

  // Whether the document has this table and is the first one that has it.
  bool claim(const Value& tree, const std::string& table) {
    const Member* member = tree.kind == Value::Kind::kTable ? tree.find_member(table) : nullptr;
    if (member == nullptr) return false;
    const auto [owner, first] = owners_.try_emplace(table, member->key_at);
    if (first) return true;
    report(member->key_at, pointer_step(table), "`" + table + "` may be set in one file only");
    loaded_.diagnostics.back().related.push_back({owner->second, "it is set here"});
    return false;
  }

  void include_all(const Value& tree) {
    const Value* include = tree.find("include");
    if (include == nullptr || include->kind != Value::Kind::kArray) return;
    for (std::size_t i = 0; i < include->members.size(); ++i) {
      const Value& entry = include->members[i].value;
      if (entry.kind != Value::Kind::kString) continue;  // the reader has complained
      const std::string pointer = "/include/" + std::to_string(i);
      const auto files = included_files(loaded_.sources.resolve(entry.at.file, entry.text));
      if (!files) {
        report(entry.at, pointer, "cannot include " + in_quotes(entry) + ": " + files.error());
        continue;
      }
      for (const std::string& file : *files) load_file(file, entry.at, pointer);
    }
  }

  // Sites without a name get one: the first host, or "site-" and the number; a suffix makes it unique.
  void name_sites() {
    std::unordered_set<std::string> taken;
    for (const Site& site : loaded_.config.sites) taken.insert(site.name);
    std::unordered_map<std::string, std::size_t> suffixes;
    for (std::size_t i = 0; i < loaded_.config.sites.size(); ++i) {
      Site& site = loaded_.config.sites[i];
      if (!site.name.empty()) continue;
      // A host that came from a placeholder is not repeated where a name is shown.
      const bool plain = !site.hosts.empty() && !site.hosts.front().written.value->raw;
      const std::string base = !plain ? "site-" + std::to_string(i + 1) : site.hosts.front().text();
      std::string name = base;
      for (std::size_t& suffix = suffixes.try_emplace(base, 1).first->second; !taken.insert(name).second;) {
        name = base + '-' + std::to_string(++suffix);
      }
      site.name = std::move(name);
    }
  }

  Loaded loaded_;
  const Environment& environment_;
  std::vector<std::string> open_;         // files being read, outermost first
  std::unordered_set<std::string> seen_;  // all files read
  std::unordered_map<std::string, SourceLocation> owners_;
};

}  // namespace

Loaded load_files(const std::string& path, const LoadOptions& options) {
  Loader loader(options);
  loader.load_file(path, {}, {});
  return loader.finish();
}

Loaded load_text(std::string text, std::string name, std::string directory, const LoadOptions& options) {
  Loader loader(options);
  loader.load_toml(std::move(text), std::move(name), std::move(directory));
  return loader.finish();
}

Loaded load_json(std::string text, std::string name, std::string directory, const LoadOptions& options) {
  Loader loader(options);
  loader.load_json_text(std::move(text), std::move(name), std::move(directory));
  return loader.finish();
}

}  // namespace tidegate::config
