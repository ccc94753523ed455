// Reads password files in the form of htpasswd: one "name:hash" a line.
#pragma once

#include <string>
#include <vector>

#include "config/model.h"

namespace tidegate::config {

inline constexpr std::size_t kMaxHtpasswdBytes = std::size_t{16} << 20U;

// Empty lines and lines that begin with "#" are skipped. Returns a sentence, with the line number where there is one,
// when the file cannot be read, a line has a wrong form, or a name stands there twice. Hashes are never repeated in it.
[[nodiscard]] Parsed<std::vector<BasicAuthUser>> read_htpasswd(const std::string& path);

}  // namespace tidegate::config
