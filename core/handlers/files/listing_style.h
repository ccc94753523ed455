// The style and the icons of directory listings. Private to listing_page.cpp. Constants only.
#pragma once

#include <string_view>

#include "pipeline/pages/page_policy.h"
#include "pipeline/pages/page_style.h"

namespace tidegate::handlers {

using namespace pages;

inline constexpr std::string_view kListingRules =
    "body{padding:2rem 1rem 3rem}"
    "main,footer{max-width:60rem;margin:0 auto}"
    "h1{margin:0;font-size:1.35rem;font-weight:600;line-height:1.4;overflow-wrap:anywhere}"
    "h1 a,h1>bdi{padding:.1rem .2rem;border-radius:4px}h1>:first-child{margin-left:-.2rem}h1 a:hover{background:var(--hover);text-decoration:none}"
    "h1 i{font-style:normal;color:var(--soft);font-weight:400;margin:0 .05rem}"
    ".sum{margin:.2rem 0 1.1rem;color:var(--soft);font-size:.9rem}"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden;"
    "box-shadow:0 1px 2px #0a141a14,0 6px 24px #0a141a0d}"
    "table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th{font-size:.8rem;font-weight:600;text-align:left;background:var(--card);border-bottom:1px solid var(--line);"
    "padding:0}"
    "th a{display:block;padding:.6rem 1rem;color:var(--soft)}"
    "th a:hover{color:var(--ink);text-decoration:none}th[aria-sort] a{color:var(--ink)}"
    "th span{color:var(--accent)}"
    "td{padding:0;border-bottom:1px solid var(--line);color:var(--soft);font-size:.9rem;white-space:nowrap}"
    "tr:last-child td{border-bottom:0}"
    "tbody tr:hover{background:var(--hover)}"
    "td:first-child{width:100%;white-space:normal}"
    "td a{display:flex;align-items:center;gap:.7rem;padding:.5rem 1rem;color:var(--ink);font-size:1rem;"
    "overflow-wrap:anywhere;min-height:2.6rem}"
    "td a:hover{text-decoration:none}td a:hover bdi{text-decoration:underline}"
    "td a:focus-visible{outline-offset:-2px}"
    "th+th a,td+td{text-align:right;padding-left:1rem;padding-right:1rem}"
    "svg.i{flex:none;width:1.35rem;height:1.35rem;fill:none;stroke:var(--soft);stroke-width:1.6;stroke-linecap:round;"
    "stroke-linejoin:round}"
    "svg.d{stroke:var(--accent);fill:var(--hover)}svg.p{stroke:#3f8f4f}svg.v{stroke:#a2549c}svg.a{stroke:#c07a1a}"
    "svg.z{stroke:#9a6a3c}svg.c{stroke:#4a76c9}svg.b{stroke:#c4504a}"
    "@media(prefers-color-scheme:dark){svg.p{stroke:#6cbd7b}svg.v{stroke:#cd86c8}svg.a{stroke:#dfa24b}svg.z{stroke:#c79a6c}"
    "svg.c{stroke:#7ea4f0}svg.b{stroke:#ec7d76}}"
    ".empty{padding:2.5rem 1rem;text-align:center;color:var(--soft)}"
    ".note{margin:0;padding:.7rem 1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}"
    "footer{margin-top:1rem;color:var(--soft);font-size:.8rem;text-align:right}"
    "@media(max-width:40rem){body{padding:1rem .6rem 2rem}h1{font-size:1.15rem}"
    "td a,th a{padding-left:.7rem;padding-right:.5rem}th+th a,td+td{padding-left:.4rem;padding-right:.7rem}"
    "td+td{font-size:.8rem}time span{display:none}}"
    "@media print{body{background:#fff}.card{box-shadow:none}}";

inline constexpr std::string_view kListingStyle = Joined<kBaseStyle, kListingRules>::kText;

// One symbol a kind of file; the id is the class of the icon too. Drawn on 24 by 24, as strokes.
inline constexpr std::string_view kListingIcons =
    "<svg width=\"0\" height=\"0\" hidden aria-hidden=\"true\"><defs>"
    "<symbol id=\"d\" viewBox=\"0 0 24 24\"><path d=\"M3 6.5A1.5 1.5 0 0 1 4.5 5H9l2.5 2.5h8A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 "
    "1.5h-15A1.5 1.5 0 0 1 3 17.5z\"/></symbol>"
    "<symbol id=\"u\" viewBox=\"0 0 24 24\"><path d=\"M9 14 4 9l5-5M4 9h10a6 6 0 0 1 6 6v4\"/></symbol>"
    "<symbol id=\"f\" viewBox=\"0 0 24 24\"><path d=\"M6 3h8l5 5v13H6zM14 3v5h5\"/></symbol>"
    "<symbol id=\"t\" viewBox=\"0 0 24 24\"><path d=\"M6 3h8l5 5v13H6zM14 3v5h5M9 12h7M9 15h7M9 18h4\"/></symbol>"
    "<symbol id=\"b\" viewBox=\"0 0 24 24\"><path d=\"M6 3h8l5 5v13H6zM14 3v5h5M9 13h4a1.5 1.5 0 0 1 0 3H9v-3zv5\"/></symbol>"
    "<symbol id=\"c\" viewBox=\"0 0 24 24\"><path d=\"m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14\"/></symbol>"
    "<symbol id=\"p\" viewBox=\"0 0 24 24\"><path d=\"M4 5h16v14H4zM4 16l4.5-5 4 4.5 2.5-2.5 5 5M15.5 9h.01\"/></symbol>"
    "<symbol id=\"v\" viewBox=\"0 0 24 24\"><path d=\"M3 5h18v14H3zM10 9v6l5-3z\"/></symbol>"
    "<symbol id=\"a\" viewBox=\"0 0 24 24\"><path d=\"M9 18V6l11-2v12M9 18a3 2.4 0 1 1-6 0 3 2.4 0 0 1 6 0zM20 16a3 2.4 0 1 1-6 0 3 2.4 0 "
    "0 1 6 0z\"/></symbol>"
    "<symbol id=\"z\" viewBox=\"0 0 24 24\"><path d=\"M4 4h16v4H4zM5 8v12h14V8M10 12h4\"/></symbol>"
    "</defs></svg>";

}  // namespace tidegate::handlers
