// What the pages that Tidegate itself makes have in common: colours, type, and the icon of the browser tab.
//
// Owner: pipeline. Thread: any. Constants only. Each page glues kBaseStyle and its own rules into one <style>.
#pragma once

#include <string_view>

namespace tidegate::pages {

// Light and dark follow the system. Text reaches a contrast of 4.5:1 on its ground in both.
inline constexpr std::string_view kBaseStyle =
    ":root{color-scheme:light dark;--ground:#f3f7f9;--card:#fff;--ink:#10242e;--soft:#567080;--line:#dce6eb;"
    "--accent:#0a6d80;--hover:#eaf4f6;--sea:#0f8299;--deep:#0a5c70}"
    "@media(prefers-color-scheme:dark){:root{--ground:#0a141a;--card:#101e26;--ink:#e2edf2;--soft:#8fa8b4;--line:#1d313c;"
    "--accent:#58cbe0;--hover:#152a34;--sea:#16708a;--deep:#0d4558}}"
    "*{box-sizing:border-box}"
    "body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif}"
    "a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}"
    "a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}"
    "code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}";

// A gate over two waves. A data: image, so that the browser does not ask for /favicon.ico.
inline constexpr std::string_view kHeadStart =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
    "<meta name=\"robots\" content=\"noindex\">"
    "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect width='32' height='32' rx='7' fill='%230a5c70'/%3E"
    "%3Cpath d='M7 6v20M25 6v20M7 8h18M12 8v9M16 8v9M20 8v9M11 17h10' stroke='%23fff' stroke-width='2.4' fill='none'/%3E"
    "%3Cpath d='M4 22q4-3 8 0t8 0 8 0' stroke='%2358cbe0' stroke-width='2.4' fill='none'/%3E%3C/svg%3E\">";

}  // namespace tidegate::pages
