// Answers of the control socket.
#include "cli/http_answer.h"

#include <doctest/doctest.h>

namespace tidegate {
namespace {

TEST_CASE("an answer is its status and as much body as it tells") {
  const auto answer = cli::parse_answer("HTTP/1.1 200 OK\r\nDate: x\r\ncontent-length:  5 \r\n\r\nhello");
  REQUIRE(answer.has_value());
  CHECK(answer->status == 200);
  CHECK(answer->body == "hello");
  const auto empty = cli::parse_answer("HTTP/1.1 422 \r\nContent-Length: 0\r\n\r\n");
  REQUIRE(empty.has_value());
  CHECK(empty->status == 422);
  CHECK(empty->body.empty());
  CHECK(cli::parse_answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello")->body == "he");
}

TEST_CASE("what is no whole answer is refused") {
  for (const std::string_view bytes : {
           "",
           "SSH-2.0-OpenSSH_9.2\r\n",
           "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
           "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nX-Content-Length: 5\r\n\r\nhello",
       }) {
    CAPTURE(bytes);
    CHECK_FALSE(cli::parse_answer(bytes).has_value());
  }
}

}  // namespace
}  // namespace tidegate
