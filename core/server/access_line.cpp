// The two forms of an access line. Whatever a client sent is escaped, so that a line is always one line.
#include <array>
#include <charconv>

#include "base/address.h"
#include "http/semantics/date.h"
#include "server/access_log.h"

namespace tidegate::server {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_number(std::string& line, std::uint64_t number) {
  std::array<char, 20> digits;
  line.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

// A JSON string (RFC 8259 section 7). Bytes that are not ASCII are written as \u00XX, byte by byte: the log keeps what
// was sent, also when that was no UTF-8.
void append_json_text(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      line.append("\\u00");
      line += kHex[byte >> 4U];
      line += kHex[byte & 15U];
    } else {
      line += c;
    }
  }
  line += '"';
}

void append_json_field(std::string& line, std::string_view name, std::string_view value) {
  line.append(",\"").append(name).append("\":");
  append_json_text(line, value);
}

void append_json_number(std::string& line, std::string_view name, std::uint64_t value) {
  line.append(",\"").append(name).append("\":");
  append_number(line, value);
}

std::string_view field_of(const http::Exchange& exchange, http::KnownField id) {
  return exchange.fields == nullptr ? std::string_view{} : exchange.fields->find(id).value_or(std::string_view{});
}

// "2026-12-01T04:05:06.123456Z"
void append_time(std::string& line, std::int64_t time_us) {
  std::array<char, http::kRfc3339Size> text;
  http::format_rfc3339(time_us / 1'000'000, text);
  line.append(text.data(), text.size() - 1);
  std::string micros = std::to_string(time_us % 1'000'000);
  line.append(".").append(6 - micros.size(), '0').append(micros).append("Z");
}

void append_seconds(std::string& line, std::int64_t duration_us) {
  std::array<char, 32> text;
  const double seconds = static_cast<double>(duration_us < 0 ? 0 : duration_us) / 1e6;
  line.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed, 6).ptr);
}

// Apache's escapes: quotes and backslashes with a backslash, everything that does not print as \xHH.
void append_combined_text(std::string& line, std::string_view text) {
  if (text.empty()) line += '-';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      line.append("\\x");
      line += kHex[byte >> 4U];
      line += kHex[byte & 15U];
    } else {
      line += c;
    }
  }
}

// "10/Oct/2000:13:55:36 +0000"
void append_combined_time(std::string& line, std::int64_t time_us) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const http::CivilTime time = http::civil_from_seconds(time_us / 1'000'000);
  const auto two = [&](int value) {
    line += static_cast<char>('0' + value / 10);
    line += static_cast<char>('0' + value % 10);
  };
  two(time.day);
  line.append("/").append(kMonths.substr(static_cast<std::size_t>(time.month - 1) * 3, 3)).append("/");
  append_number(line, static_cast<std::uint64_t>(time.year));
  for (const int value : {time.hour, time.minute, time.second}) {
    line += ':';
    two(value);
  }
  line.append(" +0000");
}

}  // namespace

void append_json_line(std::string& line, const pipeline::RoutedExchange& exchange, std::int64_t now_us) {
  const http::Request& request = exchange.request;
  line.append("{\"ts\":\"");
  append_time(line, exchange.started_us);
  line += '"';
  append_json_field(line, "client_ip", base::format_ip(request.client));
  append_json_field(line, "proto", http::name_of(request.version));
  append_json_field(line, "host", request.host);
  append_json_field(line, "method", request.method_text);
  append_json_field(line, "path", request.target);
  append_json_number(line, "status", exchange.response_started ? exchange.response.status : 499);
  append_json_number(line, "bytes_in", exchange.bytes_received);
  append_json_number(line, "bytes_out", exchange.bytes_sent);
  line.append(",\"dur_s\":");
  append_seconds(line, now_us - exchange.started_us);
  if (exchange.plan != nullptr) {
    append_json_field(line, "site", exchange.plan->site);
    append_json_field(line, "route", exchange.plan->name.empty() ? exchange.plan->place : exchange.plan->name);
  }
  append_json_number(line, "gen", exchange.snapshot == nullptr ? 0 : exchange.snapshot->generation);
  if (!exchange.user.empty()) append_json_field(line, "user", exchange.user);
  append_json_field(line, "referer", field_of(exchange, http::KnownField::kReferer));
  append_json_field(line, "user_agent", field_of(exchange, http::KnownField::kUserAgent));
  if (!exchange.failure_hint.empty()) append_json_field(line, "reason", exchange.failure_hint);
  if (exchange.abandoned) append_json_field(line, "aborted", base::name_of(exchange.failure.code));
  line.append("}\n");
}

void append_combined_line(std::string& line, const pipeline::RoutedExchange& exchange, std::int64_t) {
  const http::Request& request = exchange.request;
  line.append(base::format_ip(request.client)).append(" - ");
  append_combined_text(line, exchange.user);
  line.append(" [");
  append_combined_time(line, exchange.started_us);
  line.append("] \"");
  if (request.target.empty()) {
    line += '-';
  } else {
    append_combined_text(line, request.method_text);
    line += ' ';
    append_combined_text(line, request.target);
    line.append(" ").append(http::name_of(request.version));
  }
  line.append("\" ");
  append_number(line, exchange.response_started ? exchange.response.status : 499);
  line += ' ';
  if (exchange.bytes_sent == 0) {
    line += '-';
  } else {
    append_number(line, exchange.bytes_sent);
  }
  line.append(" \"");
  append_combined_text(line, field_of(exchange, http::KnownField::kReferer));
  line.append("\" \"");
  append_combined_text(line, field_of(exchange, http::KnownField::kUserAgent));
  line.append("\"\n");
}

}  // namespace tidegate::server
