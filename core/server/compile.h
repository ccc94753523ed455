// From the typed configuration to a Snapshot: hosts to tables, routes to plans. On the control thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>

#include "config/model.h"
#include "config/source.h"
#include "handlers/files/file_store.h"
#include "pipeline/snapshot.h"

namespace tidegate::server {

// Canonical listener text -> number, as the listener registry gave them.
using ListenerNumbers = std::map<std::string, std::uint16_t>;

// The configuration must have been validated. `sources` is for "file:line" of routes. The error is a sentence.
[[nodiscard]] std::expected<std::unique_ptr<pipeline::Snapshot>, std::string> compile(const config::Config& config,
                                                                                      const config::Sources& sources,
                                                                                      const ListenerNumbers& listeners,
                                                                                      handlers::FileStore& files);

}  // namespace tidegate::server
