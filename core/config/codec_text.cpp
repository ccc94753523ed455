#include "config/codec_text.h"

#include <algorithm>
#include <array>

#include "config/text_rules.h"

namespace tidegate::config {
namespace {

constexpr std::size_t kLongestUnixPath = 107;  // sun_path of Linux without its NUL byte

bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool has_segment_up(std::string_view path) {
  return path == ".." || path.starts_with("../") || path.ends_with("/..") ||
         path.find("/../") != std::string_view::npos;
}

bool read_listen(Reader& reader, const Value& value, Listen& out, Parsed<Listen> parsed) {
  if (!reader.accept(value, parsed ? std::string() : parsed.error())) return false;
  out = std::move(*parsed);
  out.written = Written{value.at, &value};
  if (out.kind != Listen::Kind::kUnix) return true;
  set_path(out, reader.resolve(value.at.file, out.path));
  return reader.accept(value,
                       out.path.size() > kLongestUnixPath ? "the path of a unix socket has at most 107 bytes" : "");
}

}  // namespace

std::string LabelRules::problem(std::string_view text) {
  if (text.empty()) return "a name is not empty";
  if (text.size() > 128) return "a name has at most 128 bytes";
  return has_control_characters(text) ? "a name has no control characters" : "";
}

std::string FieldNameRules::problem(std::string_view text) {
  // Framing and connection fields are the server's: a wrong one would break the message (RFC 9110 section 7.6.1).
  static constexpr std::array<std::string_view, 7> kFraming{"Connection", "Content-Length",    "Keep-Alive", "TE",
                                                            "Trailer",    "Transfer-Encoding", "Upgrade"};
  if (!is_token(text)) return "not a valid field name";
  const auto same = [text](std::string_view name) { return equal_ignoring_case(name, text); };
  return std::ranges::any_of(kFraming, same) ? "the server alone decides about this field" : "";
}

std::string FieldValueRules::problem(std::string_view text) {
  return is_field_value(text) ? "" : "a field value has no control characters and no blanks at its ends";
}

std::string MethodRules::problem(std::string_view text) {
  if (!is_token(text)) return "not a valid method";
  const bool lower = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  return lower ? "methods are case-sensitive and written in capitals" : "";
}

std::string MediaTypeRules::problem(std::string_view text) {
  return text.empty() || is_media_type(text) ? "" : "not a media type (type/subtype)";
}

std::string CharsetRules::problem(std::string_view text) {
  return text.empty() || is_token(text) ? "" : "not a charset name";
}

std::string FileNameRules::problem(std::string_view text) {
  if (text.empty() || text == "." || text == "..") return "not a file name";
  if (text.find('/') != std::string_view::npos) return "a file name has no slash";
  return text.find('\0') != std::string_view::npos ? "a file name has no NUL byte" : "";
}

std::string SitePathRules::problem(std::string_view text) {
  if (!text.starts_with('/')) return "a path of the site begins with a slash";
  if (has_control_characters(text)) return "a path of the site has no control characters";
  return has_segment_up(text) ? "a path of the site has no \"..\"" : "";
}

bool AsPath::read(Reader& reader, const Value& value, std::string& out, const Field& /*field*/) {
  if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
  std::string problem;
  if (value.text.empty()) problem = "a path is not empty; write \".\" for the directory of this file";
  if (value.text.find('\0') != std::string::npos) problem = "a path has no NUL byte";
  if (!reader.accept(value, problem)) return false;
  out = reader.resolve(value.at.file, value.text);
  return true;
}

Parsed<base::Cidr> CidrRules::parse(std::string_view text) {
  auto cidr = base::parse_cidr(text);
  if (!cidr) return std::unexpected("not an address or an address block (no bits may be set behind the prefix)");
  return *cidr;
}

std::string CidrRules::text(const base::Cidr& cidr) {
  return base::format_ip(cidr.network) + '/' + std::to_string(cidr.prefix_bits);
}

bool AsListen::read(Reader& reader, const Value& value, Listen& out, const Field& /*field*/) {
  return reader.expect(value, Value::Kind::kString, kInfo) && read_listen(reader, value, out, parse_listen(value.text));
}

bool AsAdminListen::read(Reader& reader, const Value& value, Listen& out, const Field& /*field*/) {
  return reader.expect(value, Value::Kind::kString, kInfo) &&
         read_listen(reader, value, out, parse_admin_listen(value.text));
}

void AsListen::write(Writer& writer, const Listen& listen, const Value* /*source*/) {
  writer.string(listen.text, writer.source_of(listen.written));
}

namespace {

struct Placeholder {
  std::string_view name;
  handlers::RedirectPart::Kind kind;
};
constexpr std::array<Placeholder, 5> kPlaceholders{{{"path", handlers::RedirectPart::Kind::kPath},
                                                    {"path.rest", handlers::RedirectPart::Kind::kPathRest},
                                                    {"query", handlers::RedirectPart::Kind::kQuery},
                                                    {"host", handlers::RedirectPart::Kind::kHost},
                                                    {"scheme", handlers::RedirectPart::Kind::kScheme}}};

}  // namespace

Parsed<std::vector<handlers::RedirectPart>> parse_redirect_target(std::string_view text) {
  using Part = handlers::RedirectPart;
  std::vector<Part> parts;
  const auto literal = [&parts](char c) {
    if (parts.empty() || parts.back().kind != Part::Kind::kLiteral) parts.push_back({Part::Kind::kLiteral, {}});
    parts.back().literal += c;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool brace = text[i] == '{' || text[i] == '}';
    if (!brace) {
      literal(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == text[i]) {
      literal(text[i++]);
    } else if (const std::size_t end = text.find('}', i); text[i] == '}' || end == std::string_view::npos) {
      return std::unexpected("a brace without its partner; write {{ or }} for a brace itself");
    } else {
      const std::string_view name = text.substr(i + 1, end - i - 1);
      const auto found = std::ranges::find(kPlaceholders, name, &Placeholder::name);
      if (found == kPlaceholders.end())
        return std::unexpected("unknown placeholder {" + std::string(name.substr(0, 32)) +
                               "}; there are {path}, {path.rest}, {query}, {host} and {scheme}");
      parts.push_back({found->kind, {}});
      i = end;
    }
  }
  return parts;
}

bool AsRedirectTarget::read(Reader& reader, const Value& value, handlers::RedirectSettings& out,
                            const Field& /*field*/) {
  if (!reader.expect(value, Value::Kind::kString, kInfo)) return false;
  const std::string_view text = value.text;
  std::string problem;
  if (text.empty() || has_control_characters(text) || text.find(' ') != std::string_view::npos) {
    problem = "a redirect target is a URL without blanks and control characters";
  } else if (!text.starts_with('/') && !text.starts_with('{') && text.find("://") == std::string_view::npos) {
    problem = "a redirect target begins with a slash, or is a URL with its scheme";
  }
  auto parts = parse_redirect_target(text);
  if (problem.empty() && !parts) problem = parts.error();
  if (!reader.accept(value, problem)) return false;
  out.to = value.text;
  out.parts = std::move(*parts);
  return true;
}

}  // namespace tidegate::config
