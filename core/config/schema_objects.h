// Names of the schema tables, one for each struct of the model that is written as a table, and the codecs that need
// more than one of them. The tables themselves are in schema_*.cpp.
#pragma once

#include <string_view>

#include "config/codec.h"
#include "config/codec_maps.h"
#include "config/codec_text.h"
#include "config/codec_values.h"
#include "config/model.h"

namespace tidegate::config {

// Declares the table of TYPE under NAME, which is its anchor on the reference page.
#define TIDEGATE_CONFIG_TABLE(TYPE, NAME)           \
  template <>                                       \
  struct ObjectOf<TYPE> {                           \
    static constexpr std::string_view kName = NAME; \
    static const ObjectInfo& info();                \
  }

TIDEGATE_CONFIG_TABLE(Config, "configuration");
TIDEGATE_CONFIG_TABLE(ServerSettings, "server");
TIDEGATE_CONFIG_TABLE(WorkerCount, "workers");
TIDEGATE_CONFIG_TABLE(Limits, "limits");
TIDEGATE_CONFIG_TABLE(LimitOverrides, "limit_overrides");
TIDEGATE_CONFIG_TABLE(LogSettings, "log");
TIDEGATE_CONFIG_TABLE(AccessLog, "access_log");
TIDEGATE_CONFIG_TABLE(ErrorLog, "error_log");
TIDEGATE_CONFIG_TABLE(LogTarget, "log_file");
TIDEGATE_CONFIG_TABLE(LogRotation, "rotate");
TIDEGATE_CONFIG_TABLE(AdminSettings, "admin");
TIDEGATE_CONFIG_TABLE(Site, "site");
TIDEGATE_CONFIG_TABLE(Route, "route");
TIDEGATE_CONFIG_TABLE(Match, "match");
TIDEGATE_CONFIG_TABLE(HeaderOps, "headers");
TIDEGATE_CONFIG_TABLE(Access, "access");
TIDEGATE_CONFIG_TABLE(BasicAuth, "basic_auth");
TIDEGATE_CONFIG_TABLE(handlers::RespondSettings, "respond");
TIDEGATE_CONFIG_TABLE(handlers::RedirectSettings, "redirect");
TIDEGATE_CONFIG_TABLE(handlers::FilesSettings, "files");

#undef TIDEGATE_CONFIG_TABLE

template <>
struct WordsOf<Poller> {
  static constexpr std::string_view kName = "poller";
  static constexpr std::string_view kExpects = "\"auto\" or the name of a poller";
  static constexpr std::array<std::pair<std::string_view, Poller>, 6> kWords{{{"auto", Poller::kAuto},
                                                                              {"io_uring", Poller::kIoUring},
                                                                              {"epoll", Poller::kEpoll},
                                                                              {"kqueue", Poller::kKqueue},
                                                                              {"iocp", Poller::kIocp},
                                                                              {"libevent", Poller::kLibevent}}};
};
template <>
struct WordsOf<AccessLogFormat> {
  static constexpr std::string_view kName = "access log format";
  static constexpr std::string_view kExpects = "\"json\" or \"combined\"";
  static constexpr std::array<std::pair<std::string_view, AccessLogFormat>, 2> kWords{
      {{"json", AccessLogFormat::kJson}, {"combined", AccessLogFormat::kCombined}}};
};
template <>
struct WordsOf<LogLevel> {
  static constexpr std::string_view kName = "log level";
  static constexpr std::string_view kExpects = "\"debug\", \"info\", \"warn\" or \"error\"";
  static constexpr std::array<std::pair<std::string_view, LogLevel>, 4> kWords{
      {{"debug", LogLevel::kDebug}, {"info", LogLevel::kInfo}, {"warn", LogLevel::kWarn}, {"error", LogLevel::kError}}};
};
template <>
struct WordsOf<handlers::SymlinkPolicy> {
  static constexpr std::string_view kName = "symlink policy";
  static constexpr std::string_view kExpects = "\"inside_root\", \"never\" or \"anywhere\"";
  static constexpr std::array<std::pair<std::string_view, handlers::SymlinkPolicy>, 3> kWords{
      {{"inside_root", handlers::SymlinkPolicy::kInsideRoot},
       {"never", handlers::SymlinkPolicy::kNever},
       {"anywhere", handlers::SymlinkPolicy::kAnywhere}}};
};
template <>
struct WordsOf<handlers::SidecarCoding> {
  static constexpr std::string_view kName = "content coding";
  static constexpr std::string_view kExpects = "\"br\", \"zstd\" or \"gzip\"";
  static constexpr std::array<std::pair<std::string_view, handlers::SidecarCoding>, 3> kWords{
      {{"br", handlers::SidecarCoding::kBrotli},
       {"zstd", handlers::SidecarCoding::kZstd},
       {"gzip", handlers::SidecarCoding::kGzip}}};
};

// "auto", a number, or { min, max }.
struct AsWorkers {
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kChoice,
                                  .name = "workers",
                                  .expects = "\"auto\", a number, or { min = 1, max = 8 }",
                                  .words = kAutoWord,
                                  .choices = {&kIntegerInfo, &kAutoInfo, &Codec<WorkerCount>::kInfo}};
  static bool read(Reader& reader, const Value& value, WorkerCount& out, const Field& field);
  static void write(Writer& writer, const WorkerCount& workers, const Value* source);
};

// "stdout", "stderr", "off", a path, or { path, rotate }.
struct AsLogTarget {
  static constexpr TypeInfo kTextInfo{
      .name = "log target",
      .expects = "\"stdout\", \"stderr\", \"off\" or a path",
      .doc = "`stdout`, `stderr`, `off`, or the path of a file, which has a slash in it."};
  static constexpr TypeInfo kInfo{.kind = TypeInfo::Kind::kChoice,
                                  .name = "log target or file",
                                  .expects = "\"stdout\", \"stderr\", \"off\", a path, or { path, rotate }",
                                  .choices = {&kTextInfo, &Codec<LogTarget>::kInfo}};
  static bool read(Reader& reader, const Value& value, LogTarget& out, const Field& field);
  static void write(Writer& writer, const LogTarget& target, const Value* source);
};

// One of the alternatives of Route::handler.
template <class Settings>
struct AsHandler {
  static constexpr const TypeInfo& kInfo = Codec<Settings>::kInfo;

  static bool read(Reader& reader, const Value& value, Route& route, const Field& /*field*/) {
    Settings settings{};
    reader.read_object(value, &settings, ObjectOf<Settings>::info());
    // Of two handlers the first is kept; check_route reports the second.
    if (std::holds_alternative<std::monostate>(route.handler)) route.handler = std::move(settings);
    return true;
  }
  static void write(Writer& writer, const Route& route, const Value* source) {
    Codec<Settings>::write(writer, std::get<Settings>(route.handler), source);
  }
  static bool absent(const Route& route) { return !std::holds_alternative<Settings>(route.handler); }
};

// Checks of a route that need several of its settings (schema_route_checks.cpp).
void check_route(Reader& reader, const Value& value, void* object);

}  // namespace tidegate::config
