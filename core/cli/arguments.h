// The words behind a command, told apart: options with their values, and the rest.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace tidegate::cli {

class Arguments {
 public:
  // Whether the option was given.
  [[nodiscard]] bool has(std::string_view option) const { return options_.contains(option); }
  // The value of the option, or null.
  [[nodiscard]] const std::string* value(std::string_view option) const;
  // All values of an option that may be repeated.
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& rest() const { return rest_; }

  void add(std::string_view option, std::string value) { options_[std::string(option)].push_back(std::move(value)); }
  void add_rest(std::string word) { rest_.push_back(std::move(word)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> rest_;
};

// `words` are what follows the command's name. Every command also knows -h and --help. The failure is one of usage.
[[nodiscard]] std::expected<Arguments, Failure> parse_arguments(const Command& command,
                                                                const std::vector<std::string>& words);

}  // namespace tidegate::cli
