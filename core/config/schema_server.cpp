// The tables of what concerns the whole process: the document itself, [server], [log], [admin].
#include <array>

#include "config/nearest.h"
#include "config/schema_objects.h"

namespace tidegate::config {

bool AsWorkers::read(Reader& reader, const Value& value, WorkerCount& out, const Field& field) {
  if (value.kind == Value::Kind::kTable) {
    out.automatic = false;
    return Codec<WorkerCount>::read(reader, value, out, field);
  }
  if (value.kind == Value::Kind::kString && value.text == "auto") {
    out = WorkerCount{};
    return true;
  }
  std::uint32_t count = 0;
  if (!read_integer(reader, value, count, field, kInfo)) return false;
  out = {.automatic = false, .min = count, .max = count};
  return true;
}

void AsWorkers::write(Writer& writer, const WorkerCount& workers, const Value* source) {
  if (workers.automatic) return writer.json.string("auto");
  if (workers.min == workers.max) return writer.json.unsigned_integer(workers.min);
  Codec<WorkerCount>::write(writer, workers, source);
}

bool AsLogTarget::read(Reader& reader, const Value& value, LogTarget& out, const Field& field) {
  if (value.kind == Value::Kind::kTable) {
    out = {.kind = LogTarget::Kind::kFile};
    return Codec<LogTarget>::read(reader, value, out, field);
  }
  if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
  static constexpr std::array<std::string_view, 3> kWords{"off", "stdout", "stderr"};
  static constexpr std::array kKinds{LogTarget::Kind::kOff, LogTarget::Kind::kStdout, LogTarget::Kind::kStderr};
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (value.text == kWords[i]) return out = {.kind = kKinds[i]}, true;
  }
  // A path has a slash, so that a mistyped word does not become a file.
  if (value.text.find('/') == std::string::npos && value.text.find('\\') == std::string::npos) {
    const std::string_view near = nearest(value.text, kWords);
    reader.error(value.at,
                 '`' + reader.key() + "` must be " + std::string(kInfo.expects) + ", found " + in_quotes(value),
                 near.empty() ? "a file is written with its directory: \"./" + value.text + '"'
                              : "did you mean " + in_quotes(near) + '?');
    return false;
  }
  out = {.kind = LogTarget::Kind::kFile};
  return AsPath::read(reader, value, out.path, field);
}

void AsLogTarget::write(Writer& writer, const LogTarget& target, const Value* source) {
  switch (target.kind) {
    case LogTarget::Kind::kOff: return writer.json.string("off");
    case LogTarget::Kind::kStdout: return writer.json.string("stdout");
    case LogTarget::Kind::kStderr: return writer.json.string("stderr");
    case LogTarget::Kind::kFile: break;
  }
  if (!target.rotation) return writer.string(target.path, source);
  Codec<LogTarget>::write(writer, target, source);
}

const ObjectInfo& ObjectOf<WorkerCount>::info() {
  static constexpr std::array kFields{
      field<&WorkerCount::min>("min", "Workers that are always active.").in(1, 1024),
      field<&WorkerCount::max>("max", "Most workers that are active under load.").in(1, 1024).must(),
  };
  static constexpr auto kCheck = [](Reader& reader, const Value& value, void* object) {
    const auto& workers = *static_cast<const WorkerCount*>(object);
    const Value* min = value.find("min");
    if (workers.min <= workers.max || min == nullptr || value.find("max") == nullptr) return;
    reader.error(min->at, "`min` must not be larger than `max`, which is " + std::to_string(workers.max));
  };
  static constexpr ObjectInfo kInfo = table_of<WorkerCount>(
      "Adaptive workers", "Bounds between which the number of active workers follows the load.", kFields, kCheck);
  return kInfo;
}

const ObjectInfo& ObjectOf<ServerSettings>::info() {
  static constexpr std::uint64_t kTib = std::uint64_t{1} << 40U;
  static constexpr std::array kFields{
      field_as<AsWorkers, &ServerSettings::workers>("workers", "Worker threads: one for each CPU, a number, or bounds.")
          .in(1, 1024),
      field<&ServerSettings::poller>(
          "poller", "How readiness and completions are asked of the system; `auto` takes the best that works."),
      field<&ServerSettings::pin_workers>("pin_workers", "Pin each worker to its CPU."),
      field<&ServerSettings::file_cache>("file_cache",
                                         "Memory for small files, shared by all workers; `0b` keeps none.")
          .in(0, kTib),
      field<&ServerSettings::file_cache_max_file>("file_cache_max_file", "Largest file that is kept in memory.")
          .in(0, kTib),
      field<&ServerSettings::shutdown_timeout>("shutdown_timeout",
                                               "Time that exchanges in flight have to end after TERM or QUIT.")
          .in(0, 86'400'000),
      field<&ServerSettings::headers>("headers", "Changes to the response fields of every site."),
      field_as<ErrorPageMap, &ServerSettings::error_pages>("error_pages", "Error pages of every site."),
      unavailable("trusted_proxies"),
  };
  static constexpr ObjectInfo kInfo =
      table_of<ServerSettings>("Server", "What concerns the whole process. May stand in one file only.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<LogRotation>::info() {
  static constexpr std::array kFields{
      field<&LogRotation::size>("size", "The file is renamed and begun anew when it is larger.")
          .in(4096, std::uint64_t{1} << 40U),
      field<&LogRotation::keep>("keep", "Renamed files that are kept; older ones are deleted.").in(1, 10000),
  };
  static constexpr ObjectInfo kInfo =
      table_of<LogRotation>("Log rotation", "Rotation by size, done by the server itself.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<LogTarget>::info() {
  static constexpr std::array kFields{
      field_as<AsPath, &LogTarget::path>("path", "The file.").must(),
      field<&LogTarget::rotation>("rotate", "Rotation by size; without it the server only reopens the file on USR1."),
  };
  static constexpr ObjectInfo kInfo = table_of<LogTarget>("Log file", "A log file with its rotation.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<AccessLog>::info() {
  static constexpr std::array kFields{
      field_as<AsLogTarget, &AccessLog::to>("to", "Where the lines go."),
      field<&AccessLog::format>("format", "JSON objects, or the combined format of Apache and nginx."),
  };
  static constexpr ObjectInfo kInfo = table_of<AccessLog>("Access log", "One line an exchange.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<ErrorLog>::info() {
  static constexpr std::array kFields{
      field_as<AsLogTarget, &ErrorLog::to>("to", "Where the lines go."),
      field<&ErrorLog::level>("level", "The least severe level that is written."),
  };
  static constexpr ObjectInfo kInfo =
      table_of<ErrorLog>("Error log", "What the server has to say about itself.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<LogSettings>::info() {
  static constexpr std::array kFields{
      field<&LogSettings::access>("access", "The access log."),
      field<&LogSettings::error>("error", "The error log."),
  };
  static constexpr ObjectInfo kInfo = table_of<LogSettings>("Logs", "May stand in one file only.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<AdminSettings>::info() {
  static constexpr std::array kFields{
      field_as<ListOf<AsAdminListen, Listen>, &AdminSettings::listen>(
          "listen", "Control sockets: unix sockets and loopback addresses. Empty: the default socket of the platform."),
      unavailable("store"),
  };
  static constexpr ObjectInfo kInfo =
      table_of<AdminSettings>("Admin", "How a running server is asked and told. May stand in one file only.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<Config>::info() {
  static constexpr std::array kFields{
      field<&Config::include>(
          "include",
          "Files to read as well: paths, or patterns with `*` and `?` in their last part. Sorted by bytes; names that "
          "begin with a dot or end in `~` are ignored by patterns.")
          .never_written(),
      field<&Config::server>("server", "The whole process."),
      field<&Config::limits>("limits", "Limits of every site."),
      field<&Config::log>("log", "Access log and error log."),
      field<&Config::admin>("admin", "Control sockets."),
      field<&Config::sites>("site", "The sites; those of all files together."),
      unavailable("acme"),
      unavailable("certificate"),
      unavailable("upstream"),
      unavailable("cache_policy"),
  };
  static constexpr ObjectInfo kInfo = table_of<Config>("Top level", "What stands outside of every table.", kFields);
  return kInfo;
}

const ObjectInfo& root_schema() { return ObjectOf<Config>::info(); }

}  // namespace tidegate::config
