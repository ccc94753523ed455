// Files: includes, circles, tables that may stand once, placeholders, what the file system says.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/htpasswd.h"
#include "config/include.h"
#include "unit/config/support.h"

namespace fs = std::filesystem;
using namespace tidegate::config;
using namespace tidegate::config::test;

namespace {

// A directory of its own that goes away with the test.
class Directory {
 public:
  Directory() {
    std::string pattern = (fs::temp_directory_path() / "tidegate config XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = fs::canonical(pattern);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] Loaded load(const std::string& name = "main.toml") const {
    static const FakeEnvironment environment;
    return load_and_validate(path(name), {.environment = &environment});
  }
  // All that is said, with file names relative to the directory.
  [[nodiscard]] std::string said(const std::string& name = "main.toml") const {
    const Loaded loaded = load(name);
    std::string text = format(loaded.diagnostics, loaded.sources, {.excerpt = false});
    const std::string prefix = path_.string() + '/';
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }

 private:
  fs::path path_;
};

std::string site(const std::string& name, const std::string& port) {
  return "[[site]]\nname = \"" + name + "\"\nlisten = [\"http://:" + port + "\"]\n[[site.route]]\nrespond = {}\n";
}

}  // namespace

TEST_CASE("config: included files add sites, sorted by bytes; hidden and backup files are left out") {
  const Directory dir;
  dir.write("main.toml", "include = [\"conf.d/*.toml\", \"extra.toml\"]\n" + site("main", "80"));
  dir.write("conf.d/b.toml", site("b", "82"));
  dir.write("conf.d/a.toml", site("a", "81"));
  dir.write("conf.d/B.toml", site("B", "83"));
  dir.write("conf.d/.hidden.toml", "broken");
  dir.write("conf.d/x.toml~", "broken");
  dir.write("conf.d/readme.txt", "broken");
  dir.write("conf.d/dir.toml/file", "broken");
  dir.write("extra.toml", site("extra", "84"));
  const Loaded loaded = dir.load();
  REQUIRE(summary(loaded.diagnostics) == "");
  std::string names;
  for (const Site& each : loaded.config.sites) names += each.name + ' ';
  CHECK(names == "main B a b extra ");
  CHECK(loaded.config.include == std::vector<std::string>{"conf.d/*.toml", "extra.toml"});
}

TEST_CASE("config: a pattern may match nothing, a name must be there") {
  const Directory dir;
  dir.write("main.toml", "include = [\"none.d/*.toml\", \"missing.toml\"]\n" + site("main", "80"));
  CHECK(dir.said() == "main.toml:1:29: error: cannot read \"missing.toml\": there is no such file\n");
}

TEST_CASE("config: wrong entries of include") {
  const Directory dir;
  dir.write("main.toml", "include = [\"*/x.toml\", 5, \"sub\"]\n" + site("main", "80"));
  dir.write("sub/file", "");
  CHECK(dir.said() ==
        "main.toml:1:12: error: cannot include \"*/x.toml\": a wildcard may stand in the last part of a path only\n"
        "main.toml:1:24: error: `include` must be a string, found the number 5\n"
        "main.toml:1:27: error: cannot read \"sub\": it is a directory\n");
}

TEST_CASE("config: files that include one another in a circle") {
  const Directory dir;
  dir.write("main.toml", "include = [\"a.toml\"]\n" + site("main", "80"));
  dir.write("a.toml", "include = [\"sub/b.toml\"]\n");
  dir.write("sub/b.toml", "include = [\"../a.toml\"]\n");
  CHECK(dir.said() ==
        "sub/b.toml:1:12: error: files include one another in a circle: a.toml -> sub/b.toml -> a.toml\n");
}

TEST_CASE("config: a file that includes itself") {
  const Directory dir;
  dir.write("main.toml", "include = [\"./main.toml\"]\n" + site("main", "80"));
  CHECK(dir.said() == "main.toml:1:12: error: files include one another in a circle: main.toml -> main.toml\n");
}

TEST_CASE("config: a file named by two patterns is read once") {
  const Directory dir;
  dir.write("main.toml", "include = [\"a.toml\", \"*.toml\"]\n" + site("main", "80"));
  dir.write("a.toml", site("a", "81"));
  // "*.toml" matches main.toml itself.
  CHECK(dir.said() == "main.toml:1:22: error: files include one another in a circle: main.toml -> main.toml\n");
  CHECK(dir.load().config.sites.size() == 2);
}

TEST_CASE("config: includes are bounded in depth") {
  const Directory dir;
  for (int i = 0; i < 20; ++i) {
    dir.write("f" + std::to_string(i) + ".toml",
              "include = [\"f" + std::to_string(i + 1) + ".toml\"]\n" + site(std::to_string(i), std::to_string(i)));
  }
  dir.write("f20.toml", "");
  CHECK(dir.said("f0.toml") == "f16.toml:1:12: error: files include one another more than 16 deep\n");
}

TEST_CASE("config: tables of the process may stand in one file only, and both places are named") {
  const Directory dir;
  dir.write("main.toml",
            "include = [\"a.toml\"]\n[server]\nworkers = 1\n[log]\naccess = { to = \"off\" }\n" + site("main", "80"));
  dir.write("a.toml", "limits.header_count = 5\n[server]\npoller = \"epoll\"\n[log]\n");
  CHECK(dir.said() ==
        "a.toml:2:2: error: `server` may be set in one file only\n     = main.toml:2:2: it is set here\n"
        "a.toml:4:2: error: `log` may be set in one file only\n     = main.toml:4:2: it is set here\n");
  const Loaded loaded = dir.load();
  CHECK(loaded.config.limits.header_count == 5);
  CHECK(loaded.config.server.poller == Poller::kAuto);
}

TEST_CASE("config: all errors of all files come at once, and pointers count the sites of all files") {
  const Directory dir;
  dir.write("main.toml", "include = [\"a.toml\", \"b.toml\"]\n[server]\nworkers = x\n" + site("main", "80"));
  dir.write("a.toml", site("a", "81") + "nam = 1\n");
  dir.write("b.toml", "[[site]]\nname = \"main\"\nlisten = [\"http://:82\", \"x\"]\n[[site.route]]\nfiles = {}\n");
  const Loaded loaded = dir.load();
  CHECK(
      summary(loaded.diagnostics) ==
      "3:11 error: TOML syntax: could not determine value type (in value) | strings, durations and sizes are written in quotes, such as "
      "\"10s\"\n"
      "6:1 error: unknown key `nam` | did you mean `name`?\n"
      "2:8 error: two sites are named \"main\" | 5:8 the name is given here first\n"
      "3:25 error: `listen`: a listener begins with its scheme, such as http://:8080 or http://unix:/run/x.sock, found \"x\"\n"
      "5:9 error: `files` needs `root`");
  CHECK(loaded.diagnostics[1].pointer == "/site/1/route/0/nam");
  CHECK(loaded.diagnostics[2].pointer == "/site/2/name");
  CHECK(loaded.diagnostics[3].pointer == "/site/2/listen/1");
  CHECK(loaded.diagnostics[4].pointer == "/site/2/route/0/files");
}

TEST_CASE("config: the main file cannot be read") {
  const Directory dir;
  CHECK(dir.said("missing.toml") == "error: cannot read \"missing.toml\": there is no such file\n");
  CHECK_FALSE(dir.load("missing.toml").ok());
  dir.write("sub/x", "");
  CHECK(dir.said("sub") == "error: cannot read \"sub\": it is a directory\n");
}

TEST_CASE("config: relative paths start at the file that names them") {
  const Directory dir;
  dir.write("main.toml", "include = [\"sub/a.toml\"]\n" + site("main", "80"));
  dir.write("sub/a.toml",
            "[[site]]\nname = \"a\"\nlisten = [\"http://:81\"]\n[[site.route]]\nfiles = { root = \"../www\" }\n");
  dir.write("www/index.html", "");
  const Loaded loaded = dir.load();
  REQUIRE(summary(loaded.diagnostics) == "");
  CHECK(std::get<tidegate::handlers::FilesSettings>(loaded.config.sites[1].routes[0].handler).root == dir.path("www"));
}

TEST_CASE("config: placeholders") {
  const Directory dir;
  dir.write("secret", "line one\n\n");
  dir.write("crlf", "x\r\n");
  dir.write("main.toml", R"([[site]]
listen = ["http://127.0.0.1:${env:PORT}"]
hosts = ["${file:crlf}.example"]
[[site.route]]
respond = { body = "${file:secret}|$${env:PORT}|${name}|${env:TOKEN}${env:TOKEN}|$" }
)");
  const Loaded loaded = dir.load();
  REQUIRE(summary(loaded.diagnostics) == "");
  const Site& only = loaded.config.sites.at(0);
  CHECK(only.listen[0].text == "http://127.0.0.1:8080");
  CHECK(only.hosts[0].text() == "x.example");
  CHECK(std::get<tidegate::handlers::RespondSettings>(only.routes[0].handler).body ==
        "line one\n|${env:PORT}|${name}|s3crets3cret|$");
}

TEST_CASE("config: placeholders that cannot be replaced") {
  CHECK(problems("[log]\naccess = { to = \"${env:MISSING}\" }\n") ==
        R"(2:17 error: the environment variable "MISSING" is not set)");
  CHECK(problems("[log]\naccess = { to = \"${file:/no/such/file}\" }\n") ==
        R"(2:17 error: cannot read "/no/such/file": there is no such file)");
  CHECK(problems("[log]\naccess = { to = \"${evn:X}\" }\n") ==
        "2:17 error: unknown placeholder ${evn:...}; there are ${env:NAME} and ${file:PATH}, and $${ stands for ${");
  CHECK(problems("include = [\"${env:MISSING}\"]\n") == R"(1:12 error: the environment variable "MISSING" is not set)");
  CHECK(load("[log]\naccess = { to = \"${env:MISSING}\" }\n").diagnostics[0].pointer == "/log/access/to");
}

TEST_CASE("config: messages show a placeholder and never what it stood for") {
  CHECK(problems("[server]\npoller = \"${env:TOKEN}\"\n") ==
        R"(2:10 error: `poller` must be "auto" or the name of a poller, found "${env:TOKEN}")");
  CHECK(
      problems("[limits]\nheader_timeout = \"${env:TOKEN}\"\n") ==
      "2:18 error: `header_timeout`: a duration is a whole number and a unit: ms, s, m, h or d, found \"${env:TOKEN}\"");
  CHECK(problems("[server]\nworkers = \"${env:PORT}\"\n") ==
        R"(2:11 error: `workers` must be "auto", a number, or { min = 1, max = 8 }, found the string "${env:PORT}")");
}

TEST_CASE("config: directories and files that are named") {
  const Directory dir;
  dir.write("www/index.html", "");
  dir.write("main.toml", R"([log]
access = { to = "nolog/a.log" }
error = { to = "./www" }
[[site]]
listen = ["http://:80"]
[[site.route]]
path = "/a/*"
files = { root = "missing" }
[[site.route]]
path = "/b/*"
files = { root = "www/index.html" }
[[site.route]]
path = "/c/*"
files = { root = "www", fallback = "/none.html", strip_prefix = "/d" }
[[site.route]]
path = "/e/*"
files = { root = "www", fallback = "/index.html", strip_prefix = "/e" }
)");
  CHECK(dir.said() ==
        "main.toml:2:17: warning: the directory \"nolog\" of the log file does not exist\n"
        "main.toml:3:16: error: the log file \"www\" is a directory\n"
        "main.toml:8:18: warning: the directory \"missing\" does not exist (yet); requests are answered 404\n"
        "main.toml:11:18: error: \"www/index.html\" is not a directory\n"
        "main.toml:14:36: warning: the fallback \"/none.html\" does not exist (yet) below \"www\"\n"
        "main.toml:14:65: warning: no path that \"/c/*\" matches begins with this prefix\n");
}

TEST_CASE("config: password files") {
  const Directory dir;
  const auto said = [&](const std::string& text) {
    dir.write("users", text);
    dir.write("main.toml",
              "[[site]]\nlisten = [\"http://:80\"]\nbasic_auth = { file = \"users\" }\n[[site.route]]\nrespond = {}\n");
    return dir.said();
  };
  CHECK(said("# comment\n\nbob:$2y$05$abc\r\nal:$6$x$y\n") == "");
  CHECK(read_htpasswd(dir.path("users"))->size() == 2);
  CHECK(said("bob:$2y$x\nbob:$2y$y\n") ==
        "main.toml:3:23: error: the password file \"users\": line 2: the name \"bob\" stands there twice\n");
  CHECK(said("bob\n") == "main.toml:3:23: error: the password file \"users\": line 1: expected name:hash\n");
  CHECK(
      said("bob:plain\n") ==
      "main.toml:3:23: error: the password file \"users\": line 1: a password is stored as a hash of crypt(3): bcrypt ($2b$, $2y$), "
      "SHA-crypt ($5$, $6$) or yescrypt ($y$)\n");
  CHECK(said("") ==
        "main.toml:3:23: error: the password file \"users\": it has no users, so nobody could ever enter\n");
  dir.write("main.toml",
            "[[site]]\nlisten = [\"http://:80\"]\n[[site.route]]\nrespond = {}\nbasic_auth = { file = \"none\" }\n");
  CHECK(dir.said() == "main.toml:5:23: error: the password file \"none\": there is no such file\n");
}

TEST_CASE("config: file name patterns") {
  CHECK(name_matches("*.toml", "a.toml"));
  CHECK(name_matches("*", ""));
  CHECK(name_matches("a?c", "abc"));
  CHECK(name_matches("*a*b*", "xxaxxbxx"));
  CHECK_FALSE(name_matches("*.toml", "a.toml~"));
  CHECK_FALSE(name_matches("a?c", "ac"));
  CHECK_FALSE(name_matches("", "a"));
}
