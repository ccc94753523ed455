// Media types by file name.
#include "handlers/files/mime.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace handlers = tidegate::handlers;

namespace {

constexpr std::string_view kDefault = "application/octet-stream";

std::string_view type_of(std::string_view path) { return handlers::media_type_for(path, {}, kDefault); }

std::string content_type(std::string_view media_type, std::string_view charset = "utf-8") {
  std::string out;
  handlers::append_content_type(out, media_type, charset);
  return out;
}

}  // namespace

TEST_CASE("mime: extension of a path") {
  CHECK(handlers::extension_of("/a/b.html") == "html");
  CHECK(handlers::extension_of("b.tar.gz") == "gz");
  CHECK(handlers::extension_of("/a.d/b") == "");
  CHECK(handlers::extension_of("/a/.htaccess") == "");
  CHECK(handlers::extension_of("/a/.config.json") == "json");
  CHECK(handlers::extension_of("a.") == "");
  CHECK(handlers::extension_of("") == "");
  CHECK(handlers::extension_of("/") == "");
  CHECK(handlers::extension_of(".") == "");
  CHECK(handlers::extension_of("..") == "");
  CHECK(handlers::extension_of("A.HTML") == "HTML");
}

TEST_CASE("mime: the types that sites are made of") {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"index.html", "text/html"},
      {"a.htm", "text/html"},
      {"a.css", "text/css"},
      {"a.js", "text/javascript"},
      {"a.mjs", "text/javascript"},
      {"a.json", "application/json"},
      {"a.js.map", "application/json"},
      {"a.webmanifest", "application/manifest+json"},
      {"a.wasm", "application/wasm"},
      {"a.xml", "application/xml"},
      {"a.svg", "image/svg+xml"},
      {"a.png", "image/png"},
      {"a.jpg", "image/jpeg"},
      {"a.jpeg", "image/jpeg"},
      {"a.gif", "image/gif"},
      {"a.webp", "image/webp"},
      {"a.avif", "image/avif"},
      {"a.jxl", "image/jxl"},
      {"favicon.ico", "image/vnd.microsoft.icon"},
      {"a.woff2", "font/woff2"},
      {"a.woff", "font/woff"},
      {"a.ttf", "font/ttf"},
      {"a.mp4", "video/mp4"},
      {"a.webm", "video/webm"},
      {"a.ts", "video/mp2t"},
      {"a.m3u8", "application/vnd.apple.mpegurl"},
      {"a.mp3", "audio/mpeg"},
      {"a.ogg", "audio/ogg"},
      {"a.flac", "audio/flac"},
      {"a.pdf", "application/pdf"},
      {"a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
      {"a.zip", "application/zip"},
      {"a.tar.gz", "application/gzip"},
      {"a.7z", "application/x-7z-compressed"},
      {"a.md", "text/markdown"},
      {"a.csv", "text/csv"},
      {"a.txt", "text/plain"},
      {"main.cpp", "text/plain"},
      {"x.c++", "text/plain"},
      {"script.sh", "text/plain"},
      {"page.php", "text/plain"},
      {"types.d.ts", "text/plain"},
      {"App.TSX", "text/plain"},
      {"a.yaml", "application/yaml"},
      {"a.vtt", "text/vtt"},
      {"a.editorconfig", "text/plain"},
      {"a.gitignore", "text/plain"},
  };
  for (const auto& [path, type] : cases) {
    CAPTURE(path);
    CHECK(type_of(path) == type);
  }
}

TEST_CASE("mime: case does not matter") {
  CHECK(type_of("A.HTML") == "text/html");
  CHECK(type_of("photo.JpG") == "image/jpeg");
  CHECK(type_of("TYPES.D.TS") == "text/plain");
}

TEST_CASE("mime: unknown names get the default") {
  CHECK(type_of("a.unknown") == kDefault);
  CHECK(type_of("a") == kDefault);
  CHECK(type_of("") == kDefault);
  CHECK(type_of("a.") == kDefault);
  CHECK(type_of("a.htmlx") == kDefault);
  CHECK(type_of(std::string_view("a.htm\0", 6)) == kDefault);
  CHECK(type_of("dir.html/file") == kDefault);
  CHECK(handlers::media_type_for("a.unknown", {}, "text/plain") == "text/plain");
}

TEST_CASE("mime: extensions of 16 and 17 bytes") {
  CHECK(type_of("a." + std::string(16, 'x')) == kDefault);
  CHECK(type_of("a." + std::string(17, 'x')) == kDefault);
  CHECK(type_of("a." + std::string(100000, 'x')) == kDefault);
  CHECK(type_of("a.webmanifestwebmanifest") == kDefault);
}

TEST_CASE("mime: text names without an extension") {
  for (const std::string_view name : {"README", "LICENSE", "/src/Makefile", "Dockerfile", "CHANGELOG", "licence"}) {
    CAPTURE(name);
    CHECK(type_of(name) == "text/plain");
  }
  CHECK(type_of("READMES") == kDefault);
  CHECK(type_of("/README/x") == kDefault);
}

TEST_CASE("mime: overrides come first, of any length and for new extensions") {
  const std::vector<handlers::MimeOverride> overrides = {{"htaccess-of-great-length", "text/x-long"},
                                                         {"html", "application/xhtml+xml"},
                                                         {"ts", "text/typescript"},
                                                         {"zz", "x/y"}};
  CHECK(handlers::media_type_for("a.html", overrides, kDefault) == "application/xhtml+xml");
  CHECK(handlers::media_type_for("A.HTML", overrides, kDefault) == "application/xhtml+xml");
  CHECK(handlers::media_type_for("a.ts", overrides, kDefault) == "text/typescript");
  CHECK(handlers::media_type_for("a.d.ts", overrides, kDefault) == "text/typescript");
  CHECK(handlers::media_type_for("a.zz", overrides, kDefault) == "x/y");
  CHECK(handlers::media_type_for("a.htaccess-of-great-length", overrides, kDefault) == "text/x-long");
  CHECK(handlers::media_type_for("a.css", overrides, kDefault) == "text/css");
}

TEST_CASE("mime: charset is named for text only") {
  CHECK(content_type("text/html") == "text/html; charset=utf-8");
  CHECK(content_type("text/javascript") == "text/javascript; charset=utf-8");
  CHECK(content_type("text/html", "") == "text/html");
  CHECK(content_type("text/html", "iso-8859-1") == "text/html; charset=iso-8859-1");
  CHECK(content_type("text/html; Charset=koi8-r") == "text/html; Charset=koi8-r");
  CHECK(content_type("text/plain;format=flowed") == "text/plain;format=flowed; charset=utf-8");
  CHECK(content_type("application/json") == "application/json");
  CHECK(content_type("image/svg+xml") == "image/svg+xml");
  CHECK(content_type("application/xml") == "application/xml");
  CHECK(content_type("") == "");
}

TEST_CASE("mime: the table is broad") { CHECK(handlers::known_extension_count() >= 400); }
