// Listeners that a command is given, and how it shows them.
#include "cli/listening.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "server/server.h"
#include "sys/socket.h"

namespace tidegate {
namespace {

using Texts = std::vector<std::string>;

cli::Arguments serve_with(const std::vector<std::string>& words) {
  const auto arguments = cli::parse_arguments(*cli::find_command("serve"), words);
  REQUIRE(arguments.has_value());
  return *arguments;
}

// Somebody who listens on 127.0.0.1.
class Holder {
 public:
  Holder() {
    const auto socket = sys::listen_at({.address = *base::parse_ip("127.0.0.1")}, {});
    REQUIRE(socket.has_value());
    socket_ = *socket;
    port_ = sys::local_endpoint(socket_)->address.port;
  }
  ~Holder() { sys::close_socket(socket_, false); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  sys::SocketHandle socket_ = sys::kNoSocket;
  std::uint16_t port_ = 0;
};

TEST_CASE("given listeners are taken as they are") {
  const auto chosen =
      cli::choose_listeners(serve_with({"-l", "http://:81", "-l", "http://[::1]:82"}), "http://localhost:8080");
  REQUIRE(chosen.has_value());
  REQUIRE(chosen->listen.size() == 2);
  CHECK(chosen->listen[0].text == "http://:81");
  CHECK(chosen->listen[1].text == "http://[::1]:82");
  CHECK(chosen->note.empty());
}

TEST_CASE("the path of a unix socket becomes absolute") {
  const auto chosen = cli::choose_listeners(serve_with({"-l", "http://unix:x/../y.sock"}), "http://localhost:8080");
  REQUIRE(chosen.has_value());
  CHECK(chosen->listen.front().path == (std::filesystem::current_path() / "y.sock").string());
}

TEST_CASE("https is refused in words") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--https"}, {"--listen", "https://localhost:8443"}}) {
    const auto chosen = cli::choose_listeners(serve_with(words), "http://localhost:8080");
    REQUIRE_FALSE(chosen.has_value());
    CHECK(chosen.error().code == server::kUsage);
    CHECK(chosen.error().message.find("http only") != std::string::npos);
  }
}

TEST_CASE("a listener that cannot be read is a mistake of usage") {
  for (const std::string text : {"8080", "localhost:8080", "http://example.com:80", "http://:99999", "ftp://x", ""}) {
    CAPTURE(text);
    const auto chosen = cli::choose_listeners(serve_with({"--listen=" + text}), "http://localhost:8080");
    REQUIRE_FALSE(chosen.has_value());
    CHECK(chosen.error().code == server::kUsage);
  }
}

TEST_CASE("a taken usual port makes way for the next free one, and that is said") {
  const Holder holder;
  const std::string usual = "http://127.0.0.1:" + std::to_string(holder.port());
  const auto chosen = cli::choose_listeners(serve_with({}), usual);
  REQUIRE(chosen.has_value());
  const std::uint16_t port = chosen->listen.front().address.port;
  CHECK(port > holder.port());
  CHECK(port <= holder.port() + cli::kPortTries);
  CHECK(chosen->note.find("port " + std::to_string(holder.port()) + " is taken") == 0);
  CHECK(chosen->note.find("using " + std::to_string(port)) != std::string::npos);
  CHECK(chosen->listen.front().text == "http://127.0.0.1:" + std::to_string(port));
  // The name means both addresses; one that is taken is enough.
  const auto name = cli::choose_listeners(serve_with({}), "http://localhost:" + std::to_string(holder.port()));
  REQUIRE(name.has_value());
  CHECK(name->listen.front().address.port != holder.port());
}

TEST_CASE("a taken port that was asked for is not exchanged") {
  const Holder holder;
  const std::string text = "http://127.0.0.1:" + std::to_string(holder.port());
  const auto chosen = cli::choose_listeners(serve_with({"--listen", text}), "http://localhost:8080");
  REQUIRE(chosen.has_value());
  CHECK(chosen->listen.front().text == text);
}

TEST_CASE("addresses are shown as a browser takes them") {
  CHECK(cli::reached_at({{"http://localhost:0", {"127.0.0.1:4000", "[::1]:4000"}}}) == Texts{"http://localhost:4000"});
  CHECK(cli::reached_at({{"http://127.0.0.1:0", {"127.0.0.1:4000"}}}) == Texts{"http://127.0.0.1:4000"});
  CHECK(cli::reached_at({{"http://[::1]:80", {"[::1]:80"}}}) == Texts{"http://[::1]:80"});
  CHECK(cli::reached_at({{"http://unix:/run/x.sock", {"unix:/run/x.sock"}}}) == Texts{"http://unix:/run/x.sock"});
  CHECK(cli::reached_at({{"http://:80", {"[::]:80"}}}) ==
        Texts{"http://localhost:80 (and every other address of this machine)"});
  CHECK(cli::reached_at({{"fd:3", {"0.0.0.0:80"}}}) ==
        Texts{"http://localhost:80 (and every other address of this machine)"});
  CHECK(cli::reached_at({}).empty());
}

}  // namespace
}  // namespace tidegate
