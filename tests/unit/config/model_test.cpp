// What a good configuration becomes: every setting in the model, defaults, names, inheritance, places.
#include <doctest/doctest.h>

#include "unit/config/support.h"

using namespace tidegate;
using namespace tidegate::config;
using namespace tidegate::config::test;

namespace {

const Route& only_route(const Loaded& loaded) { return loaded.config.sites.at(0).routes.at(0); }

}  // namespace

TEST_CASE("config: an empty file has the defaults, and says that there is no site") {
  const Loaded loaded = load("");
  CHECK(summary(loaded.diagnostics) == "0:0 warning: there is no site, so the server answers nothing");
  CHECK(loaded.config == Config{});
  CHECK(loaded.config.server.workers.automatic);
  CHECK(loaded.config.limits.header_size.bytes == 65536);
  CHECK(loaded.config.limits.header_count == 128);
  CHECK(loaded.config.limits.body_size.unlimited());
  CHECK(loaded.config.limits.header_timeout.ms == 10'000);
  CHECK(loaded.config.limits.idle_timeout.ms == 75'000);
  CHECK(loaded.config.limits.body_rate_min.bytes_per_second == 240);
  CHECK(loaded.config.limits.write_rate_min.bytes_per_second == 240);
  CHECK(loaded.config.limits.rate_grace.ms == 10'000);
  CHECK(loaded.config.limits.connections.automatic());
  CHECK(loaded.config.log.access.to.kind == LogTarget::Kind::kStdout);
  CHECK(loaded.config.log.error.to.kind == LogTarget::Kind::kStderr);
}

TEST_CASE("config: [server], [log] and [admin] in full") {
  const Loaded loaded = load(R"(
server.workers = { min = 2, max = 6 }
server.poller = "epoll"
server.pin_workers = true
server.file_cache = "128m"
server.file_cache_max_file = "2m"
server.shutdown_timeout = "5s"
[log]
access = { to = { path = "log/a.log", rotate = { size = "10m", keep = 3 } }, format = "combined" }
error = { to = "/var/log/e.log", level = "debug" }
[admin]
listen = ["unix:run/admin.sock", "http://127.0.0.1:2080", "http://localhost:2081", "http://[::1]:2082"]
)");
  REQUIRE(loaded.ok());
  const Config& config = loaded.config;
  CHECK(config.server.workers == WorkerCount{.automatic = false, .min = 2, .max = 6});
  CHECK(config.server.poller == Poller::kEpoll);
  CHECK(config.server.pin_workers);
  CHECK(config.server.file_cache.bytes == 128U << 20U);
  CHECK(config.server.file_cache_max_file.bytes == 2U << 20U);
  CHECK(config.server.shutdown_timeout.ms == 5000);
  CHECK(config.log.access.to.path == "/etc/tidegate/log/a.log");
  REQUIRE(config.log.access.to.rotation.has_value());
  CHECK(config.log.access.to.rotation->size.bytes == 10U << 20U);
  CHECK(config.log.access.to.rotation->keep == 3);
  CHECK(config.log.access.format == AccessLogFormat::kCombined);
  CHECK(config.log.error.to == LogTarget{.kind = LogTarget::Kind::kFile, .path = "/var/log/e.log"});
  CHECK(config.log.error.level == LogLevel::kDebug);
  REQUIRE(config.admin.listen.size() == 4);
  CHECK(config.admin.listen[0].path == "/etc/tidegate/run/admin.sock");
  CHECK(config.admin.listen[3].text == "http://[::1]:2082");
}

TEST_CASE("config: a number of workers is both bounds") {
  const Loaded loaded = load("[server]\nworkers = 4\n");
  CHECK(loaded.config.server.workers == WorkerCount{.automatic = false, .min = 4, .max = 4});
}

TEST_CASE("config: a site in full") {
  const Loaded loaded = load(R"(
[[site]]
name = "shop"
hosts = ["Shop.Example.", "*.shop.example", "192.0.2.1", "[2001:DB8::1]"]
listen = ["http://:80", "http://unix:run/x.sock", "fd:3", "systemd:web"]
headers = { set = { X-A = "1" }, add = { Link = ["<a>", "<b>"], Vary = "Origin" }, remove = ["Server"] }
limits = { body_size = "10m", keepalive_requests = 100 }
access = { allow = ["10.0.0.0/8", "::1"], deny = ["10.9.9.9"] }
basic_auth = { realm = "shop", users = { bob = "$6$salt$hash" } }
error_pages = { 404 = "/404.html", 5xx = { body = "sorry", content_type = "text/plain" } }
log = false
[[site.route]]
respond = {}
)");
  REQUIRE(summary(loaded.diagnostics) == "");
  const Site& site = loaded.config.sites.at(0);
  CHECK(site.name == "shop");
  REQUIRE(site.hosts.size() == 4);
  CHECK(site.hosts[0].text() == "shop.example");
  CHECK(site.hosts[1].wildcard);
  CHECK(site.hosts[1].name == "shop.example");
  CHECK(site.hosts[2].text() == "192.0.2.1");
  CHECK(site.hosts[3].text() == "[2001:db8::1]");
  REQUIRE(site.listen.size() == 4);
  CHECK(site.listen[1].path == "/etc/tidegate/run/x.sock");
  CHECK(site.listen[1].text == "http://unix:/etc/tidegate/run/x.sock");
  CHECK(site.listen[2].descriptor == 3);
  CHECK(site.listen[3].path == "web");
  CHECK(site.headers.set == std::vector<FieldLine>{{"X-A", "1"}});
  CHECK(site.headers.add == std::vector<FieldLine>{{"Link", "<a>"}, {"Link", "<b>"}, {"Vary", "Origin"}});
  CHECK(site.headers.remove == std::vector<std::string>{"Server"});
  CHECK(site.limits.body_size->bytes == 10U << 20U);
  CHECK_FALSE(site.limits.idle_timeout.has_value());
  REQUIRE(site.access.has_value());
  CHECK(site.access->allow.size() == 2);
  CHECK(site.access->deny.at(0).prefix_bits == 32);
  REQUIRE(site.basic_auth.has_value());
  CHECK(site.basic_auth->realm == "shop");
  CHECK(site.basic_auth->users == std::vector<BasicAuthUser>{{"bob", "$6$salt$hash"}});
  REQUIRE(site.error_pages.size() == 2);
  CHECK(site.error_pages[0].path == "/404.html");
  CHECK(site.error_pages[1].first_status == 500);
  CHECK(site.error_pages[1].last_status == 599);
  CHECK(site.error_pages[1].body == "sorry");
  CHECK(site.log == false);
}

TEST_CASE("config: conditions of a route") {
  const Loaded loaded = load(in_route(R"(name = "api"
match = { path = "/api/*", method = ["GET", "POST"], header = { X-V = "2", X-D = true, X-N = false }, query = { a = "1" }, client = ["127.0.0.1"] }
respond = { status = 201, body = "ok", content_type = "text/plain", headers = { A = "1" } })"));
  REQUIRE(summary(loaded.diagnostics) == "");
  const Route& route = only_route(loaded);
  CHECK(route.name == "api");
  CHECK(route.match.path.kind == PathPattern::Kind::kPrefix);
  CHECK(route.match.path.literal == "/api/");
  CHECK(route.match.method == std::vector<std::string>{"GET", "POST"});
  REQUIRE(route.match.header.size() == 3);
  CHECK(route.match.header[0] == FieldMatch{"X-V", FieldMatch::Kind::kEquals, "2"});
  CHECK(route.match.header[1] == FieldMatch{"X-D", FieldMatch::Kind::kPresent, ""});
  CHECK(route.match.header[2] == FieldMatch{"X-N", FieldMatch::Kind::kAbsent, ""});
  CHECK(route.match.query.size() == 1);
  CHECK(route.match.client.size() == 1);
  const auto& respond = std::get<handlers::RespondSettings>(route.handler);
  CHECK(respond.status == 201);
  CHECK(respond.body == "ok");
  CHECK(respond.headers == std::vector<handlers::RespondField>{{"A", "1"}});
}

TEST_CASE("config: a redirect and its parts") {
  const Loaded loaded = load(in_route(R"(path = "/old/*"
redirect = { to = "https://{host}/{{x}}/{path.rest}?{query}", status = 308, keep_query = false })"));
  REQUIRE(summary(loaded.diagnostics) == "");
  const auto& redirect = std::get<handlers::RedirectSettings>(only_route(loaded).handler);
  using Part = handlers::RedirectPart;
  CHECK(redirect.parts == std::vector<Part>{{Part::Kind::kLiteral, "https://"},
                                            {Part::Kind::kHost, ""},
                                            {Part::Kind::kLiteral, "/{x}/"},
                                            {Part::Kind::kPathRest, ""},
                                            {Part::Kind::kLiteral, "?"},
                                            {Part::Kind::kQuery, ""}});
  CHECK(redirect.status == 308);
  CHECK_FALSE(redirect.keep_query);
}

TEST_CASE("config: files") {
  const Loaded loaded = load(in_route(R"(path = "/static/*"
files = { root = "www/", strip_prefix = "/static", index = [], fallback = "/i.html", listing = true, precompressed = ["zstd", "br"], follow_symlinks = "never", hidden = true, mime = { WASM = "application/wasm", js = "text/javascript" }, default_type = "", charset = "", cache_control = "no-store", memory_max_file = "0b" })"));
  REQUIRE(summary(loaded.diagnostics) == "");
  const auto& files = std::get<handlers::FilesSettings>(only_route(loaded).handler);
  CHECK(files.root == "/etc/tidegate/www");
  CHECK(files.strip_prefix == "/static");
  CHECK(files.index.empty());
  CHECK(files.fallback == "/i.html");
  CHECK(files.listing);
  CHECK(files.precompressed == std::vector{handlers::SidecarCoding::kZstd, handlers::SidecarCoding::kBrotli});
  CHECK(files.follow_symlinks == handlers::SymlinkPolicy::kNever);
  CHECK(files.hidden);
  CHECK(files.mime == std::vector<handlers::MimeOverride>{{"js", "text/javascript"}, {"wasm", "application/wasm"}});
  CHECK(files.default_type.empty());
  CHECK(files.charset.empty());
  CHECK(files.cache_control == "no-store");
  CHECK(files.memory_max_file_bytes == 0);
}

TEST_CASE("config: sites without a name get a unique one") {
  const Loaded loaded = load(R"([[site]]
listen = ["http://:80"]
[[site]]
listen = ["http://:81"]
hosts = ["a.example"]
[[site]]
listen = ["http://:82"]
hosts = ["a.example"]
[[site]]
listen = ["http://:83"]
name = "a.example-2"
)");
  REQUIRE(loaded.ok());
  CHECK(loaded.config.sites[0].name == "site-1");
  CHECK(loaded.config.sites[1].name == "a.example");
  CHECK(loaded.config.sites[2].name == "a.example-3");
}

TEST_CASE("config: limits are inherited one by one") {
  const Loaded loaded = load(R"([limits]
header_timeout = "5s"
[[site]]
listen = ["http://:80"]
limits = { body_size = "1m", idle_timeout = "9s" }
[[site.route]]
limits = { body_size = "unlimited", write_rate_min = "off" }
respond = {}
)");
  REQUIRE(loaded.ok());
  const Limits site = resolve(loaded.config.limits, loaded.config.sites[0].limits);
  CHECK(site.header_timeout.ms == 5000);
  CHECK(site.idle_timeout.ms == 9000);
  CHECK(site.body_size.bytes == 1U << 20U);
  const Limits route = resolve(site, only_route(loaded).limits);
  CHECK(route.idle_timeout.ms == 9000);
  CHECK(route.body_size.unlimited());
  CHECK(route.write_rate_min.bytes_per_second == 0);
  CHECK(route.header_count == 128);
}

TEST_CASE("config: places of objects and settings") {
  const Loaded loaded = load(in_route("path = \"/x\"\nfiles = { root = \"/srv\" }"));
  const Route& route = only_route(loaded);
  const auto at = [&](std::initializer_list<std::string_view> path) {
    const SourceLocation place = place_of(loaded.sources, route.written, path);
    return std::to_string(place.line) + ':' + std::to_string(place.column);
  };
  CHECK(loaded.sources.describe(route.written.at) == "t.toml:3:1");
  CHECK(at({"files", "root"}) == "5:18");
  CHECK(at({"files", "index"}) == "5:9");
  CHECK(at({"limits", "body_size"}) == "3:1");
  CHECK_FALSE(static_cast<bool>(place_of(loaded.sources, Written{}, {"x"})));
}

TEST_CASE("config: limits take their smallest and largest values") {
  CHECK(
      load(
          "[limits]\nheader_timeout = \"10ms\"\nheader_size = \"1k\"\nheader_count = 1\nrate_grace = \"0ms\"\nbody_size = \"0b\"\n")
          .ok());
  CHECK(load("[limits]\nheader_timeout = \"1d\"\nheader_size = \"16m\"\nheader_count = 10000\nidle_timeout = \"7d\"\n")
            .ok());
  CHECK(load("[limits]\nkeepalive_requests = \"unlimited\"\nconnections = \"auto\"\nbody_rate_min = \"off\"\n").ok());
  CHECK(load("[server]\nworkers = 1024\n").ok());
}
