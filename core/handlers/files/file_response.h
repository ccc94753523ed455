// From a found file to a response: content negotiation, preconditions, ranges (RFC 9110 sections 12, 13 and 14).
#pragma once

#include "handlers/files/local_files.h"
#include "handlers/files/settings.h"
#include "pipeline/route_plan.h"

namespace tidegate::handlers {

// Sets the response. `pin` keeps `file`; it goes to the response's body or is dropped.
[[nodiscard]] pipeline::Verdict respond_with_file(pipeline::RoutedExchange& exchange, const LocalFile& file, base::Pin pin,
                                                  const FilesSettings& settings);

}  // namespace tidegate::handlers
