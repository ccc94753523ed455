// HTTP Basic authentication (RFC 7617) against crypt(3) hashes. Shared by all workers.
//
// Hashes are slow on purpose, so a check runs on the blocking pool while the exchange waits. What was found right is
// remembered for a minute under a keyed digest, never as a password, so that a page with many parts pays once. An unknown
// user costs as much as a wrong password, so that names cannot be told by the time that an answer takes.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/route_plan.h"
#include "pipeline/snapshot.h"

namespace tidegate::pipeline {

struct BasicUser {
  std::string name;
  std::string hash;  // crypt(3) form
};

class BasicAuthPolicy final : public HandlerSettings {
 public:
  BasicAuthPolicy(std::string_view realm, std::vector<BasicUser> users);
  [[nodiscard]] Step step() const;

  // Checks a password; slow. Any thread.
  [[nodiscard]] bool verify(std::string_view user, std::string_view password) const;

 private:
  friend struct BasicAuthJob;
  using Digest = std::array<unsigned char, 32>;

  static Verdict run(RoutedExchange& exchange, const void* self);
  Verdict challenge(RoutedExchange& exchange, std::string_view hint) const;
  [[nodiscard]] Digest digest_of(std::string_view credentials) const;
  [[nodiscard]] bool remembered(const Digest& digest, std::int64_t now_ms) const;
  void remember(const Digest& digest, std::int64_t now_ms) const;

  std::string challenge_;  // value of WWW-Authenticate
  std::vector<BasicUser> users_;
  std::array<unsigned char, 32> key_{};
  struct Known {
    Digest digest;
    std::int64_t until_ms;
  };
  mutable std::mutex mutex_;  // of known_; held for a short walk only
  mutable std::vector<Known> known_;
};

// The user and the password of an Authorization value; nothing unless it is well-formed Basic credentials.
struct BasicCredentials {
  bool valid = false;
  std::string user;
  std::string password;
};
[[nodiscard]] BasicCredentials parse_basic_credentials(std::string_view authorization);

}  // namespace tidegate::pipeline
