// Accept-Encoding, Accept, hop-by-hop fields, status codes and media types (RFC 9110 sections 7.6.1, 8.3, 12, 15).
#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <vector>

#include "http/semantics/hop_by_hop.h"
#include "http/semantics/media_type.h"
#include "http/semantics/negotiation.h"
#include "http/semantics/status.h"

namespace http = tidegate::http;
using http::ContentCoding;
using Lines = std::vector<std::string_view>;

namespace {

constexpr std::array kAll = {ContentCoding::kZstd, ContentCoding::kBrotli, ContentCoding::kGzip,
                             ContentCoding::kIdentity};

std::string_view chosen(const Lines& lines, std::vector<ContentCoding> available = {kAll.begin(), kAll.end()}) {
  const auto coding = http::choose_coding(http::parse_accept_encoding(lines), available);
  return coding ? http::coding_name(*coding) : "none";
}

std::uint16_t weight(const Lines& lines, ContentCoding coding) { return http::parse_accept_encoding(lines).of(coding); }

constexpr std::array<std::string_view, 2> kListingOffers = {"text/html", "application/json"};

std::string_view listing_for(const Lines& lines) {
  const auto index = http::choose_media_type(lines, kListingOffers);
  return index ? kListingOffers[*index] : "none";
}

}  // namespace

TEST_CASE("weight: every form of the grammar") {
  CHECK(http::parse_weight("0") == 0);
  CHECK(http::parse_weight("1") == 1000);
  CHECK(http::parse_weight("0.") == 0);
  CHECK(http::parse_weight("1.") == 1000);
  CHECK(http::parse_weight("0.5") == 500);
  CHECK(http::parse_weight("0.05") == 50);
  CHECK(http::parse_weight("0.001") == 1);
  CHECK(http::parse_weight("0.999") == 999);
  CHECK(http::parse_weight("1.000") == 1000);
  CHECK(http::parse_weight("0.000") == 0);
}

TEST_CASE("weight: what is none") {
  for (const char* text : {"", "2", "1.001", "1.1", "0.0001", "1.0000", ".5", "-0", "-1", "0,5", "0.5 ", " 0.5", "00.5",
                           "0.a", "1e0", "0x1", "10", "01", "0.-1"}) {
    CAPTURE(text);
    CHECK_FALSE(http::parse_weight(text));
  }
}

TEST_CASE("coding names") {
  CHECK(http::coding_name(ContentCoding::kIdentity) == "identity");
  CHECK(http::coding_name(ContentCoding::kGzip) == "gzip");
  CHECK(http::coding_name(ContentCoding::kBrotli) == "br");
  CHECK(http::coding_name(ContentCoding::kZstd) == "zstd");
  CHECK(http::coding_from_name("BR") == ContentCoding::kBrotli);
  CHECK(http::coding_from_name("X-GZip") == ContentCoding::kGzip);
  CHECK_FALSE(http::coding_from_name("deflate"));
  CHECK_FALSE(http::coding_from_name(""));
}

TEST_CASE("accept-encoding: absent means plain, but nothing is refused") {
  CHECK(chosen({}) == "identity");
  CHECK(chosen({}, {ContentCoding::kGzip}) == "gzip");
}

TEST_CASE("accept-encoding: empty means plain only") {
  CHECK(chosen({""}) == "identity");
  CHECK(chosen({""}, {ContentCoding::kGzip}) == "none");
  CHECK(chosen({" , "}) == "identity");
}

TEST_CASE("accept-encoding: what browsers and tools send") {
  CHECK(chosen({"gzip, deflate, br, zstd"}) == "zstd");
  CHECK(chosen({"gzip, deflate, br"}) == "br");
  CHECK(chosen({"gzip, deflate"}) == "gzip");
  CHECK(chosen({"deflate"}) == "identity");
  CHECK(chosen({"gzip;q=1.0, *;q=0.5"}) == "gzip");
  CHECK(chosen({"compress, gzip"}) == "gzip");
  CHECK(chosen({"compress;q=0.5, gzip;q=1.0"}) == "gzip");
  CHECK(chosen({"gzip;q=1.0, identity; q=0.5, *;q=0"}) == "gzip");
  CHECK(chosen({"gzip", "br"}) == "br");
}

TEST_CASE("accept-encoding: the order of the server breaks ties") {
  CHECK(chosen({"br, gzip"}, {ContentCoding::kGzip, ContentCoding::kBrotli, ContentCoding::kIdentity}) == "gzip");
  CHECK(chosen({"br, gzip"}, {ContentCoding::kBrotli, ContentCoding::kGzip, ContentCoding::kIdentity}) == "br");
  CHECK(chosen({"identity, gzip"}) == "gzip");
  CHECK(chosen({"identity, gzip"}, {ContentCoding::kIdentity, ContentCoding::kGzip}) == "identity");
}

TEST_CASE("accept-encoding: weights beat the order of the server") {
  CHECK(chosen({"zstd;q=0.5, br;q=0.8, gzip;q=0.3"}) == "br");
  CHECK(chosen({"zstd;q=0.001, br;q=0.002"}) == "br");
  CHECK(chosen({"br;q=0.999, gzip"}) == "gzip");
  CHECK(chosen({"gzip;q=0.5, identity"}) == "identity");
  CHECK(chosen({"gzip;q=0.001"}) == "gzip");
}

TEST_CASE("accept-encoding: q=0 refuses") {
  CHECK(chosen({"gzip;q=0"}) == "identity");
  CHECK(chosen({"gzip;q=0.000, br"}) == "br");
  CHECK(chosen({"*, zstd;q=0, br;q=0"}) == "gzip");
}

TEST_CASE("accept-encoding: the wildcard covers what is not listed") {
  CHECK(chosen({"*"}) == "zstd");
  CHECK(chosen({"*;q=0.5, gzip"}) == "gzip");
  CHECK(chosen({"*;q=0.5"}, {ContentCoding::kIdentity}) == "identity");
  CHECK(weight({"*;q=0.5, gzip"}, ContentCoding::kIdentity) == 500);
  CHECK(weight({"gzip"}, ContentCoding::kIdentity) == 1);
  CHECK(weight({"gzip"}, ContentCoding::kBrotli) == 0);
}

TEST_CASE("accept-encoding: nothing acceptable") {
  CHECK(chosen({"identity;q=0"}) == "none");
  CHECK(chosen({"*;q=0"}) == "none");
  CHECK(chosen({"identity;q=0, gzip"}, {ContentCoding::kBrotli, ContentCoding::kIdentity}) == "none");
  CHECK(chosen({"identity;q=0, gzip"}) == "gzip");
  CHECK(chosen({"*;q=0, identity"}) == "identity");
  CHECK(chosen({"*;q=0, identity;q=0.1"}) == "identity");
  CHECK(chosen({"gzip"}, {}) == "none");
}

TEST_CASE("accept-encoding: case, spaces, and a name twice") {
  CHECK(chosen({"GZIP ; Q=0.9 , BR;q=0.8"}) == "gzip");
  CHECK(chosen({"gzip, gzip;q=0"}) == "identity");
  CHECK(chosen({"gzip;q=0, x-gzip"}) == "identity");
}

TEST_CASE("accept-encoding: malformed elements neither accept nor refuse") {
  CHECK(chosen({"gzip;q=2"}) == "identity");
  CHECK(chosen({"gzip;q=, br;q=x, zstd;q=\"1\""}) == "identity");
  CHECK(chosen({"identity;q=nope"}) == "identity");
  CHECK(chosen({";q=1, =, \"gzip\""}) == "identity");
  CHECK(chosen({"gzip br"}) == "identity");
}

TEST_CASE("accept: listings as HTML or JSON") {
  CHECK(listing_for({}) == "text/html");
  CHECK(listing_for({""}) == "text/html");
  CHECK(listing_for({"*/*"}) == "text/html");
  CHECK(listing_for({"application/json"}) == "application/json");
  CHECK(listing_for({"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}) == "text/html");
  CHECK(listing_for({"application/json, text/plain, */*"}) == "application/json");  // same weight, but JSON is named
  CHECK(listing_for({"text/*, application/json"}) == "application/json");
  CHECK(listing_for({"text/html, application/json"}) == "text/html");
  CHECK(listing_for({"application/json, */*;q=0.1"}) == "application/json");
  CHECK(listing_for({"application/*"}) == "application/json");
  CHECK(listing_for({"text/*;q=0.5, application/json;q=0.6"}) == "application/json");
  CHECK(listing_for({"text/*;q=0.6, application/*;q=0.6"}) == "text/html");
  CHECK(listing_for({"image/png"}) == "none");
  CHECK(listing_for({"text/html;q=0"}) == "none");
  CHECK(listing_for({"text/html;q=0, */*"}) == "application/json");
  CHECK(listing_for({"APPLICATION/JSON"}) == "application/json");
  CHECK(listing_for({"image/png", "application/json"}) == "application/json");
}

TEST_CASE("accept: the more specific range sets the weight") {
  CHECK(listing_for({"*/*;q=1, text/*;q=0.5, text/html;q=0.1"}) == "application/json");
  CHECK(listing_for({"text/html;q=0.9, text/*;q=0.1, */*;q=0.5"}) == "text/html");
  // The table of RFC 9110 section 12.5.1.
  const Lines lines = {
      "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"};
  const auto better = [&lines](std::string_view a, std::string_view b) {
    const std::array<std::string_view, 2> offers = {b, a};
    return http::choose_media_type(lines, offers) == 1;
  };
  CHECK(better("text/plain", "image/jpeg"));  // 0.7 over 0.5
  CHECK(better("image/jpeg", "text/html"));   // 0.5 over 0.3
}

TEST_CASE("accept: parameters") {
  CHECK(listing_for({"application/json;charset=utf-8"}) == "application/json");
  CHECK(listing_for({"application/json;version=2, text/html;q=0.1"}) == "text/html");
  CHECK(listing_for({"application/json;version=2"}) == "none");
  CHECK(listing_for({"text/html;q=0.2;ext=1, application/json;q=0.3"}) == "application/json");
  CHECK(listing_for({"text/html;level=\"a,b\";q=1, application/json;q=0.1"}) == "application/json");
}

TEST_CASE("accept: malformed ranges are skipped") {
  CHECK(listing_for({"text"}) == "text/html");
  CHECK(listing_for({"/json, */json, text/, text/html;q=7"}) == "text/html");
  CHECK(listing_for({"nonsense, application/json"}) == "application/json");
  CHECK(listing_for({"te xt/html, application/json"}) == "application/json");
}

TEST_CASE("accept: no offers") { CHECK_FALSE(http::choose_media_type(Lines{"*/*"}, {})); }

TEST_CASE("hop-by-hop: the fixed names") {
  for (const char* name : {"Connection", "keep-alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
                           "UPGRADE", "HTTP2-Settings", "Proxy-Authenticate", "Proxy-Authorization"}) {
    CAPTURE(name);
    CHECK(http::is_hop_by_hop(name));
  }
  for (const char* name : {"Host", "Content-Length", "Cookie", "T", "TEE", "Connectio", "Trailers", "", "Via"}) {
    CAPTURE(name);
    CHECK_FALSE(http::is_hop_by_hop(name));
  }
}

TEST_CASE("hop-by-hop: what Connection names is dropped, what the next hop needs is not") {
  const Lines connection = {"close, X-Private", "x-other,Content-Length, X-Forwarded-For"};
  CHECK(http::must_drop_for_next_hop("x-private", connection));
  CHECK(http::must_drop_for_next_hop("X-Other", connection));
  CHECK(http::must_drop_for_next_hop("Upgrade", {}));
  CHECK_FALSE(http::must_drop_for_next_hop("X-Public", connection));
  CHECK_FALSE(http::must_drop_for_next_hop("Content-Length", connection));
  CHECK_FALSE(http::must_drop_for_next_hop("x-forwarded-for", connection));
  CHECK_FALSE(http::must_drop_for_next_hop("X-Private", {}));
  CHECK(http::is_protected_from_connection("HOST"));
  CHECK_FALSE(http::is_protected_from_connection("X-Private"));
}

TEST_CASE("status: reason phrases") {
  CHECK(http::reason_phrase(100) == "Continue");
  CHECK(http::reason_phrase(200) == "OK");
  CHECK(http::reason_phrase(206) == "Partial Content");
  CHECK(http::reason_phrase(304) == "Not Modified");
  CHECK(http::reason_phrase(404) == "Not Found");
  CHECK(http::reason_phrase(413) == "Content Too Large");
  CHECK(http::reason_phrase(422) == "Unprocessable Content");
  CHECK(http::reason_phrase(431) == "Request Header Fields Too Large");
  CHECK(http::reason_phrase(511) == "Network Authentication Required");
  static_assert(http::reason_phrase(503) == "Service Unavailable");
  int registered = 0;
  for (int status = 0; status < 1000; ++status) registered += http::reason_phrase(status).empty() ? 0 : 1;
  CHECK(registered == 63);
}

TEST_CASE("status: codes without a name, and outside of the range") {
  for (const int status : {-1, 0, 99, 105, 199, 299, 306, 419, 499, 512, 599, 600, 999}) {
    CAPTURE(status);
    CHECK(http::reason_phrase(status).empty());
  }
  CHECK_FALSE(http::is_valid_status(99));
  CHECK(http::is_valid_status(100));
  CHECK(http::is_valid_status(599));
  CHECK_FALSE(http::is_valid_status(600));
}

TEST_CASE("status: classes and content") {
  CHECK(http::status_class(101) == http::StatusClass::kInformational);
  CHECK(http::status_class(299) == http::StatusClass::kSuccessful);
  CHECK(http::status_class(308) == http::StatusClass::kRedirection);
  CHECK(http::status_class(499) == http::StatusClass::kClientError);
  CHECK(http::status_class(500) == http::StatusClass::kServerError);
  CHECK(http::status_forbids_content(100));
  CHECK(http::status_forbids_content(199));
  CHECK_FALSE(http::status_forbids_content(200));
  CHECK(http::status_forbids_content(204));
  CHECK_FALSE(http::status_forbids_content(205));
  CHECK(http::status_forbids_content(304));
}

TEST_CASE("media type: essence and compressibility") {
  CHECK(http::media_type_essence("text/html; charset=utf-8") == "text/html");
  CHECK(http::media_type_essence(" text/html ") == "text/html");
  CHECK(http::media_type_essence("") == "");
  for (const char* type :
       {"text/html; charset=utf-8", "TEXT/CSS", "text/javascript", "application/json", "image/svg+xml",
        "application/ld+json", "application/wasm", "font/ttf", "application/xml", "text/plain"}) {
    CAPTURE(type);
    CHECK(http::is_compressible_type(type));
  }
  for (const char* type : {"", "text", "image/png", "image/avif", "video/mp4", "font/woff2", "application/zip",
                           "application/gzip", "application/octet-stream", "text/event-stream", "application/pdf"}) {
    CAPTURE(type);
    CHECK_FALSE(http::is_compressible_type(type));
  }
}
