#include "cli/arguments.h"

#include <algorithm>

#include "config/nearest.h"
#include "server/server.h"

// Values are taken as they are: no list of them is split at a comma, and no regular expressions are compiled at the start.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#define CXXOPTS_NO_REGEX
#include <cxxopts.hpp>

namespace tidegate::cli {

namespace {

std::unexpected<Failure> usage(std::string message, std::string hint = {}) {
  return std::unexpected(Failure{server::kUsage, std::move(message), std::move(hint)});
}

std::string names_of(const Option& option) {
  return option.letter == '\0' ? std::string(option.name)
                               : std::string(1, option.letter) + "," + std::string(option.name);
}

cxxopts::Options options_of(const Command& command) {
  cxxopts::Options options("tidegate", "");
  options.allow_unrecognised_options();
  auto adder = options.add_options();
  adder("h,help", "");
  for (const Option& option : command.options) {
    if (option.value.empty()) {
      adder(names_of(option), "");
    } else {
      adder(names_of(option), "", cxxopts::value<std::vector<std::string>>());
    }
  }
  return options;
}

// What cxxopts could not place: an unknown option, or a word too many.
std::unexpected<Failure> cannot_place(const Command& command, const std::string& word) {
  if (!word.starts_with('-') || word == "-") {
    const bool some = command.positional.max > 0;
    return usage("'" + std::string(command.name) + "' takes " + (some ? "no further argument" : "no argument") + ": " +
                 word);
  }
  std::vector<std::string> known{"--help"};
  for (const Option& option : command.options) {
    if (!option.hidden) known.push_back("--" + std::string(option.name));
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string name = word.substr(0, word.find('='));
  const std::string_view near = config::nearest(name, candidates);
  return usage("'" + std::string(command.name) + "' has no option " + name,
               near.empty() ? "" : "did you mean " + std::string(near) + "?");
}

std::expected<Arguments, Failure> collect(const Command& command, const cxxopts::ParseResult& parsed,
                                          const std::vector<std::string>& after) {
  Arguments arguments;
  if (parsed.count("help") > 0) arguments.add("help", "");
  for (const Option& option : command.options) {
    const std::string name(option.name);
    if (parsed.count(name) == 0) continue;
    if (option.value.empty()) {
      if (parsed[name].as<bool>()) arguments.add(name, "");  // not for --name=false
      continue;
    }
    const auto& values = parsed[name].as<std::vector<std::string>>();
    if (values.size() > 1 && !option.repeatable)
      return usage("--" + name + " is given " + std::to_string(values.size()) + " times");
    for (const std::string& value : values) arguments.add(name, value);
  }
  std::vector<std::string> rest = parsed.unmatched();
  const auto unknown =
      std::ranges::find_if(rest, [](const std::string& word) { return word.starts_with('-') && word != "-"; });
  if (unknown != rest.end()) return cannot_place(command, *unknown);
  rest.insert(rest.end(), after.begin(), after.end());
  const Positional& positional = command.positional;
  if (arguments.has("help")) return arguments;
  if (rest.size() > positional.max) return cannot_place(command, rest[positional.max]);
  if (rest.size() < positional.min)
    return usage("'" + std::string(command.name) + "' needs " + std::string(positional.name));
  for (std::string& word : rest) arguments.add_rest(std::move(word));
  return arguments;
}

}  // namespace

const std::string* Arguments::value(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? nullptr : &found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>() : found->second;
}

std::expected<Arguments, Failure> parse_arguments(const Command& command, const std::vector<std::string>& words) {
  // What follows "--" is never an option, whatever it looks like.
  const auto end = std::ranges::find(words, "--");
  const std::vector<std::string> after(end == words.end() ? end : end + 1, words.end());
  std::vector<const char*> argv{"tidegate"};
  for (auto word = words.begin(); word != end; ++word) argv.push_back(word->c_str());
  try {
    cxxopts::Options options = options_of(command);
    return collect(command, options.parse(static_cast<int>(argv.size()), argv.data()), after);
  } catch (const std::exception& error) {
    // An option without its value, a flag with one. cxxopts has its own quotation marks.
    std::string text = error.what();
    for (const std::string_view mark : {"\u2018", "\u2019"}) {
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), "'");
    }
    return usage(text);
  }
}

}  // namespace tidegate::cli
