// One field line of a head or trailer section, from the walker into a field table (RFC 9112 section 5).
//
// Owner: http/h1. Thread: any.
#pragma once

#include "base/check.h"
#include "http/field_table.h"
#include "http/h1/line_walker.h"
#include "http/h1/rule.h"
#include "http/semantics/chars.h"

namespace tidegate::http::h1 {

/// What is left to check of a field line (kind kField) once the walker has seen the name's end and the line's end: that
/// there is a colon, and the size of the name.
[[nodiscard]] inline Rule check_field_line(const char* data, const Line& line) noexcept {
  if (data[line.name_end] != ':') return Rule::kMissingColon;
  return line.name_end - line.start <= FieldTable::kMaxNameSize ? Rule::kNone : Rule::kFieldNameTooLong;
}

/// Adds a checked field line to the table, which must have room (FieldTable::kMaxFields). White space around the value
/// does not belong to it (RFC 9110 section 5.5).
inline void append_field_line(const char* data, const Line& line, KnownField id, FieldTable& fields) noexcept {
  std::uint32_t from = line.name_end + 1;
  std::uint32_t to = line.end;
  while (from < to && is_ows(data[from])) ++from;
  while (from < to && is_ows(data[to - 1])) --to;
  TIDEGATE_CHECK(fields.append({line.start, line.name_end - line.start}, {from, to - from}, id));
}

}  // namespace tidegate::http::h1
