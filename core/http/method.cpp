// Method and version names. See method.h.
#include "http/method.h"

namespace tidegate::http {

Method method_from_token(std::string_view token) noexcept {
  switch (token.size()) {
    case 3:
      if (token == "GET") return Method::kGet;
      if (token == "PUT") return Method::kPut;
      break;
    case 4:
      if (token == "HEAD") return Method::kHead;
      if (token == "POST") return Method::kPost;
      break;
    case 5:
      if (token == "PATCH") return Method::kPatch;
      if (token == "TRACE") return Method::kTrace;
      break;
    case 6:
      if (token == "DELETE") return Method::kDelete;
      break;
    case 7:
      if (token == "OPTIONS") return Method::kOptions;
      if (token == "CONNECT") return Method::kConnect;
      break;
    default: break;
  }
  return Method::kOther;
}

std::string_view name_of(Method method) noexcept {
  switch (method) {
    case Method::kGet: return "GET";
    case Method::kHead: return "HEAD";
    case Method::kPost: return "POST";
    case Method::kPut: return "PUT";
    case Method::kDelete: return "DELETE";
    case Method::kConnect: return "CONNECT";
    case Method::kOptions: return "OPTIONS";
    case Method::kTrace: return "TRACE";
    case Method::kPatch: return "PATCH";
    case Method::kOther: break;
  }
  return {};
}

std::string_view name_of(Version version) noexcept {
  switch (version) {
    case Version::kHttp10: return "HTTP/1.0";
    case Version::kHttp11: return "HTTP/1.1";
    case Version::kHttp2: return "HTTP/2.0";
    case Version::kHttp3: return "HTTP/3.0";
  }
  return {};
}

}  // namespace tidegate::http
