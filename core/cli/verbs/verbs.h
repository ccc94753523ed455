// The functions behind the commands; each file of this directory has those of one theme.
#pragma once

#include "cli/command.h"

namespace tidegate::cli {

[[nodiscard]] Outcome serve(const Invocation& invocation);
[[nodiscard]] Outcome respond(const Invocation& invocation);
[[nodiscard]] Outcome run_configuration(const Invocation& invocation);
[[nodiscard]] Outcome check(const Invocation& invocation);
[[nodiscard]] Outcome format_files(const Invocation& invocation);
[[nodiscard]] Outcome config_show(const Invocation& invocation);
[[nodiscard]] Outcome config_schema(const Invocation& invocation);
[[nodiscard]] Outcome config_reference(const Invocation& invocation);
[[nodiscard]] Outcome show_status(const Invocation& invocation);
[[nodiscard]] Outcome reload(const Invocation& invocation);
[[nodiscard]] Outcome stop(const Invocation& invocation);
[[nodiscard]] Outcome version(const Invocation& invocation);
[[nodiscard]] Outcome completion(const Invocation& invocation);
[[nodiscard]] Outcome help(const Invocation& invocation);

}  // namespace tidegate::cli
