// The module table: which handlers and policies there are, what each keeps on a worker, and how a route's settings
// become the steps of a plan. The one place that names them all.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "config/model.h"
#include "handlers/files/file_store.h"
#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"
#include "pipeline/worker_services.h"

namespace tidegate::server {

// Creates the worker states, in the order that the handlers know them by.
void add_worker_states(pipeline::WorkerServices& services, handlers::FileStore& files);

// The handler of a route; what it owns goes to snapshot.settings.
[[nodiscard]] pipeline::Step make_handler(const config::Route& route, const pipeline::PathPattern& pattern,
                                          handlers::FileStore& files, pipeline::Snapshot& snapshot);
[[nodiscard]] pipeline::Step make_access_policy(const config::Access& access, pipeline::Snapshot& snapshot);
// The error is a sentence: the users' file cannot be read.
[[nodiscard]] std::expected<pipeline::Step, std::string> make_basic_auth_policy(const config::BasicAuth& auth,
                                                                                pipeline::Snapshot& snapshot);

}  // namespace tidegate::server
