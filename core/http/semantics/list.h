// Readers for the list and parameter syntax that many fields share (RFC 9110 sections 5.6.1, 5.6.4 and 5.6.6).
//
// Owner: http/semantics. Thread: any. A reader keeps views only: the field lines must outlive it. No allocation.
// Invariants: an element is never empty and has no white space at its ends; a comma or semicolon inside a
// quoted-string does not split. Entity-tags are *not* quoted-strings (a backslash there escapes nothing): use
// entity_tag.h for their lists.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tidegate::http {

/// Walks the elements of a list field. The field may be spread over several lines, which mean the same as one line
/// joined by commas (RFC 9110 section 5.3). Empty elements are skipped, as a recipient must.
class ListReader {
 public:
  /// One field line.
  explicit ListReader(std::string_view line) noexcept : rest_(line) {}

  /// All lines of the field, in the order received.
  explicit ListReader(std::span<const std::string_view> lines) noexcept : lines_(lines) {}

  /// The next element, trimmed, or nothing at the end.
  [[nodiscard]] std::optional<std::string_view> next() noexcept;

  /// True once an element had a quoted-string that was never closed. That element reaches to the end of its line.
  [[nodiscard]] bool is_malformed() const noexcept { return is_malformed_; }

 private:
  std::string_view rest_;
  std::span<const std::string_view> lines_;
  bool is_malformed_ = false;
};

/// One `name=value` of an element. A quoted value is given without its quotes; escapes inside stay as they are.
struct Parameter {
  std::string_view name;
  std::string_view value;
  bool is_quoted = false;
};

/// Splits an element such as `text/html;level=1;q=0.5` into its head and its parameters (RFC 9110 section 5.6.6).
class ParameterReader {
 public:
  explicit ParameterReader(std::string_view element) noexcept;

  /// What stands before the first semicolon, trimmed.
  [[nodiscard]] std::string_view head() const noexcept { return head_; }

  /// The next parameter, or nothing at the end. Empty parameters (`;;`) are skipped. A parameter without `=` has an
  /// empty value.
  [[nodiscard]] std::optional<Parameter> next() noexcept;

 private:
  std::string_view head_;
  std::string_view rest_;
};

/// True if the list has the token, whatever its case (for `Connection: close`, `Expect`, `Vary` and others like them).
[[nodiscard]] bool list_contains(std::span<const std::string_view> lines, std::string_view token) noexcept;

/// Position of the first `separator` outside a quoted-string, or text.size(). `is_closed` tells whether every
/// quoted-string before it was closed.
[[nodiscard]] std::size_t find_outside_quotes(std::string_view text, char separator, bool& is_closed) noexcept;

}  // namespace tidegate::http
