// The tables of the handlers: respond, redirect, files.
#include <array>

#include "config/schema_objects.h"

namespace tidegate::config {
namespace {

using handlers::FilesSettings;
using handlers::RedirectSettings;
using handlers::RespondSettings;

// Statuses without content (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5).
constexpr bool without_content(std::uint16_t status) { return status == 204 || status == 205 || status == 304; }

void check_respond(Reader& reader, const Value& value, void* object) {
  const auto& respond = *static_cast<const RespondSettings*>(object);
  const Value* body = value.find("body");
  if (body == nullptr || respond.body.empty() || !without_content(respond.status)) return;
  reader.error(body->at, "a response with status " + std::to_string(respond.status) + " has no body");
}

struct AsRedirectStatus {
  static constexpr TypeInfo kInfo{
      .kind = TypeInfo::Kind::kInteger, .name = "redirect status", .expects = "301, 302, 303, 307 or 308"};
  static bool read(Reader& reader, const Value& value, std::uint16_t& out, const Field& /*field*/) {
    if (!reader.expect(value, Value::Kind::kInteger, kInfo)) return false;
    static constexpr std::array<std::uint16_t, 5> kStatuses{301, 302, 303, 307, 308};
    for (const std::uint16_t status : kStatuses) {
      if (value.integer == status) return out = status, true;
    }
    reader.wrong_type(value, kInfo);
    return false;
  }
  static void write(Writer& writer, std::uint16_t status, const Value* /*source*/) {
    writer.json.unsigned_integer(status);
  }
};

}  // namespace

const ObjectInfo& ObjectOf<RespondSettings>::info() {
  static constexpr std::array kFields{
      field<&RespondSettings::status>("status", "The status code.").in(200, 599),
      field<&RespondSettings::body>("body", "The content."),
      field_as<AsMediaType, &RespondSettings::content_type>("content_type",
                                                            "Media type of the content; empty: the field is not sent."),
      field_as<FieldLineMap<handlers::RespondField>, &RespondSettings::headers>("headers", "Further response fields."),
  };
  static constexpr ObjectInfo kInfo =
      table_of<RespondSettings>("Respond", "A fixed response.", kFields, &check_respond);
  return kInfo;
}

const ObjectInfo& ObjectOf<RedirectSettings>::info() {
  static constexpr std::array kFields{
      field_on<AsRedirectTarget, RedirectSettings>("to", "Where the client is sent.").must(),
      field_as<AsRedirectStatus, &RedirectSettings::status>(
          "status", "301 and 308 may be remembered by clients; 307 and 308 keep the method.")
          .in(301, 308),
      field<&RedirectSettings::keep_query>(
          "keep_query", "Append the query of the request, unless `to` has `{query}` or a query of its own."),
  };
  static constexpr ObjectInfo kInfo = table_of<RedirectSettings>("Redirect", "Sends the client elsewhere.", kFields);
  return kInfo;
}

const ObjectInfo& ObjectOf<FilesSettings>::info() {
  static constexpr std::array kFields{
      field_as<AsPath, &FilesSettings::root>("root", "The directory.").must(),
      field_as<AsSitePath, &FilesSettings::strip_prefix>(
          "strip_prefix", "Taken off the request path before it is looked up below `root`."),
      field_as<ListOf<AsFileName, std::string>, &FilesSettings::index>("index",
                                                                       "Files tried in a directory, in order."),
      field_as<AsSitePath, &FilesSettings::fallback>(
          "fallback", "File below `root` that is served, with 200, when nothing is found: for single-page apps."),
      field<&FilesSettings::listing>(
          "listing", "List a directory that has no index file; HTML, or JSON when the client asks for it."),
      field<&FilesSettings::precompressed>(
          "precompressed", "Sidecar files to look for (`.br`, `.zst`, `.gz`), the preferred one first."),
      field<&FilesSettings::follow_symlinks>(
          "follow_symlinks", "Symbolic links below the root: only those that stay inside, none, or all."),
      field<&FilesSettings::hidden>("hidden",
                                    "Serve files whose name, or a directory of whose path, begins with a dot."),
      field_as<MimeMap, &FilesSettings::mime>(
          "mime", "Media types by extension, before the built-in table: `{ wasm = \"application/wasm\" }`."),
      field_as<AsMediaType, &FilesSettings::default_type>(
          "default_type", "Media type of an unknown extension; empty: the field is not sent."),
      field_as<AsCharset, &FilesSettings::charset>("charset", "Charset added to text types; empty: none."),
      field_as<AsFieldValue, &FilesSettings::cache_control>("cache_control",
                                                            "Value of `Cache-Control`; empty: the field is not sent."),
      field_as<OptionalOf<AsSize, std::uint64_t>, &FilesSettings::memory_max_file_bytes>(
          "memory_max_file", "Largest file kept in memory; `0b` keeps none. By default `server.file_cache_max_file`.")
          .in(0, std::uint64_t{1} << 40U),
  };
  static constexpr ObjectInfo kInfo = table_of<FilesSettings>("Files", "Serves the files of a directory.", kFields);
  return kInfo;
}

}  // namespace tidegate::config
