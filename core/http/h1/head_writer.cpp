#include "http/h1/head_writer.h"

#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "http/semantics/status.h"

namespace tidegate::http::h1 {

namespace {

constexpr std::string_view kServer = "Server: Tidegate\r\n";

// "HTTP/1.1 200 OK\r\n" for every registered status, made before main.
class StatusLines {
 public:
  StatusLines() {
    for (int status = kMinStatus; status <= kMaxStatus; ++status) {
      std::string& line = lines_[static_cast<std::size_t>(status - kMinStatus)];
      line.append("HTTP/1.1 ").append(std::to_string(status)).append(" ").append(reason_phrase(status)).append("\r\n");
    }
  }
  [[nodiscard]] std::string_view operator[](int status) const {
    return lines_[static_cast<std::size_t>(status - kMinStatus)];
  }

 private:
  std::array<std::string, kMaxStatus - kMinStatus + 1> lines_;
};

const StatusLines kStatusLines;

// Writes through a cursor; the caller has reserved enough.
class Cursor {
 public:
  explicit Cursor(char* at) : begin_(at), at_(at) {}
  void put(std::string_view text) {
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void put(std::uint64_t number) { at_ = std::to_chars(at_, at_ + 20, number).ptr; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  char* begin_;
  char* at_;
};

constexpr std::size_t kFixedPartMax = 256;  // status line, Server, Date, Content-Length, Connection, empty line

std::size_t variable_size(const Response& response) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < response.block_count; ++i) size += response.blocks[i]->wire().size();
  for (const ExtraField* field = response.extra; field != nullptr; field = field->next) {
    size += field->name.size() + field->value.size() + 4;
  }
  return size;
}

void put_fixed_front(Cursor& cursor, const Response& response, std::string_view date) {
  cursor.put(kStatusLines[response.status]);
  if (!response.omit_server) cursor.put(kServer);
  cursor.put("Date: ");
  cursor.put(date);
  cursor.put("\r\n");
}

void put_fixed_back(Cursor& cursor, const HeadFraming& framing) {
  if (framing.content_length) {
    cursor.put("Content-Length: ");
    cursor.put(*framing.content_length);
    cursor.put("\r\n");
  } else if (framing.chunked) {
    cursor.put("Transfer-Encoding: chunked\r\n");
  }
  if (framing.close) {
    cursor.put("Connection: close\r\n\r\n");
  } else if (framing.keep_alive_http10) {
    cursor.put("Connection: keep-alive\r\n\r\n");
  } else {
    cursor.put("\r\n");
  }
}

void put_field(Cursor& cursor, const ExtraField& field) {
  cursor.put(field.name);
  cursor.put(": ");
  cursor.put(field.value);
  cursor.put("\r\n");
}

// A head that does not fit one block of the queue: piece by piece.
void write_long_head(net::WriteQueue& out, const Response& response, const HeadFraming& framing, std::string_view date) {
  std::array<char, kFixedPartMax> fixed;
  Cursor front(fixed.data());
  put_fixed_front(front, response, date);
  out.append({fixed.data(), front.size()});
  for (std::size_t i = 0; i < response.block_count; ++i) out.append(response.blocks[i]->wire());
  for (const ExtraField* field = response.extra; field != nullptr; field = field->next) {
    for (const std::string_view piece : {field->name, std::string_view(": "), field->value, std::string_view("\r\n")}) {
      out.append(piece);
    }
  }
  Cursor back(fixed.data());
  put_fixed_back(back, framing);
  out.append({fixed.data(), back.size()});
}

}  // namespace

void write_head(net::WriteQueue& out, const Response& response, const HeadFraming& framing, std::string_view date) {
  const std::size_t size_max = kFixedPartMax + variable_size(response);
  if (size_max > net::WriteBlock::kText) return write_long_head(out, response, framing, date);
  Cursor cursor(out.reserve(size_max));
  put_fixed_front(cursor, response, date);
  for (std::size_t i = 0; i < response.block_count; ++i) cursor.put(response.blocks[i]->wire());
  for (const ExtraField* field = response.extra; field != nullptr; field = field->next) put_field(cursor, *field);
  put_fixed_back(cursor, framing);
  out.commit(cursor.size());
}

}  // namespace tidegate::http::h1
