#include "config/htpasswd.h"

#include <algorithm>
#include <unordered_set>

#include "config/codec_maps.h"
#include "config/expand.h"

namespace tidegate::config {

Parsed<std::vector<BasicAuthUser>> read_htpasswd(const std::string& path) {
  std::string text;
  if (const std::string problem = read_file(path, kMaxHtpasswdBytes, text); !problem.empty())
    return std::unexpected(problem);
  std::vector<BasicAuthUser> users;
  std::unordered_set<std::string_view> names;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const auto fail = [number](const std::string& why) {
      return std::unexpected("line " + std::to_string(number) + ": " + why);
    };
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return fail("expected name:hash");
    const std::string_view name = line.substr(0, colon);
    if (const std::string problem = password_hash_problem(line.substr(colon + 1)); !problem.empty())
      return fail(problem);
    if (!names.insert(name).second) return fail("the name " + in_quotes(name) + " stands there twice");
    users.push_back({std::string(name), std::string(line.substr(colon + 1))});
  }
  return users;
}

}  // namespace tidegate::config
