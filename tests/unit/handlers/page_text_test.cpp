// Escaping for HTML and JSON, UTF-8 decoding, and the compile-time digest of the page policies.
#include "pipeline/pages/page_text.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "pipeline/pages/page_policy.h"

namespace pages = tidegate::pages;

namespace {

std::string html(std::string_view text) {
  std::string out;
  pages::append_html(out, text);
  return out;
}

std::string json(std::string_view text) {
  std::string out;
  pages::append_json(out, text);
  return out;
}

// Decodes and encodes again.
std::string repaired(std::string_view text) {
  std::string out;
  while (!text.empty()) pages::append_utf8(out, pages::take_code_point(text));
  return out;
}

std::string hex(const pages::Sha256& digest) {
  std::string out;
  for (const unsigned byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

constexpr std::string_view kStyle = "body{color:red}";

}  // namespace

TEST_CASE("page text: HTML") {
  CHECK(html("") == "");
  CHECK(html("plain text 123") == "plain text 123");
  CHECK(html("<a href=\"x\">'&'</a>") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  CHECK(html("\u00E4\u20AC\u6F22\U0001F30A") == "\u00E4\u20AC\u6F22\U0001F30A");
  CHECK(html("a\nb\tc") == "a\u240Ab\u2409c");
  CHECK(html(std::string_view("\0", 1)) == "\u2400");
  CHECK(html("\x1F\x7F") == "\u241F\u2421");
  CHECK(html("\u0085") == "\uFFFD");
  CHECK(html("\u202E\u2066\u2069\u202A") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(html("\u2029\u202F\u2065") == "\u2029\u202F\u2065");
}

TEST_CASE("page text: JSON") {
  CHECK(json("") == "\"\"");
  CHECK(json("a\"b\\c/") == "\"a\\\"b\\\\c/\"");
  CHECK(json("\b\f\n\r\t") == "\"\\b\\f\\n\\r\\t\"");
  CHECK(json(std::string_view("\0\x01\x1F", 3)) == "\"\\u0000\\u0001\\u001f\"");
  CHECK(json("\u00E4\u202E\U0001F30A") == "\"\u00E4\u202E\U0001F30A\"");
  CHECK(json("\xFF") == "\"\uFFFD\"");
}

TEST_CASE("page text: well-formed UTF-8 passes, at the edges of each length") {
  for (const std::string_view text : {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                      "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CHECK(repaired(text) == text);
  }
}

TEST_CASE("page text: what is not UTF-8 becomes replacement characters") {
  CHECK(repaired("\x80") == "\uFFFD");
  CHECK(repaired("\xC0\xAF") == "\uFFFD\uFFFD");  // overlong slash
  CHECK(repaired("\xC1\xBF") == "\uFFFD\uFFFD");
  CHECK(repaired("\xE0\x9F\xBF") == "\uFFFD\uFFFD\uFFFD");  // overlong
  CHECK(repaired("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");  // surrogate
  CHECK(repaired("\xF0\x8F\xBF\xBF") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(repaired("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
  CHECK(repaired("\xF5\xFF") == "\uFFFD\uFFFD");
  CHECK(repaired("\xC3") == "\uFFFD");  // cut off
  CHECK(repaired("\xE2\x82") == "\uFFFD");
  CHECK(repaired("\xF0\x9F\x8C") == "\uFFFD");
  CHECK(repaired("\xC3(") == "\uFFFD(");  // the byte after is not swallowed
  CHECK(repaired("\xE2\x82<") == "\uFFFD<");
  CHECK(html("\xC3<b>") == "\uFFFD&lt;b&gt;");
}

TEST_CASE("page policy: SHA-256 of the examples of FIPS 180") {
  CHECK(hex(pages::sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(pages::sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(pages::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(pages::sha256(std::string(1000000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("page policy: SHA-256 where the padding needs another block") {
  CHECK(hex(pages::sha256(std::string(55, 'a'))) ==
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(hex(pages::sha256(std::string(56, 'a'))) ==
        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  CHECK(hex(pages::sha256(std::string(64, 'a'))) ==
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST_CASE("page policy: base64 and the value of the field") {
  const auto text = pages::base64(pages::sha256(""));
  CHECK(std::string_view(text.data(), text.size()) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(pages::PagePolicy<kStyle>::kText ==
        "default-src 'none'; style-src 'sha256-FcQqt3aNlV7AZnGV4zkQRVeCeJOxbMPnQSx258L803E='; img-src data:; base-uri "
        "'none'; form-action 'none'; frame-ancestors 'self'");
}
