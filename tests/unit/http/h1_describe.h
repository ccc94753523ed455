// A request head as text, so that two of them can be compared and a difference can be read. For unit tests and fuzzing.
#pragma once

#include <string>
#include <string_view>

#include "http/h1/head_parser.h"

namespace tidegate::http::h1 {

inline std::string describe(const RequestHead& head) {
  std::string text;
  const auto add = [&](std::string_view label, std::string_view value) {
    text.append(label).append("=").append(value).append("\n");
  };
  const auto number = [](auto value) { return std::to_string(static_cast<unsigned long long>(value)); };
  add("method", head.view(head.method_token));
  add("method number", number(head.method));
  add("version", name_of(head.version));
  add("form", number(head.target_form));
  add("scheme", number(head.scheme));
  add("target", head.view(head.target));
  add("path", head.request_path());
  add("query", head.has_query ? "?" + std::string(head.view(head.query)) : "");
  add("host", head.view(head.host));
  add("port", number(head.port));
  add("body", number(head.body));
  add("length", number(head.content_length));
  add("connection", number(head.connection));
  add("keep alive", number(head.keep_alive));
  add("expect", number(head.expect_continue));
  add("upgrade", number(head.upgrade));
  add("dropped", number(head.dropped_aliases));
  for (std::size_t i = 0; i < head.fields.size(); ++i) {
    text.append(number(head.fields.id(i))).append(" ").append(head.fields.name(i)).append(": ");
    text.append(head.fields.value(i)).append("|\n");
  }
  return text;
}

/// Everything that a parse answers.
struct Outcome {
  HeadStatus status;
  Rule rule;
  std::size_t consumed;
  std::string head;  // empty unless kDone

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline Outcome outcome_of(const ParseResult& result, const RequestHead& head) {
  return {result.status, result.rule, result.consumed, result.status == HeadStatus::kDone ? describe(head) : ""};
}

}  // namespace tidegate::http::h1
