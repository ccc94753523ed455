#include "server/modules.h"

#include <algorithm>
#include <fstream>

#include "handlers/files/files_handler.h"
#include "handlers/files/local_files.h"
#include "handlers/redirect.h"
#include "handlers/respond.h"
#include "pipeline/policies/access.h"
#include "pipeline/policies/basic_auth.h"

namespace tidegate::server {

namespace {

constexpr std::size_t kLocalFiles = 0;  // index in WorkerServices::states

template <class T, class... Args>
const T& own(pipeline::Snapshot& snapshot, Args&&... args) {
  auto made = std::make_unique<T>(std::forward<Args>(args)...);
  const T& result = *made;
  snapshot.settings.push_back(std::move(made));
  return result;
}

}  // namespace

void add_worker_states(pipeline::WorkerServices& services, handlers::FileStore& files) {
  services.states.push_back(std::make_unique<handlers::LocalFiles>(files, *services.loop));
}

pipeline::Step make_handler(const config::Route& route, const pipeline::PathPattern& pattern, handlers::FileStore& files,
                            pipeline::Snapshot& snapshot) {
  if (const auto* respond = std::get_if<handlers::RespondSettings>(&route.handler)) {
    return own<handlers::RespondHandler>(snapshot, *respond).step();
  }
  if (const auto* redirect = std::get_if<handlers::RedirectSettings>(&route.handler)) {
    return own<handlers::RedirectHandler>(snapshot, *redirect, pattern).step();
  }
  if (const auto* serve = std::get_if<handlers::FilesSettings>(&route.handler)) {
    return own<handlers::FilesHandler>(snapshot, *serve, files, kLocalFiles).step();
  }
  return {};
}

pipeline::Step make_access_policy(const config::Access& access, pipeline::Snapshot& snapshot) {
  return own<pipeline::AccessPolicy>(snapshot, access.allow, access.deny).step();
}

std::expected<pipeline::Step, std::string> make_basic_auth_policy(const config::BasicAuth& auth, pipeline::Snapshot& snapshot) {
  std::vector<pipeline::BasicUser> users;
  for (const config::BasicAuthUser& user : auth.users) users.push_back({user.name, user.hash});
  if (!auth.file.empty()) {
    std::ifstream file(auth.file);
    if (!file) return std::unexpected("cannot read the users of basic_auth from " + auth.file);
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with('\r')) line.pop_back();
      const auto colon = line.find(':');
      if (line.empty() || line.front() == '#' || colon == std::string::npos) continue;
      users.push_back({line.substr(0, colon), line.substr(colon + 1)});
    }
  }
  return own<pipeline::BasicAuthPolicy>(snapshot, auth.realm, std::move(users)).step();
}

}  // namespace tidegate::server
