// Codecs of settings that are written as one string and must obey a rule: paths, patterns, names, addresses.
#pragma once

#include <string>
#include <string_view>

#include "base/address.h"
#include "config/codec.h"
#include "config/host_name.h"
#include "config/listen.h"
#include "config/path_pattern.h"
#include "handlers/redirect_settings.h"

namespace tidegate::config {

// A string kept as it is. `Rules` has kInfo and `std::string problem(std::string_view)`: a sentence, empty when all is well.
template <class Rules>
struct CheckedText {
  static constexpr const TypeInfo& kInfo = Rules::kInfo;

  static bool read(Reader& reader, const Value& value, std::string& out, const Field& /*field*/) {
    if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
    if (!reader.accept(value, Rules::problem(value.text))) return false;
    out = value.text;
    return true;
  }
  static void write(Writer& writer, const std::string& text, const Value* source) { writer.string(text, source); }
};

inline constexpr TypeInfo kStringInfo{.kind = TypeInfo::Kind::kString, .name = "string", .expects = "a string"};

struct AnyTextRules {
  static constexpr const TypeInfo& kInfo = kStringInfo;
  static std::string problem(std::string_view /*text*/) { return {}; }
};
template <>
struct Codec<std::string> : CheckedText<AnyTextRules> {};

// A name for people: of a site or a route.
struct LabelRules {
  static constexpr TypeInfo kInfo{.name = "name", .expects = "a name"};
  static std::string problem(std::string_view text);
};
struct AsLabel : CheckedText<LabelRules> {
  static bool absent(const std::string& text) { return text.empty(); }
};

struct FieldNameRules {
  static constexpr TypeInfo kInfo{
      .name = "field name", .expects = "the name of a header field", .pattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"};
  static std::string problem(std::string_view text);
};
using AsFieldName = CheckedText<FieldNameRules>;

struct FieldValueRules {
  static constexpr TypeInfo kInfo{.name = "field value", .expects = "the value of a header field"};
  static std::string problem(std::string_view text);
};
using AsFieldValue = CheckedText<FieldValueRules>;

struct MethodRules {
  static constexpr TypeInfo kInfo{
      .name = "method", .expects = "a method such as \"GET\"", .pattern = "^[!#$%&'*+.^_`|~0-9A-Z-]+$"};
  static std::string problem(std::string_view text);
};
using AsMethod = CheckedText<MethodRules>;

struct MediaTypeRules {
  static constexpr TypeInfo kInfo{.name = "media type", .expects = "a media type such as \"text/plain\""};
  static std::string problem(std::string_view text);
};
using AsMediaType = CheckedText<MediaTypeRules>;

struct CharsetRules {
  static constexpr TypeInfo kInfo{.name = "charset", .expects = "a charset such as \"utf-8\", or \"\""};
  static std::string problem(std::string_view text);
};
using AsCharset = CheckedText<CharsetRules>;

// The name of one file, without a directory.
struct FileNameRules {
  static constexpr TypeInfo kInfo{.name = "file name", .expects = "a file name"};
  static std::string problem(std::string_view text);
};
using AsFileName = CheckedText<FileNameRules>;

// A path of the site, as in a request: begins with a slash.
struct SitePathRules {
  static constexpr TypeInfo kInfo{
      .name = "site path", .expects = "a path of the site such as \"/index.html\"", .pattern = "^/"};
  static std::string problem(std::string_view text);
};
struct AsSitePath : CheckedText<SitePathRules> {
  static bool absent(const std::string& path) { return path.empty(); }
};

// A path of the file system; stored absolute.
struct AsPath {
  static constexpr TypeInfo kInfo{
      .name = "path",
      .expects = "a path",
      .doc = "A path of the file system. A relative one starts at the directory of the file that names it."};
  static bool read(Reader& reader, const Value& value, std::string& out, const Field& field);
  static void write(Writer& writer, const std::string& path, const Value* source) { writer.string(path, source); }
  static bool absent(const std::string& path) { return path.empty(); }
};

// A string that a parse function turns into a T. `Rules` has kInfo, parse and text.
template <class T, class Rules>
struct ParsedText {
  static constexpr const TypeInfo& kInfo = Rules::kInfo;

  static bool read(Reader& reader, const Value& value, T& out, const Field& /*field*/) {
    if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
    auto parsed = Rules::parse(value.text);
    if (!reader.accept(value, parsed ? std::string() : parsed.error())) return false;
    out = std::move(*parsed);
    if constexpr (requires { out.written; }) out.written = Written{value.at, &value};
    return true;
  }
  static void write(Writer& writer, const T& item, const Value* source) {
    if constexpr (requires { item.written; }) source = writer.source_of(item.written);
    writer.string(Rules::text(item), source);
  }
};

struct HostNameRules {
  static constexpr TypeInfo kInfo{
      .name = "host name",
      .expects = "a host name such as \"shop.example\"",
      .doc = "A name without scheme and port: `shop.example`, or `*.shop.example` for every name below it."};
  static Parsed<HostName> parse(std::string_view text) { return parse_host_name(text); }
  static std::string text(const HostName& host) { return host.text(); }
};
template <>
struct Codec<HostName> : ParsedText<HostName, HostNameRules> {};

struct PathPatternRules {
  static constexpr TypeInfo kInfo{
      .name = "path pattern",
      .expects = "a path pattern such as \"/old/*\"",
      .doc =
          "`/ping` is that path only. A last segment `*` matches any rest: `/old/*` matches `/old/` and "
          "`/old/a/b`, not `/old`. Elsewhere `*` matches within one segment and `**` across segments: "
          "`/img/*.png`, `/docs/**/index.html`. Written decoded.",
      .pattern = "^/"};
  static Parsed<PathPattern> parse(std::string_view text) { return parse_path_pattern(text); }
  static std::string text(const PathPattern& pattern) { return pattern.text; }
};
template <>
struct Codec<PathPattern> : ParsedText<PathPattern, PathPatternRules> {};

struct CidrRules {
  static constexpr TypeInfo kInfo{
      .name = "address block",
      .expects = "an address block such as \"10.0.0.0/8\"",
      .doc = "An IPv4 or IPv6 address, or a block of them: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`."};
  static Parsed<base::Cidr> parse(std::string_view text);
  static std::string text(const base::Cidr& cidr);
};
template <>
struct Codec<base::Cidr> : ParsedText<base::Cidr, CidrRules> {};

// A listener. A relative socket path starts at the directory of the file that names it.
struct AsListen {
  static constexpr TypeInfo kInfo{
      .name = "listener",
      .expects = "a listener such as \"http://:8080\"",
      .doc =
          "`http://:8080` (every address, IPv6 and IPv4), `http://127.0.0.1:8080`, `http://[::1]:8080`, "
          "`http://localhost:8080`, `http://unix:/run/x.sock`, `fd:3` (inherited descriptor), "
          "`systemd:web` (socket activation). Port 0 takes a free port."};
  static bool read(Reader& reader, const Value& value, Listen& out, const Field& field);
  static void write(Writer& writer, const Listen& listen, const Value* source);
};

struct AsAdminListen : AsListen {
  static constexpr TypeInfo kInfo{.name = "admin listener",
                                  .expects = "a listener such as \"unix:/run/tidegate/admin.sock\"",
                                  .doc = "`unix:/path` or a loopback address: `http://127.0.0.1:2080`."};
  static bool read(Reader& reader, const Value& value, Listen& out, const Field& field);
};

// Fills RedirectSettings::to and ::parts.
struct AsRedirectTarget {
  static constexpr TypeInfo kInfo{
      .name = "redirect target",
      .expects = "a redirect target such as \"/new/{path.rest}\"",
      .doc =
          "A path or an absolute URL. `{path}`, `{path.rest}` (what the last `*` of the pattern matched), "
          "`{query}`, `{host}` and `{scheme}` are replaced; `{{` and `}}` stand for braces."};
  static bool read(Reader& reader, const Value& value, handlers::RedirectSettings& out, const Field& field);
  static void write(Writer& writer, const handlers::RedirectSettings& settings, const Value* source) {
    writer.string(settings.to, source);
  }
  static bool absent(const handlers::RedirectSettings& settings) { return settings.to.empty(); }
};

[[nodiscard]] Parsed<std::vector<handlers::RedirectPart>> parse_redirect_target(std::string_view text);

}  // namespace tidegate::config
