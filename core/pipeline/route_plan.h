// A compiled route: when it matches and what runs then, as plain arrays of {function, settings}. Part of a Snapshot,
// immutable, shared by all workers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "http/limits.h"
#include "http/method.h"
#include "pipeline/path_pattern.h"
#include "pipeline/response_edit.h"

namespace tidegate::pipeline {

class RoutedExchange;

enum class Verdict : std::uint8_t {
  kNext,       // go on with the next step
  kResponded,  // the response is set (head and body): send it
  kWaiting,    // the step goes on later and then calls Runner::proceed or Runner::settle
};

// One step of a plan: a policy or the handler. Runs on the worker's thread.
struct Step {
  using Run = Verdict (*)(RoutedExchange& exchange, const void* settings);
  Run run = nullptr;
  const void* settings = nullptr;  // lives as long as the snapshot
};

// A condition on a request field or on a parameter of the query.
struct FieldCondition {
  enum class Kind : std::uint8_t { kEquals, kPresent, kAbsent };
  std::string name;  // fields: compared without case
  Kind kind = Kind::kEquals;
  std::string value;
};

// All parts must hold; an empty part asks for nothing.
struct RouteMatch {
  PathPattern path;
  std::uint32_t methods = 0;               // bits of http::Method
  std::vector<std::string> other_methods;  // names that are not in http::Method
  std::vector<FieldCondition> fields;
  std::vector<FieldCondition> query;
  std::vector<base::Cidr> clients;
};

// What is sent instead of the built-in page of an error status.
struct ErrorPage {
  std::uint16_t first_status = 0;
  std::uint16_t last_status = 0;
  std::string path;  // served by the site's routes; else `body`
  std::string body;
  http::FieldBlock fields;  // of `body`
};

struct RoutePlan {
  RouteMatch match;
  std::vector<Step> policies;  // in the documented order
  Step handler;
  ResponseEdit edit;
  http::Limits limits;
  std::vector<ErrorPage> error_pages;  // the route's before the site's before the server's
  bool logged = true;
  std::string site;   // name of the site, for logs
  std::string name;   // of the route, for logs; may be empty
  std::string place;  // file:line where it was written
};

}  // namespace tidegate::pipeline
