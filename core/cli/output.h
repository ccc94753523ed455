// Where a command writes: text for people, with colour where a terminal shows it, or JSON.
//
// Used by the main thread. Nothing is buffered beyond a call.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace tidegate::cli {

enum class Paint : std::uint8_t { kNone, kBold, kDim, kRed, kYellow, kGreen, kBlue };

// `text` in a colour (an escape sequence of ECMA-48), or as it is.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool colour);

class Output {
 public:
  // `json`: the command was asked for JSON, so that failures are JSON on standard output as well.
  Output(bool json, bool colour_out, bool colour_errors)
      : json_(json), colour_out_(colour_out), colour_errors_(colour_errors) {}
  // Colour as NO_COLOR (set and not empty: none), TERM=dumb and the terminal say.
  [[nodiscard]] static Output for_process(bool json);

  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] bool colour_out() const { return colour_out_; }
  [[nodiscard]] bool colour_errors() const { return colour_errors_; }

  // All of it, at once. Standard output; false when it cannot be written (a full disk; a closed pipe ends the process).
  bool write(std::string_view text);
  // Standard error.
  void complain(std::string_view text) const;
  // Shows a failure in the way that was asked for; returns its exit code.
  int fail(const Failure& failure);

 private:
  bool json_;
  bool colour_out_;
  bool colour_errors_;
};

}  // namespace tidegate::cli
