#include "http/h1/request_fill.h"

#include "http/semantics/target.h"

namespace tidegate::http::h1 {

std::optional<std::string_view> fill_request(const RequestHead& head, Exchange& exchange) {
  Request& request = exchange.request;
  request.method = head.method;
  request.version = head.version;
  request.form = head.target_form;
  request.method_text = head.view(head.method_token);
  request.target = head.view(head.target);
  request.query = head.view(head.query);
  request.host = head.view(head.host);
  request.has_body = head.body != BodyKind::kNone;
  request.expects_continue = head.expect_continue;
  if (head.body == BodyKind::kLength) request.body_length = head.content_length;
  exchange.head_only = head.method == Method::kHead;
  if (head.target_form == TargetForm::kAsterisk || head.target_form == TargetForm::kAuthority) {
    request.path = request.target;
    return std::nullopt;
  }
  const std::string_view raw = head.request_path();
  const auto normal = normalize_path(raw, {exchange.arena.allocate_array<char>(raw.size()), raw.size()});
  if (!normal) {
    request.path = "/";
    return describe(normal.error());
  }
  request.path = normal->text;
  request.has_encoded_slash = normal->has_encoded_slash;
  request.has_control_byte = normal->has_control_byte;
  return std::nullopt;
}

}  // namespace tidegate::http::h1
