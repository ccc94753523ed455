// Checks of one route that need several of its settings: its handlers, its path, and what a redirect may refer to.
#include <algorithm>
#include <array>

#include "config/schema_objects.h"

namespace tidegate::config {
namespace {

// Also those of later versions: they count as a handler, so that one mistake gives one message.
constexpr std::array<std::string_view, 6> kHandlers{"respond", "redirect", "files", "proxy", "php", "app"};

void check_handlers(Reader& reader, const Value& value) {
  const Member* first = nullptr;
  for (const Member& member : value.members) {
    if (std::ranges::find(kHandlers, member.key) == kHandlers.end()) continue;
    if (first == nullptr) {
      first = &member;
      continue;
    }
    reader.error(member.key_at, "a route has exactly one handler, and `" + first->key + "` is one already")
        .related.push_back({first->key_at, "`" + first->key + "` is given here"});
  }
  // An unknown key has its own message, and is probably the handler.
  const auto known = [](const Member& member) { return find_field(ObjectOf<Route>::info(), member.key) != nullptr; };
  if (first != nullptr || !std::ranges::all_of(value.members, known)) return;
  reader.error(value.at, "a route needs a handler: `respond`, `redirect` or `files`");
}

void check_path(Reader& reader, const Value& value) {
  const Member* path = value.find_member("path");
  const Value* match = value.find("match");
  const Member* inner = match == nullptr || match->kind != Value::Kind::kTable ? nullptr : match->find_member("path");
  if (path == nullptr || inner == nullptr) return;
  const bool path_first = path->key_at < inner->key_at;
  const Member* second = path_first ? inner : path;
  reader.error(second->key_at, "the path of a route is given once, as `path` or as `match.path`")
      .related.push_back({(path_first ? path : inner)->key_at, "it is given here"});
}

void check_rest(Reader& reader, const Value& value, const Route& route) {
  const auto* redirect = std::get_if<handlers::RedirectSettings>(&route.handler);
  const Value* table = value.find("redirect");
  const Value* to = table == nullptr ? nullptr : table->find("to");
  if (redirect == nullptr || to == nullptr || route.match.path.has_rest()) return;
  const bool used = std::ranges::any_of(redirect->parts, [](const handlers::RedirectPart& part) {
    return part.kind == handlers::RedirectPart::Kind::kPathRest;
  });
  if (!used) return;
  const Reader::Step outer(reader, "redirect");
  const Reader::Step inner(reader, "to");
  reader.error(to->at, "{path.rest} needs a path pattern that ends in \"*\", and this route's is " +
                           in_quotes(route.match.path.text));
}

}  // namespace

void check_route(Reader& reader, const Value& value, void* object) {
  check_handlers(reader, value);
  check_path(reader, value);
  check_rest(reader, value, *static_cast<const Route*>(object));
}

}  // namespace tidegate::config
