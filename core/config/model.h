// The typed configuration: what the files, the admin API and the command line all come down to.
//
// Plain values with their defaults in place; no runtime types. Built by the readers (load.h, json_form.h) or by code,
// checked by validate.h, compiled to a Snapshot elsewhere. Strings are expanded and paths are absolute. `written` tells
// where an object came from; the place of a single setting is found with `place_of`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/address.h"
#include "config/host_name.h"
#include "config/limits.h"
#include "config/listen.h"
#include "config/path_pattern.h"
#include "config/source.h"
#include "config/units.h"
#include "handlers/files/settings.h"
#include "handlers/redirect_settings.h"
#include "handlers/respond_settings.h"

namespace tidegate::config {

// One field line of a message (RFC 9110 section 5.2).
struct FieldLine {
  std::string name;
  std::string value;
  friend bool operator==(const FieldLine&, const FieldLine&) = default;
};

// Changes to the fields of a response, done in the order remove, set, add. They add up from server to site to route.
struct HeaderOps {
  std::vector<FieldLine> set;       // replaces fields of that name
  std::vector<FieldLine> add;       // adds one more
  std::vector<std::string> remove;  // also what an outer level sets or adds
  [[nodiscard]] bool empty() const { return set.empty() && add.empty() && remove.empty(); }
  friend bool operator==(const HeaderOps&, const HeaderOps&) = default;
};

// What is sent instead of the built-in page of an error status: a path of the same site, or a body of its own.
struct ErrorPage {
  std::uint16_t first_status = 404;  // "404" is one status, "4xx" is 400 to 499; the narrower one wins
  std::uint16_t last_status = 404;
  std::string path;  // begins with a slash; served by the site's routes with the error's status
  std::string body;  // when `path` is empty
  std::string content_type = "text/html; charset=utf-8";
  friend bool operator==(const ErrorPage&, const ErrorPage&) = default;
};

// A client in `deny` is refused; when `allow` is not empty, so is every client that is not in it.
struct Access {
  std::vector<base::Cidr> allow;
  std::vector<base::Cidr> deny;
  friend bool operator==(const Access&, const Access&) = default;
};

struct BasicAuthUser {
  std::string name;
  std::string hash;  // crypt(3) form: $2b$, $2y$ (bcrypt), $5$, $6$ (SHA-crypt), $y$ (yescrypt)
  friend bool operator==(const BasicAuthUser&, const BasicAuthUser&) = default;
};

struct BasicAuth {
  std::string realm = "restricted";
  std::vector<BasicAuthUser> users;  // exactly one of `users` and `file` is given
  std::string file;                  // absolute path of an htpasswd file: one name:hash a line
  friend bool operator==(const BasicAuth&, const BasicAuth&) = default;
};

// A condition on a request field or a query parameter.
struct FieldMatch {
  enum class Kind : std::uint8_t { kEquals, kPresent, kAbsent };
  std::string name;  // header fields: compared without case
  Kind kind = Kind::kEquals;
  std::string value;
  friend bool operator==(const FieldMatch&, const FieldMatch&) = default;
};

// All conditions must hold; within `method` and `client` one of the list is enough. Empty lists ask for nothing.
struct Match {
  PathPattern path;
  std::vector<std::string> method;
  std::vector<FieldMatch> header;
  std::vector<FieldMatch> query;
  std::vector<base::Cidr> client;
  friend bool operator==(const Match&, const Match&) = default;
};

using HandlerSettings =
    std::variant<std::monostate, handlers::RespondSettings, handlers::RedirectSettings, handlers::FilesSettings>;

struct Route {
  std::string name;  // for logs and `explain`; may be empty
  Match match;
  HandlerSettings handler;  // monostate only while it is being read, or when the configuration has errors
  HeaderOps headers;
  LimitOverrides limits;
  std::optional<Access> access;         // replaces the site's
  std::optional<BasicAuth> basic_auth;  // replaces the site's
  std::vector<ErrorPage> error_pages;   // before the site's
  std::optional<bool> log;              // whether exchanges go to the access log
  Written written;
  friend bool operator==(const Route&, const Route&) = default;
};

struct Site {
  std::string name;             // unique; taken from the first host when not given
  std::vector<HostName> hosts;  // empty: the default site of its listeners
  std::vector<Listen> listen;
  HeaderOps headers;
  LimitOverrides limits;
  std::optional<Access> access;
  std::optional<BasicAuth> basic_auth;
  std::vector<ErrorPage> error_pages;
  std::optional<bool> log;
  std::vector<Route> routes;
  Written written;
  friend bool operator==(const Site&, const Site&) = default;
};

struct WorkerCount {
  bool automatic = true;  // one for each CPU that the process may use; min and max do not count then
  std::uint32_t min = 1;
  std::uint32_t max = 1;
  friend bool operator==(const WorkerCount&, const WorkerCount&) = default;
};

enum class Poller : std::uint8_t { kAuto, kIoUring, kEpoll, kKqueue, kIocp, kLibevent };

struct ServerSettings {
  WorkerCount workers;
  Poller poller = Poller::kAuto;
  bool pin_workers = false;
  Size file_cache = 64_mib;
  Size file_cache_max_file = 1_mib;
  Duration shutdown_timeout = 30_s;
  HeaderOps headers;
  std::vector<ErrorPage> error_pages;
  Written written;
  friend bool operator==(const ServerSettings&, const ServerSettings&) = default;
};

struct LogRotation {
  Size size = 100_mib;
  std::uint32_t keep = 10;
  friend bool operator==(const LogRotation&, const LogRotation&) = default;
};

struct LogTarget {
  enum class Kind : std::uint8_t { kOff, kStdout, kStderr, kFile };
  Kind kind = Kind::kStdout;
  std::string path{};                     // kFile: absolute
  std::optional<LogRotation> rotation{};  // kFile: none means the server never renames it
  friend bool operator==(const LogTarget&, const LogTarget&) = default;
};

enum class AccessLogFormat : std::uint8_t { kJson, kCombined };
enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };

struct AccessLog {
  LogTarget to;
  AccessLogFormat format = AccessLogFormat::kJson;
  friend bool operator==(const AccessLog&, const AccessLog&) = default;
};

struct ErrorLog {
  LogTarget to{.kind = LogTarget::Kind::kStderr};
  LogLevel level = LogLevel::kInfo;
  friend bool operator==(const ErrorLog&, const ErrorLog&) = default;
};

struct LogSettings {
  AccessLog access;
  ErrorLog error;
  Written written;
  friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

struct AdminSettings {
  std::vector<Listen> listen;  // unix sockets and loopback addresses; empty: the server's default control socket
  Written written;
  friend bool operator==(const AdminSettings&, const AdminSettings&) = default;
};

struct Config {
  std::vector<std::string> include;  // of the main file, as written
  ServerSettings server;
  Limits limits;
  LogSettings log;
  AdminSettings admin;
  std::vector<Site> sites;
  friend bool operator==(const Config&, const Config&) = default;
};

// The place of the setting below an object, such as place_of(sources, route.written, {"files", "root"}); the nearest place
// that was written when the setting itself was not, and no place for objects made by code. `owner` are the sources that
// the object was read from, which must be alive.
[[nodiscard]] SourceLocation place_of(const Sources& owner, const Written& object,
                                      std::initializer_list<std::string_view> path);

}  // namespace tidegate::config
