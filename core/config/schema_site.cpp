// The tables of a site and its routes, and of what both have: headers, access, basic_auth, error pages.
#include <array>

#include "config/schema_objects.h"

namespace tidegate::config {
namespace {

// What a site and a route say in the same words.
template <class T>
constexpr std::array kSharedFields{
    field<&T::headers>("headers", "Changes to the response fields; they add up from server to site to route."),
    field<&T::limits>("limits", "Overrides of [limits]."),
    field<&T::access>("access", "Who may come, by client address. A route's table replaces that of its site."),
    field<&T::basic_auth>("basic_auth",
                          "Asks for a name and a password (RFC 7617). A route's table replaces that of its site."),
    field_as<ErrorPageMap, &T::error_pages>(
        "error_pages",
        "Own pages for error statuses: `404 = \"/404.html\"`, `5xx = { body = \"...\" }`. "
        "A route's pages come before those of its site."),
    field<&T::log>("log", "Whether exchanges go to the access log; on by default."),
};

template <std::size_t A, std::size_t B>
constexpr std::array<Field, A + B> joined(const std::array<Field, A>& first, const std::array<Field, B>& second) {
  std::array<Field, A + B> all{};
  for (std::size_t i = 0; i < A; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < B; ++i) all[A + i] = second[i];
  return all;
}

}  // namespace

const ObjectInfo& ObjectOf<HeaderOps>::info() {
  static constexpr std::array kFields{
      field_as<FieldLineMap<FieldLine>, &HeaderOps::set>("set", "Sets a field; others of that name go."),
      field_as<FieldLinesMap, &HeaderOps::add>(
          "add", "Adds field lines; others of that name stay. One value, or a list of them."),
      field_as<ListOf<AsFieldName, std::string>, &HeaderOps::remove>(
          "remove", "Removes fields, also those that an outer level sets or adds."),
  };
  static constexpr ObjectInfo kInfo = table_of<HeaderOps>(
      "Headers", "Changes to the fields of a response, done in the order remove, set, add.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<Access>::info() {
  static constexpr std::array kFields{
      field<&Access::allow>("allow", "When not empty: every other client is refused."),
      field<&Access::deny>("deny", "These clients are refused, also when they are in `allow`."),
  };
  static constexpr ObjectInfo kInfo =
      table_of<Access>("Access", "Client addresses. A refused client is answered 403.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<BasicAuth>::info() {
  static constexpr std::array kFields{
      field_as<AsFieldValue, &BasicAuth::realm>("realm", "What the browser shows when it asks."),
      field_as<UserMap, &BasicAuth::users>("users", "Names and password hashes."),
      field_as<AsPath, &BasicAuth::file>("file", "An htpasswd file instead of `users`."),
  };
  static constexpr auto kCheck = [](Reader& reader, const Value& value, void* /*object*/) {
    const Value* users = value.find("users");
    const Value* file = value.find("file");
    if (users == nullptr && file == nullptr) {
      reader.error(value.at, "`basic_auth` needs `users` or `file`");
    } else if (users != nullptr && file != nullptr) {
      reader.error(file->at, "`basic_auth` has `users` or `file`, not both")
          .related.push_back({users->at, "`users` is given here"});
    } else if (users != nullptr && users->kind == Value::Kind::kTable && users->members.empty()) {
      reader.error(users->at, "`users` is empty, so nobody could ever enter");
    }
  };
  static constexpr ObjectInfo kInfo =
      table_of<BasicAuth>("Basic authentication", "Names and passwords.", kFields, kCheck);
  return kInfo;
}

const ObjectInfo& ObjectOf<ErrorPage>::info() {
  static constexpr std::array kFields{
      field<&ErrorPage::body>("body", "The body.").must(),
      field_as<AsMediaType, &ErrorPage::content_type>("content_type", "Its media type."),
  };
  static constexpr ObjectInfo kInfo =
      table_of<ErrorPage>("Error page with a body", "Instead of a path of the site.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<Match>::info() {
  static constexpr std::array kFields{
      field<&Match::path>("path", "The path of the request."),
      field_as<ListOf<AsMethod, std::string>, &Match::method>("method", "One of these methods."),
      field_as<HeaderConditions, &Match::header>("header", "Request fields, compared by value; names without case."),
      field_as<QueryConditions, &Match::query>("query", "Query parameters, compared decoded."),
      field<&Match::client>("client", "The client's address is in one of these blocks."),
  };
  static constexpr ObjectInfo kInfo =
      table_of<Match>("Match", "The conditions under which a route is taken; all that are given must hold.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<Route>::info() {
  static constexpr std::array kOwn{
      field_as<AsLabel, &Route::name>("name", "A name for logs and messages."),
      field<&Route::match, &Match::path>("path", "The same as `match.path`.").never_written(),
      field<&Route::match>("match", "When the route is taken. Nothing given: always."),
      field_on<AsHandler<handlers::RespondSettings>, Route>("respond", "Handler: a fixed response."),
      field_on<AsHandler<handlers::RedirectSettings>, Route>("redirect", "Handler: a redirect."),
      field_on<AsHandler<handlers::FilesSettings>, Route>("files", "Handler: files of a directory."),
  };
  static constexpr std::array kNotYet{unavailable("proxy"), unavailable("php"),      unavailable("app"),
                                      unavailable("cache"), unavailable("compress"), unavailable("rate_limit")};
  static constexpr auto kFields = joined(joined(kOwn, kSharedFields<Route>), kNotYet);
  static constexpr ObjectInfo kInfo = table_of<Route>(
      "Route",
      "Written `[[site.route]]`. The first route that matches, in written order, answers; exactly one handler each.",
      kFields, &check_route);
  return kInfo;
}

const ObjectInfo& ObjectOf<Site>::info() {
  static constexpr std::array kOwn{
      field_as<AsLabel, &Site::name>("name", "A unique name; by default the first host, else `site-` and its number."),
      field<&Site::hosts>("hosts", "The names it answers for. None: the default site of its listeners."),
      field_as<ListOf<AsListen, Listen>, &Site::listen>("listen",
                                                        "Where it is served; several sites may share a listener.")
          .must(),
  };
  static constexpr std::array kRoutes{
      field<&Site::routes>("route", "The routes, in the order in which they are tried."), unavailable("tls"),
      unavailable("redirect_to_https")};
  static constexpr auto kFields = joined(joined(kOwn, kSharedFields<Site>), kRoutes);
  static constexpr ObjectInfo kInfo =
      table_of<Site>("Site", "Written `[[site]]`: names, listeners, and the routes behind them.", kFields);
  return kInfo;
}

}  // namespace tidegate::config
