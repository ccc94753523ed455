// Reading the request line. See request_line.h.
//
// The target is scanned once: the path up to '?', the query up to the space. Exactly one space stands between the
// parts; a line with more parts is refused, never repaired (RFC 9112 section 3 allows either).
#include "http/h1/request_line.h"

#include <optional>

#include "http/authority.h"
#include "http/semantics/chars.h"

namespace tidegate::http::h1 {
namespace {

constexpr std::string_view kVersionPrefix = "HTTP/";
constexpr std::size_t kVersionSize = kVersionPrefix.size() + 3;

Span span_of(std::size_t from, std::size_t to) noexcept {
  return {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to - from)};
}

Rule parse_version(std::string_view text, Version& version) noexcept {
  if (text.size() != kVersionSize || !text.starts_with(kVersionPrefix) || text[6] != '.') return Rule::kBadVersion;
  const char major = text[5];
  const char minor = text[7];
  if (!is_digit(major) || !is_digit(minor)) return Rule::kBadVersion;
  if (major == '0') return Rule::kMissingVersion;
  if (major != '1') return Rule::kUnsupportedVersion;
  version = minor == '0' ? Version::kHttp10 : Version::kHttp11;
  return Rule::kNone;
}

// One request line while it is read. `at` is the next byte of the target.
class TargetReader {
 public:
  TargetReader(const ScanOps& ops, const char* data, std::size_t at, std::size_t end, RequestHead& head) noexcept
      : ops_(ops), data_(data), at_(at), end_(end), head_(head) {}

  [[nodiscard]] std::size_t at() const noexcept { return at_; }

  // Reads the target by its form. at() is then the first byte that does not belong to it.
  Rule read() noexcept {
    const char first = at_ < end_ ? data_[at_] : ' ';
    if (head_.method == Method::kConnect) return read_authority_form();
    if (first == '/') return read_path();
    if (first == '*') return read_asterisk();
    return read_absolute();
  }

 private:
  [[nodiscard]] std::string_view rest() const noexcept { return {data_ + at_, end_ - at_}; }

  // Path and query, possibly empty. What follows them is looked at by the caller.
  Rule read_path() noexcept {
    const std::size_t path_start = at_;
    at_ += ops_.find_not(data_ + at_, end_ - at_, kPathBytes);
    head_.path = span_of(path_start, at_);
    if (at_ == end_ || data_[at_] != '?') return Rule::kNone;
    const std::size_t query_start = ++at_;
    at_ += ops_.find_not(data_ + at_, end_ - at_, kQueryBytes);
    head_.query = span_of(query_start, at_);
    head_.has_query = true;
    return Rule::kNone;
  }

  Rule read_asterisk() noexcept {
    ++at_;
    if (at_ < end_ && data_[at_] != ' ') return kQueryBytes.contains(data_[at_]) ? Rule::kBadTargetForm : Rule::kNone;
    head_.target_form = TargetForm::kAsterisk;
    return head_.method == Method::kOptions ? Rule::kNone : Rule::kAsteriskTarget;
  }

  // host ":" port, the port not optional (RFC 9112 section 3.2.3).
  Rule read_authority_form() noexcept {
    const std::size_t start = at_;
    at_ += ops_.find_not(data_ + at_, end_ - at_, kQueryBytes);
    head_.target_form = TargetForm::kAuthority;
    if (!set_authority(start, at_) || head_.port == 0) return Rule::kConnectTarget;
    return Rule::kNone;
  }

  // scheme "://" authority path [ "?" query ] (RFC 9112 section 3.2.2).
  Rule read_absolute() noexcept {
    const std::string_view text = rest();
    const std::size_t colon = text.find(':');
    const std::size_t space = text.find(' ');
    if (colon > space || colon == std::string_view::npos) return bad_form();
    if (!text.substr(colon).starts_with("://")) return bad_form();
    const std::string_view scheme = text.substr(0, colon);
    if (equals_ignore_case(scheme, "http")) {
      head_.scheme = Scheme::kHttp;
    } else if (equals_ignore_case(scheme, "https")) {
      head_.scheme = Scheme::kHttps;
    } else {
      return is_token(scheme) ? Rule::kBadTargetScheme : bad_form();
    }
    head_.target_form = TargetForm::kAbsolute;
    const std::size_t start = at_ + colon + 3;
    at_ = start;
    while (at_ < end_ && data_[at_] != '/' && data_[at_] != '?' && data_[at_] != ' ') ++at_;
    if (!set_authority(start, at_)) return Rule::kBadTargetAuthority;
    if (const Rule broken = read_path(); broken != Rule::kNone) return broken;
    // OPTIONS for the server as a whole, as a proxy receives it (RFC 9112 section 3.2.4).
    if (head_.method == Method::kOptions && head_.path.empty() && !head_.has_query) {
      head_.target_form = TargetForm::kAsterisk;
    }
    return Rule::kNone;
  }

  // None of the four forms. A byte that no target may have is the better reason if there is one before the space.
  Rule bad_form() noexcept {
    at_ += ops_.find_not(data_ + at_, end_ - at_, kQueryBytes);
    return at_ < end_ && data_[at_] != ' ' ? Rule::kBadTarget : Rule::kBadTargetForm;
  }

  bool set_authority(std::size_t from, std::size_t to) noexcept {
    const std::optional<Authority> authority = parse_authority({data_ + from, to - from});
    if (!authority) return false;
    head_.host = span_of(from, from + authority->host.size());
    head_.port = authority->port;
    return true;
  }

  const ScanOps& ops_;
  const char* data_;
  std::size_t at_;
  std::size_t end_;
  RequestHead& head_;
};

}  // namespace

Rule parse_request_line(const ScanOps& ops, const char* data, const Line& line, RequestHead& head) noexcept {
  const std::string_view text{data + line.start, line.end - line.start};
  if (text.empty()) return Rule::kEmptyRequestLine;
  if (line.name_end == line.end) return Rule::kBadMethod;
  if (text == "PRI * HTTP/2.0") return Rule::kHttp2Preface;

  head.method_token = span_of(line.start, line.name_end);
  head.method = method_from_token(head.view(head.method_token));
  const std::size_t target_start = line.name_end + 1;
  TargetReader reader(ops, data, target_start, line.end, head);
  if (const Rule broken = reader.read(); broken != Rule::kNone) return broken;
  head.target = span_of(target_start, reader.at());
  if (reader.at() == line.end) return Rule::kMissingVersion;
  if (data[reader.at()] != ' ') return Rule::kBadTarget;
  return parse_version({data + reader.at() + 1, line.end - reader.at() - 1}, head.version);
}

}  // namespace tidegate::http::h1
