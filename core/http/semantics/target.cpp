// Path normalisation and percent-encoding. See target.h.
#include "http/semantics/target.h"

#include <array>
#include <optional>

#include "http/semantics/chars.h"

namespace tidegate::http {
namespace {

// What a byte of a raw path asks for.
enum class ByteClass : std::uint8_t { kPlain, kSlash, kPercent, kFragment, kForbidden };

consteval std::array<ByteClass, 256> make_byte_classes() {
  std::array<ByteClass, 256> classes{};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const char c = static_cast<char>(i);
    classes[i] = is_control(c) || c == ' ' ? ByteClass::kForbidden : ByteClass::kPlain;
  }
  classes['/'] = ByteClass::kSlash;
  classes['%'] = ByteClass::kPercent;
  classes['#'] = ByteClass::kFragment;
  return classes;
}

constexpr std::array<ByteClass, 256> kByteClasses = make_byte_classes();

constexpr ByteClass class_of(char c) noexcept { return kByteClasses[static_cast<unsigned char>(c)]; }

// The bytes that path encoding leaves alone: unreserved, and those sub-delims that mean nothing in HTML or in a form.
// ':' is not among them, since "a:b" as a relative reference would be read as a scheme.
consteval std::array<bool, 256> make_kept_bytes() {
  std::array<bool, 256> kept{};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const char c = static_cast<char>(i);
    kept[i] = is_alpha(c) || is_digit(c);
  }
  for (const char c : std::string_view("-._~!$()*,;=@")) kept[static_cast<unsigned char>(c)] = true;
  return kept;
}

constexpr std::array<bool, 256> kKeptBytes = make_kept_bytes();

constexpr bool is_kept(char c, PathEncoding encoding) noexcept {
  return kKeptBytes[static_cast<unsigned char>(c)] || (c == '/' && encoding == PathEncoding::kPath);
}

// Length of the front part that is in normal form already. It ends at a byte that needs a decision, or just behind a
// slash that a second slash or a dot follows.
std::size_t normal_prefix(std::string_view raw) noexcept {
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const ByteClass byte_class = class_of(raw[i]);
    if (byte_class == ByteClass::kPlain) continue;
    if (byte_class != ByteClass::kSlash) return i;
    if (i + 1 < raw.size() && (raw[i + 1] == '/' || raw[i + 1] == '.')) return i + 1;
  }
  return raw.size();
}

// Writes the normal form behind the part that needs no change. `out_` never gets ahead of `in_`.
class Normalizer {
 public:
  Normalizer(std::string_view raw, std::size_t prefix, char* out) noexcept : raw_(raw), in_(prefix), out_(out) {
    if (raw.data() != out) {
      for (std::size_t i = 0; i < prefix; ++i) out[i] = raw[i];
    }
    written_ = prefix;
  }

  std::expected<NormalPath, TargetError> run() noexcept {
    while (in_ < raw_.size()) {
      const char c = raw_[in_++];
      switch (class_of(c)) {
        case ByteClass::kPlain: out_[written_++] = c; break;
        case ByteClass::kSlash:
          if (!close_segment()) return std::unexpected(TargetError::kAboveRoot);
          if (out_[written_ - 1] != '/') out_[written_++] = '/';
          break;
        case ByteClass::kPercent:
          if (const auto error = decode()) return std::unexpected(*error);
          break;
        case ByteClass::kFragment: return std::unexpected(TargetError::kFragment);
        case ByteClass::kForbidden: return std::unexpected(TargetError::kControlByte);
      }
    }
    if (!close_segment()) return std::unexpected(TargetError::kAboveRoot);
    result_.text = std::string_view(out_, written_);
    result_.is_rewritten = true;
    return result_;
  }

 private:
  // Resolves the segment just finished if it is "." or "..": what is left then ends with a slash. False above root.
  bool close_segment() noexcept {
    const std::string_view done(out_, written_);
    if (done.ends_with("/.")) {
      written_ -= 1;
    } else if (done.ends_with("/..")) {
      if (written_ == 3) return false;
      written_ = done.rfind('/', written_ - 4) + 1;
    }
    return true;
  }

  std::optional<TargetError> decode() noexcept {
    if (raw_.size() - in_ < 2) return TargetError::kBadEscape;
    const int high = hex_value(raw_[in_]);
    const int low = hex_value(raw_[in_ + 1]);
    if (high < 0 || low < 0) return TargetError::kBadEscape;
    in_ += 2;
    const char c = static_cast<char>(high * 16 + low);
    if (c == '\0') return TargetError::kNul;
    if (c == '/') {
      for (const char kept : std::string_view("%2F")) out_[written_++] = kept;
      result_.has_encoded_slash = true;
      return std::nullopt;
    }
    if (is_control(c)) result_.has_control_byte = true;
    out_[written_++] = c;
    return std::nullopt;
  }

  std::string_view raw_;
  std::size_t in_;
  char* out_;
  std::size_t written_ = 0;
  NormalPath result_;
};

}  // namespace

std::string_view describe(TargetError error) noexcept {
  switch (error) {
    case TargetError::kNotAbsolute: return "the path does not start with a slash";
    case TargetError::kBadEscape: return "a percent sign in the path is not followed by two hexadecimal digits";
    case TargetError::kNul: return "the path contains an escaped NUL byte";
    case TargetError::kControlByte: return "the path contains a control character or a space that is not escaped";
    case TargetError::kFragment: return "the path contains a number sign that is not escaped";
    case TargetError::kAboveRoot: return "the path climbs above the root";
    case TargetError::kBufferTooSmall: return "the path is longer than its buffer";
  }
  return "the path is not valid";
}

TargetParts split_target(std::string_view target) noexcept {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}, false};
  return {target.substr(0, mark), target.substr(mark + 1), true};
}

std::expected<NormalPath, TargetError> normalize_path(std::string_view raw, std::span<char> buffer) noexcept {
  if (raw.empty()) return NormalPath{.text = "/", .is_rewritten = true};
  if (raw.front() != '/') return std::unexpected(TargetError::kNotAbsolute);
  const std::size_t prefix = normal_prefix(raw);
  if (prefix == raw.size()) return NormalPath{.text = raw};
  if (buffer.size() < raw.size()) return std::unexpected(TargetError::kBufferTooSmall);
  auto result = Normalizer(raw, prefix, buffer.data()).run();
  // "/.well-known/x" and "/a%2Fb" went the long way and came out as they were.
  if (result && raw.data() != buffer.data() && result->text == raw) {
    result->text = raw;
    result->is_rewritten = false;
  }
  return result;
}

std::size_t encoded_path_size(std::string_view text, PathEncoding encoding) noexcept {
  std::size_t size = 0;
  for (const char c : text) size += is_kept(c, encoding) ? 1U : 3U;
  return size;
}

std::string_view encode_path(std::string_view text, std::span<char> out, PathEncoding encoding) noexcept {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::size_t written = 0;
  for (const char c : text) {
    const bool keep = is_kept(c, encoding);
    if (out.size() - written < (keep ? 1U : 3U)) return {};
    if (keep) {
      out[written++] = c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out[written++] = '%';
    out[written++] = kHex[byte >> 4];
    out[written++] = kHex[byte & 0x0F];
  }
  return {out.data(), written};
}

void append_encoded_path(std::string& out, std::string_view text, PathEncoding encoding) {
  const std::size_t old_size = out.size();
  out.resize(old_size + encoded_path_size(text, encoding));
  const std::string_view written = encode_path(text, std::span(out).subspan(old_size), encoding);
  out.resize(old_size + written.size());
}

}  // namespace tidegate::http
