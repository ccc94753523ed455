// The run over one head. See head_parser.h.
#include "http/h1/head_parser.h"

#include <algorithm>

#include "http/h1/aliases.h"
#include "http/h1/field_line.h"
#include "http/h1/framing.h"
#include "http/h1/request_line.h"

namespace tidegate::http::h1 {

void RequestHead::reset(const char* base) noexcept {
  method = Method::kOther;
  version = Version::kHttp11;
  target_form = TargetForm::kOrigin;
  scheme = Scheme::kNone;
  method_token = target = path = query = host = {};
  port = 0;
  has_query = false;
  body = BodyKind::kNone;
  content_length = 0;
  connection = 0;
  keep_alive = expect_continue = upgrade = false;
  dropped_aliases = 0;
  fields.reset(base);
}

namespace {

// Offsets have 32 bits; no limit lets a head come near this.
constexpr std::size_t kMaxData = std::size_t{1} << 30;

// One run over the bytes, from where the state says to where the head, the bytes or the client's luck ends.
// With kStores the fields go to the table; without, they are only checked, because the table would be incomplete: the
// run began behind the start of the head.
template <bool kStores>
class Run {
 public:
  Run(const ScanOps& ops, const char* data, std::size_t size, const HeadLimits& limits, ScanState& state,
      RequestHead& out) noexcept
      : ops_(ops), data_(data), walker_(ops, data, size, state.cursor), limits_(limits), state_(state), out_(out) {}

  ParseResult operator()() noexcept {
    if (state_.fields_start == 0) {
      const Walk walk = read_request_line();
      if (walk != Walk::kLine) return stop(walk);
    }
    const std::size_t limit = std::size_t{state_.fields_start} + limits_.header_size;
    while (true) {
      const LineKind kind = state_.field_count == 0 ? LineKind::kFirstField : LineKind::kField;
      Line line;
      const Walk walk = walker_.next(kind, limit, Rule::kFieldsTooLarge, line);
      if (walk != Walk::kLine) return stop(walk);
      if (line.end == line.start) return {HeadStatus::kDone, Rule::kNone, std::size_t{line.end} + 2};
      if (const Rule broken = take_field(line); broken != Rule::kNone) return {HeadStatus::kError, broken, 0};
    }
  }

  /// True if a name has a mark that could make it an alias.
  [[nodiscard]] bool has_marks() const noexcept { return has_marks_; }

 private:
  Walk read_request_line() noexcept {
    const std::size_t limit = std::size_t{walker_.cursor().line_start} + limits_.request_line_size;
    Line line;
    const Walk walk = walker_.next(LineKind::kRequest, limit, Rule::kRequestLineTooLong, line);
    if (walk != Walk::kLine) return walk;
    broken_ = parse_request_line(ops_, data_, line, out_);
    state_.fields_start = line.end + 2;
    return broken_ == Rule::kNone ? Walk::kLine : Walk::kError;
  }

  Rule take_field(const Line& line) noexcept {
    if (const Rule broken = check_field_line(data_, line); broken != Rule::kNone) return broken;
    if (state_.field_count == std::min<std::size_t>(limits_.header_count, FieldTable::kMaxFields)) {
      return Rule::kTooManyFields;
    }
    ++state_.field_count;
    if constexpr (kStores) {
      const std::string_view name{data_ + line.start, line.name_end - line.start};
      const KnownField id = known_field(name);
      if (id == KnownField::kUnknown) has_marks_ = has_marks_ || has_alias_mark(ops_, name);
      append_field_line(data_, line, id, out_.fields);
    }
    return Rule::kNone;
  }

  ParseResult stop(Walk walk) noexcept {
    if (walk == Walk::kError) return {HeadStatus::kError, broken_ != Rule::kNone ? broken_ : walker_.rule(), 0};
    state_.cursor = walker_.cursor();
    state_.is_started = true;
    return {HeadStatus::kNeedMore, Rule::kNone, 0};
  }

  const ScanOps& ops_;
  const char* data_;
  LineWalker walker_;
  const HeadLimits& limits_;
  ScanState& state_;
  RequestHead& out_;
  Rule broken_ = Rule::kNone;
  bool has_marks_ = false;
};

// A run from the first byte, with all that makes a head.
ParseResult run_whole(const ScanOps& ops, const char* data, std::size_t size, const HeadLimits& limits,
                      ScanState& state, RequestHead& out) noexcept {
  Run<true> run(ops, data, size, limits, state, out);
  const ParseResult result = run();
  if (result.status != HeadStatus::kDone) return result;
  if (run.has_marks() && !limits.keeps_aliases) out.dropped_aliases = drop_aliases(ops, out.fields);
  const Rule broken = derive_framing(out);
  if (broken != Rule::kNone) return {HeadStatus::kError, broken, 0};
  return result;
}

// Begins behind one empty line, if there is one. False: the bytes do not tell yet.
bool start_head(const char* data, std::size_t size, ScanState& state) noexcept {
  if (size == 0 || (size == 1 && data[0] == '\r')) return false;
  const bool has_empty_line = data[0] == '\r' && data[1] == '\n';
  state.cursor.line_start = state.cursor.scanned = has_empty_line ? 2 : 0;
  return true;
}

}  // namespace

ParseResult parse_request_head(const ScanOps& ops, const char* data, std::size_t size, const HeadLimits& limits,
                               ScanState& state, RequestHead& out) noexcept {
  size = std::min(size, kMaxData);
  out.reset(data);
  if (!state.is_started && !start_head(data, size, state)) return {};
  ParseResult result;
  if (!state.is_started) {
    result = run_whole(ops, data, size, limits, state, out);
  } else {
    result = Run<false>(ops, data, size, limits, state, out)();
    if (result.status == HeadStatus::kDone) {
      state = {};
      out.reset(data);
      start_head(data, size, state);
      result = run_whole(ops, data, result.consumed, limits, state, out);
    }
  }
  if (result.status == HeadStatus::kDone) state = {};
  return result;
}

ParseResult parse_request_head(const char* data, std::size_t size, const HeadLimits& limits, ScanState& state,
                               RequestHead& out) noexcept {
  return parse_request_head(scan_ops(), data, size, limits, state, out);
}

}  // namespace tidegate::http::h1
