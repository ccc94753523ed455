// Method and version names.
#include "http/method.h"

#include <doctest/doctest.h>

using namespace tidegate::http;

TEST_CASE("method: names go there and back") {
  for (int i = 0; i < static_cast<int>(Method::kOther); ++i) {
    const auto method = static_cast<Method>(i);
    CHECK_FALSE(name_of(method).empty());
    CHECK(method_from_token(name_of(method)) == method);
  }
  CHECK(name_of(Method::kOther).empty());
}

TEST_CASE("method: anything else is other") {
  for (const char* token :
       {"", "G", "get", "GETT", "GE", "PUTS", "POSTS", "HEAt", "PATCHES", "DELETe", "OPTIONs", "CONNECt"}) {
    CHECK(method_from_token(token) == Method::kOther);
  }
}

TEST_CASE("version: names") {
  CHECK(name_of(Version::kHttp10) == "HTTP/1.0");
  CHECK(name_of(Version::kHttp11) == "HTTP/1.1");
  CHECK(name_of(Version::kHttp2) == "HTTP/2.0");
  CHECK(name_of(Version::kHttp3) == "HTTP/3.0");
}
