#include "pipeline/router.h"

#include <algorithm>

namespace tidegate::pipeline {

namespace {

bool holds(const FieldCondition& condition, bool present, std::string_view value) {
  switch (condition.kind) {
    case FieldCondition::Kind::kEquals: return present && value == condition.value;
    case FieldCondition::Kind::kPresent: return present;
    case FieldCondition::Kind::kAbsent: return !present;
  }
  return false;
}

bool method_matches(const RouteMatch& match, const http::Request& request) {
  if (match.methods == 0 && match.other_methods.empty()) return true;
  if (request.method != http::Method::kOther) {
    return (match.methods >> static_cast<unsigned>(request.method) & 1U) != 0;
  }
  return std::find(match.other_methods.begin(), match.other_methods.end(), request.method_text) != match.other_methods.end();
}

bool fields_match(const RouteMatch& match, const http::Exchange& exchange) {
  return std::all_of(match.fields.begin(), match.fields.end(), [&](const FieldCondition& condition) {
    const auto value = exchange.fields->find(condition.name);
    return holds(condition, value.has_value(), value.value_or(std::string_view{}));
  });
}

bool query_matches(const RouteMatch& match, std::string_view query) {
  return std::all_of(match.query.begin(), match.query.end(), [&](const FieldCondition& condition) {
    const QueryValue found = query_value(query, condition.name);
    return holds(condition, found.present, found.value);
  });
}

bool client_matches(const RouteMatch& match, const base::Address& client) {
  if (match.clients.empty()) return true;
  return std::any_of(match.clients.begin(), match.clients.end(),
                     [&](const base::Cidr& block) { return block.contains(client); });
}

}  // namespace

QueryValue query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    const auto equals = pair.find('=');
    if (pair.substr(0, equals) == name) {
      return {true, equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1)};
    }
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
  }
  return {};
}

bool matches(const RouteMatch& match, const http::Exchange& exchange) {
  const http::Request& request = exchange.request;
  return match.path.matches(request.path) && method_matches(match, request) && client_matches(match, request.client) &&
         fields_match(match, exchange) && query_matches(match, request.query);
}

const RoutePlan& find_route(const ListenerPlan& listener, const http::Exchange& exchange) {
  const SitePlan* site = listener.find(exchange.request.host);
  if (site == nullptr) return listener.unmatched;
  for (const RoutePlan& route : site->routes) {
    if (matches(route.match, exchange)) return route;
  }
  return site->unmatched;
}

}  // namespace tidegate::pipeline
