// Chunked bodies: what is decoded, what is refused, limits at n and n+1, and every way to cut the bytes.
#include <doctest/doctest.h>

#include <string>

#include "http/h1/chunked_decoder.h"
#include "tests/unit/http/h1_chunks.h"

using namespace tidegate::http;
using namespace tidegate::http::h1;

namespace {

// The outcome of a body, after it was found to be the same at once, byte by byte and cut at every place.
Decoded decode(std::string_view text, const ChunkLimits& limits = {}) {
  const Decoded expected = decode_in_pieces(text, text.size(), 1, limits);
  CHECK(decode_in_pieces(text, 0, 1, limits) == expected);
  const std::size_t stride = text.size() < 2000 ? 1 : 97;
  for (std::size_t cut = 0; cut <= text.size(); cut += stride) {
    CAPTURE(cut);
    CHECK(decode_in_pieces(text, cut, text.size(), limits) == expected);
  }
  return expected;
}

void check_decoded(std::string_view text, std::string_view body, const ChunkLimits& limits = {}) {
  CAPTURE(text);
  const Decoded out = decode(text, limits);
  CHECK(out.status == ChunkStatus::kDone);
  CHECK(text_of(out.rule) == "");
  CHECK(out.body == body);
  CHECK(out.consumed == text.size());
}

void check_refused(std::string_view text, Rule rule, int status = 400, const ChunkLimits& limits = {}) {
  CAPTURE(text);
  const Decoded out = decode(text, limits);
  CHECK(out.status == ChunkStatus::kError);
  CHECK(text_of(out.rule) == text_of(rule));
  CHECK(status_of(out.rule) == status);
}

}  // namespace

TEST_CASE("chunked: bodies") {
  check_decoded("0\r\n\r\n", "");
  check_decoded("5\r\nhello\r\n0\r\n\r\n", "hello");
  check_decoded("5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n", "hello, world");
  check_decoded("A\r\n0123456789\r\n0\r\n\r\n", "0123456789");
  check_decoded("a\r\n0123456789\r\n0\r\n\r\n", "0123456789");
  check_decoded("0000000000000005\r\nhello\r\n0000\r\n\r\n", "hello");
  check_decoded("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n");
  check_decoded({"3\r\na\0b\r\n0\r\n\r\n", 13}, {"a\0b", 3});
  const std::string large(70'000, 'x');
  check_decoded("11170\r\n" + large + "\r\n0\r\n\r\n", large);
}

TEST_CASE("chunked: bytes behind the body are not taken") {
  const Decoded out = decode("1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n");
  CHECK(out.status == ChunkStatus::kDone);
  CHECK(out.consumed == 11);
}

TEST_CASE("chunked: a body that is cut") {
  const std::string_view text = "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(decode(text.substr(0, size)).status == ChunkStatus::kNeedMore);
  }
}

TEST_CASE("chunked: body bytes stay where they are") {
  const std::string text = "5\r\nhello\r\n3\r\nabc\r\n0\r\n\r\n";
  ChunkedDecoder decoder;
  ChunkResult result = decoder.next(text.data(), text.size(), nullptr);
  CHECK(result.status == ChunkStatus::kData);
  CHECK(result.data.data() == text.data() + 3);
  CHECK(result.data == "hello");
  CHECK(result.consumed == 8);
  CHECK(decoder.body_size() == 5);
  const std::size_t at = result.consumed;
  result = decoder.next(text.data() + at, text.size() - at, nullptr);
  CHECK(result.data == "abc");
  result = decoder.next(text.data() + at + result.consumed, text.size() - at - result.consumed, nullptr);
  CHECK(result.status == ChunkStatus::kDone);
  CHECK(decoder.body_size() == 8);
}

TEST_CASE("chunked: the rest of a chunk is known") {
  ChunkedDecoder decoder;
  CHECK(decoder.chunk_rest() == 0);
  CHECK(decoder.next("100\r\nab", 7, nullptr).data == "ab");
  CHECK(decoder.chunk_rest() == 254);
}

TEST_CASE("chunked: nothing more is taken after the end or an error") {
  ChunkedDecoder decoder;
  CHECK(decoder.next("0\r\n\r\n", 5, nullptr).status == ChunkStatus::kDone);
  const ChunkResult after = decoder.next("5\r\n", 3, nullptr);
  CHECK(after.status == ChunkStatus::kNeedMore);
  CHECK(after.consumed == 0);
  decoder.reset();
  CHECK(decoder.next("x", 1, nullptr).status == ChunkStatus::kError);
  CHECK(decoder.next("0\r\n\r\n", 5, nullptr).consumed == 0);
  decoder.reset();
  CHECK(decoder.next("1\r\na\r\n", 6, nullptr).data == "a");
}

TEST_CASE("chunked: bad sizes") {
  for (const char* text : {"\r\n", "x\r\n", "-1\r\n", "+1\r\na", "0x1\r\na", " 1\r\na", "\t1\r\na", "1g\r\n", "g\r\n",
                           ";a\r\n", "1,\r\na", "1.0\r\na", "\"1\"\r\n", "\x80\r\n", "1_0\r\n"}) {
    check_refused(text, Rule::kBadChunkSize);
  }
  check_refused({"1\0\r\na", 5}, Rule::kBadChunkSize);
}

TEST_CASE("chunked: sizes that are too large") {
  check_refused("8000000000000000\r\n", Rule::kChunkSizeTooLarge);
  check_refused("ffffffffffffffff\r\n", Rule::kChunkSizeTooLarge);
  check_refused("00000000000000005\r\nhello\r\n", Rule::kChunkSizeTooLarge);
  check_refused("10000000000000005\r\nhello\r\n", Rule::kChunkSizeTooLarge);
  ChunkedDecoder decoder;
  CHECK(decoder.next("7fffffffffffffff\r\nab", 20, nullptr).data == "ab");
  CHECK(decoder.chunk_rest() == 0x7FFF'FFFF'FFFF'FFFDU);
}

TEST_CASE("chunked: line ends") {
  check_refused("5\nhello\r\n0\r\n\r\n", Rule::kBareLf);
  check_refused("\n", Rule::kBareLf);
  check_refused("5\rhello\r\n", Rule::kBareCr);
  check_refused("5\r\r\nhello", Rule::kBareCr);
  check_refused("5;a\nhello\r\n", Rule::kBareLf);
  check_refused("5;a=b\nhello\r\n", Rule::kBareLf);
  check_refused("5;a=\"b\"\nhello\r\n", Rule::kBareLf);
  check_refused("5\r\nhello\n0\r\n\r\n", Rule::kBadChunkEnd);
  check_refused("5\r\nhello\r0\r\n\r\n", Rule::kBadChunkEnd);
  check_refused("5\r\nhelloX\r\n", Rule::kBadChunkEnd);
  check_refused("5\r\nhello0\r\n\r\n", Rule::kBadChunkEnd);
  check_refused("4\r\nhello\r\n0\r\n\r\n", Rule::kBadChunkEnd);
  check_refused("6\r\nhello\r\n0\r\n\r\n", Rule::kBadChunkEnd);
  check_refused("0\r\n\n", Rule::kBareLf);
  check_refused("0\r\n\rX", Rule::kBareCr);
  check_refused("0\n\n", Rule::kBareLf);
}

TEST_CASE("chunked: extensions") {
  for (const char* line :
       {"5;a", "5;a=b", "5;a=\"b\"", "5 ;a", "5\t;\ta", "5;a;b;c", "5;a = b", "5;a\t=\t\"x y;,\"", "5; a ; b",
        "5;a=\"\"", "5;a=\"\\\"\"", "5;a=\"\\\\\";b", "5;a=b ;c", "5;a=\"b\" ;c", "5;a ;b", "5;a=\"\xC3\xA4\""}) {
    check_decoded(std::string(line) + "\r\nhello\r\n0;last=1\r\n\r\n", "hello");
  }
}

TEST_CASE("chunked: bad extensions") {
  for (const char* line : {"5;\r\n",           "5 \r\n",         "5\t\r\n",          "5 a\r\n",
                           "5;;a\r\n",         "5;=b\r\n",       "5;a=\r\n",         "5;a=;\r\n",
                           "5;a= \r\n",        "5;a \r\n",       "5;a b\r\n",        "5;a=b c\r\n",
                           "5;a=\"b\r\n",      "5;a=\"b\"c\r\n", "5;a=\"\x7F\"\r\n", "5;a=\"b\n\"\r\n",
                           "5;a=\"\\\n\"\r\n", "5;a=\"\\\r\n",   "5;a=\"\r\n\"\r\n", "5;a,b\r\n",
                           "5;\"a\"\r\n",      "5; \n",          "5;a=b \r\n",       "5;a==b\r\n"}) {
    check_refused(std::string(line) + "hello\r\n0\r\n\r\n", Rule::kBadChunkExtension);
  }
  check_refused({"5;a=\"\0\"\r\n", 9}, Rule::kBadChunkExtension);
}

TEST_CASE("chunked: limits of extensions") {
  ChunkLimits limits;
  limits.extension_size = 10;
  limits.extensions_total = 25;
  const std::string ten = "1;" + std::string(9, 'a') + "\r\nx\r\n";
  const std::string eleven = "1;" + std::string(10, 'a') + "\r\nx\r\n";
  check_decoded(ten + "0\r\n\r\n", "x", limits);
  check_refused(eleven + "0\r\n\r\n", Rule::kChunkExtensionTooLong, 400, limits);
  check_decoded(ten + ten + "0;abcd\r\n\r\n", "xx", limits);
  check_refused(ten + ten + "0;abcde\r\n\r\n", Rule::kChunkExtensionTooLong, 400, limits);
  SUBCASE("white space counts") {
    check_refused("1 " + std::string(10, ' ') + ";a\r\nx", Rule::kChunkExtensionTooLong, 400, limits);
  }
  SUBCASE("the defaults") {
    const std::string fits = "1;" + std::string(255, 'a') + "\r\nx\r\n";
    std::string all;
    for (int i = 0; i < 16; ++i) all += fits;
    check_decoded(all + "0\r\n\r\n", std::string(16, 'x'));
    check_refused(all + "0;a\r\n\r\n", Rule::kChunkExtensionTooLong);
    check_refused("1;" + std::string(256, 'a') + "\r\nx\r\n0\r\n\r\n", Rule::kChunkExtensionTooLong);
  }
}

TEST_CASE("chunked: trailers") {
  const Decoded out = decode("1\r\na\r\n0\r\nX-Sum: 1 \r\nserver-timing:x\r\nEmpty:\r\n\r\n");
  CHECK(out.status == ChunkStatus::kDone);
  CHECK(out.trailers == "X-Sum: 1|server-timing: x|Empty: |");
  CHECK(out.dropped == 0);
}

TEST_CASE("chunked: trailers without a table are checked all the same") {
  ChunkedDecoder decoder;
  CHECK(decoder.next("0\r\nX: y\r\n\r\n", 11, nullptr).status == ChunkStatus::kDone);
  decoder.reset();
  CHECK(decoder.next("0\r\nX : y\r\n\r\n", 12, nullptr).rule == Rule::kSpaceBeforeColon);
  decoder.reset();
  // In two pieces, the trailer section again as a whole.
  CHECK(decoder.next("0\r\nX: y\r\nZ", 10, nullptr).consumed == 3);
  CHECK(decoder.next("X: y\r\nZ: y\r\n\r\n", 14, nullptr).consumed == 14);
}

TEST_CASE("chunked: trailers that must not be set are left out") {
  const Decoded out = decode("0\r\nAuthorization: x\r\nCookie: y\r\nX: 1\r\nX_Real_IP: 2\r\nETag: \"a\"\r\n\r\n");
  CHECK(out.status == ChunkStatus::kDone);
  CHECK(out.trailers == "X: 1|ETag: \"a\"|");
  CHECK(out.dropped == 3);
}

TEST_CASE("chunked: trailers that would change the framing are refused") {
  check_refused("0\r\nContent-Length: 5\r\n\r\n", Rule::kForbiddenTrailer);
  check_refused("0\r\nX: y\r\ntransfer-encoding: chunked\r\n\r\n", Rule::kForbiddenTrailer);
  check_refused("0\r\nHost: a\r\n\r\n", Rule::kForbiddenTrailer);
}

TEST_CASE("chunked: bad trailers") {
  check_refused("0\r\nX : y\r\n\r\n", Rule::kSpaceBeforeColon);
  check_refused("0\r\n X: y\r\n\r\n", Rule::kLeadingWhitespace);
  check_refused("0\r\nX: y\r\n z\r\n\r\n", Rule::kFoldedField);
  check_refused("0\r\n: y\r\n\r\n", Rule::kEmptyFieldName);
  check_refused("0\r\nX\r\n\r\n", Rule::kMissingColon);
  check_refused("0\r\nX: y\n\r\n", Rule::kBareLf);
  check_refused("0\r\nX: y\rZ", Rule::kBareCr);
  check_refused({"0\r\nX: \0\r\n\r\n", 11}, Rule::kControlCharacter);
  check_refused("0\r\nGET / HTTP/1.1\r\n\r\n", Rule::kSpaceBeforeColon);
}

TEST_CASE("chunked: limits of trailers") {
  ChunkLimits limits;
  limits.trailer_size = 20;
  limits.trailer_count = 3;
  check_decoded("0\r\nX: " + std::string(15, 'v') + "\r\n\r\n", "", limits);
  check_refused("0\r\nX: " + std::string(16, 'v') + "\r\n\r\n", Rule::kTrailersTooLarge, 431, limits);
  check_refused("0\r\nX: " + std::string(400, 'v'), Rule::kTrailersTooLarge, 431, limits);
  check_decoded("0\r\na:\r\nb:\r\nc:\r\n\r\n", "", limits);
  check_refused("0\r\na:\r\nb:\r\nc:\r\nd:\r\n\r\n", Rule::kTooManyTrailers, 431, limits);
  SUBCASE("the defaults") {
    check_decoded("0\r\nX: " + std::string(8187, 'v') + "\r\n\r\n", "");
    check_refused("0\r\nX: " + std::string(8188, 'v') + "\r\n\r\n", Rule::kTrailersTooLarge, 431);
    std::string lines;
    for (int i = 0; i < 64; ++i) lines += "n" + std::to_string(i) + ":\r\n";
    check_decoded("0\r\n" + lines + "\r\n", "");
    check_refused("0\r\n" + lines + "n:\r\n\r\n", Rule::kTooManyTrailers, 431);
  }
}
