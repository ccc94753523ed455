#include "pipeline/policies/basic_auth.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.h"
#include "http/semantics/chars.h"
#include "io/blocking_pool.h"
#include "io/loop.h"
#include "pipeline/routed_exchange.h"
#include "pipeline/runner.h"
#include "pipeline/worker_services.h"

namespace tidegate::pipeline {

namespace {

constexpr std::int64_t kRememberMs = 60'000;
constexpr std::size_t kRememberMax = 256;
constexpr std::size_t kCredentialsMax = 1024;  // bytes of base64; longer ones are no passwords

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

}  // namespace

// A check under way on the blocking pool; lives in the exchange's arena until it is answered.
struct BasicAuthJob : io::Job, io::Message {
  const BasicAuthPolicy& policy;
  RoutedExchange& exchange;
  BasicCredentials credentials;
  BasicAuthPolicy::Digest digest;
  bool right = false;

  BasicAuthJob(const BasicAuthPolicy& owner, RoutedExchange& waiting, BasicCredentials given, const BasicAuthPolicy::Digest& of)
      : policy(owner), exchange(waiting), credentials(std::move(given)), digest(of) {
    Job::run = [](io::Job& job) {
      auto& self = static_cast<BasicAuthJob&>(job);
      self.right = self.policy.verify(self.credentials.user, self.credentials.password);
      self.exchange.runner->services().loop->post(self);
    };
    deliver = [](io::Message& message) { static_cast<BasicAuthJob&>(message).finish(); };
  }

  void finish() {
    RoutedExchange& waiting = exchange;
    const BasicAuthPolicy& owner = policy;
    const bool ok = right;
    if (ok) owner.remember(digest, waiting.runner->services().loop->now_ms());
    OPENSSL_cleanse(credentials.password.data(), credentials.password.size());
    std::destroy_at(this);
    Runner& runner = *waiting.runner;
    if (!runner.unhold(waiting)) return;
    if (ok) {
      runner.proceed(waiting);
    } else {
      runner.settle(waiting, owner.challenge(waiting, "wrong user or password"));
    }
  }
};

BasicCredentials parse_basic_credentials(std::string_view authorization) {
  constexpr std::string_view kScheme = "basic ";
  BasicCredentials credentials;
  if (authorization.size() < kScheme.size() || !http::equals_ignore_case(authorization.substr(0, kScheme.size()), kScheme)) return credentials;
  const std::string_view encoded = http::trim_ows(authorization.substr(kScheme.size()));
  if (encoded.empty() || encoded.size() > kCredentialsMax || encoded.size() % 4 != 0) return credentials;
  std::string plain(encoded.size() / 4 * 3, '\0');
  const int decoded = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(plain.data()),
                                      reinterpret_cast<const unsigned char*>(encoded.data()), static_cast<int>(encoded.size()));
  if (decoded < 0) return credentials;
  const std::size_t padding = encoded.ends_with("==") ? 2 : encoded.ends_with('=') ? 1 : 0;
  plain.resize(static_cast<std::size_t>(decoded) - padding);
  const auto colon = plain.find(':');
  if (colon == std::string::npos || plain.find('\0') != std::string::npos) return credentials;
  credentials.valid = true;
  credentials.user = plain.substr(0, colon);
  credentials.password = plain.substr(colon + 1);
  return credentials;
}

BasicAuthPolicy::BasicAuthPolicy(std::string_view realm, std::vector<BasicUser> users)
    : challenge_("Basic realm=" + quoted(realm) + ", charset=\"UTF-8\""), users_(std::move(users)) {
  TIDEGATE_CHECK(RAND_bytes(key_.data(), static_cast<int>(key_.size())) == 1);
}

Step BasicAuthPolicy::step() const { return {&BasicAuthPolicy::run, this}; }

bool BasicAuthPolicy::verify(std::string_view user, std::string_view password) const {
  const auto found = std::find_if(users_.begin(), users_.end(), [user](const BasicUser& one) { return one.name == user; });
  if (users_.empty()) return false;
  // For an unknown user somebody else's hash is computed, so that both cases take as long.
  const char* hash = (found == users_.end() ? users_.front() : *found).hash.c_str();
  const auto data = std::make_unique<crypt_data>();
  const char* made = crypt_r(std::string(password).c_str(), hash, data.get());
  if (made == nullptr || found == users_.end()) return false;
  const std::string_view result(made);
  return result.size() == found->hash.size() && CRYPTO_memcmp(result.data(), found->hash.data(), result.size()) == 0;
}

BasicAuthPolicy::Digest BasicAuthPolicy::digest_of(std::string_view credentials) const {
  Digest digest{};
  unsigned size = 0;
  const unsigned char* made = HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
                                   reinterpret_cast<const unsigned char*>(credentials.data()), credentials.size(), digest.data(), &size);
  TIDEGATE_CHECK(made != nullptr && size == digest.size());
  return digest;
}

bool BasicAuthPolicy::remembered(const Digest& digest, std::int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(known_.begin(), known_.end(), [&](const Known& one) {
    return one.until_ms > now_ms && CRYPTO_memcmp(one.digest.data(), digest.data(), digest.size()) == 0;
  });
}

void BasicAuthPolicy::remember(const Digest& digest, std::int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [&](const Known& one) { return one.until_ms <= now_ms; });
  if (known_.size() >= kRememberMax) known_.erase(known_.begin());
  known_.push_back({digest, now_ms + kRememberMs});
}

Verdict BasicAuthPolicy::challenge(RoutedExchange& exchange, std::string_view hint) const {
  exchange.add_field("WWW-Authenticate", challenge_);
  return exchange.runner->fail(exchange, 401, hint);
}

Verdict BasicAuthPolicy::run(RoutedExchange& exchange, const void* self) {
  const auto& policy = *static_cast<const BasicAuthPolicy*>(self);
  const auto authorization = exchange.fields->find(http::KnownField::kAuthorization);
  if (!authorization) return policy.challenge(exchange, "no credentials were sent");
  BasicCredentials credentials = parse_basic_credentials(*authorization);
  if (!credentials.valid) return policy.challenge(exchange, "the credentials are not well-formed Basic credentials");
  const WorkerServices& services = exchange.runner->services();
  const Digest digest = policy.digest_of(*authorization);
  exchange.user = exchange.arena.copy(credentials.user);
  if (policy.remembered(digest, services.loop->now_ms())) return Verdict::kNext;
  void* memory = exchange.arena.allocate(sizeof(BasicAuthJob), alignof(BasicAuthJob));
  auto* job = std::construct_at(static_cast<BasicAuthJob*>(memory), policy, exchange, std::move(credentials), digest);
  exchange.runner->hold(exchange);
  services.blocking->submit(*job);
  return Verdict::kWaiting;
}

}  // namespace tidegate::pipeline
