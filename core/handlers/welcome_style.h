// The style and the drawing of the welcome page. Private to welcome_page.cpp. Constants only.
#pragma once

#include <string_view>

#include "pipeline/pages/page_policy.h"
#include "pipeline/pages/page_style.h"

namespace tidegate::handlers {

using namespace pages;

inline constexpr std::string_view kWelcomeRules =
    ":root{--sky:#d9eff4;--sky2:#f3f7f9;--stone:#46606d;--stone2:#5b7886;--steel:#24404d;--code:#0d2733;--codeink:#d7e9ef;"
    "--codesoft:#7fa3b2}"
    "@media(prefers-color-scheme:dark){:root{--sky:#0f2b38;--sky2:#0a141a;--stone:#2d4350;--stone2:#3a5563;--steel:#8fb4c2;"
    "--code:#08121a;--codeink:#cfe3ea}}"
    "header{position:relative;background:linear-gradient(var(--sky2),var(--sky));overflow:hidden;text-align:center}"
    "header>div{padding:3.2rem 1.2rem 0;max-width:44rem;margin:0 auto}"
    "h1{margin:0;font-size:clamp(1.9rem,5vw,2.8rem);line-height:1.15;letter-spacing:-.02em}"
    ".lead{text-wrap:balance;margin:.8rem auto 0;max-width:34rem;color:var(--soft);font-size:1.08rem}"
    ".pill{display:inline-flex;align-items:center;gap:.5rem;margin-bottom:1.1rem;padding:.25rem .8rem;border-radius:99px;"
    "background:var(--card);border:1px solid var(--line);color:var(--soft);font-size:.85rem}"
    ".pill i{width:.55rem;height:.55rem;border-radius:50%;background:#2fa866;box-shadow:0 0 0 4px #2fa86633}"
    "header svg{display:block;width:100%;height:auto;min-height:15rem;margin-top:.6rem}"
    ".back{fill:var(--sea);opacity:.45}.mid{fill:var(--sea)}.front{fill:var(--deep)}"
    ".stone{fill:var(--stone)}.cap{fill:var(--stone2)}"
    ".steel{fill:none;stroke:var(--steel);stroke-width:7;stroke-linecap:round;stroke-linejoin:round}"
    ".thin{stroke-width:4}"
    "@media(prefers-reduced-motion:no-preference){.back{animation:drift 14s linear infinite}"
    ".mid{animation:drift 9s linear infinite reverse}.front{animation:drift 18s linear infinite}}"
    "@keyframes drift{to{transform:translateX(-240px)}}"
    "main{max-width:72rem;margin:0 auto;padding:2.2rem 1.2rem 1rem;display:grid;gap:1.1rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr))}"
    "section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.3rem 1.4rem;min-width:0;"
    "display:flex;flex-direction:column;"
    "box-shadow:0 1px 2px #0a141a0f,0 6px 24px #0a141a0a}"
    ".wide{grid-column:1/-1}"
    "h2{margin:0 0 .35rem;font-size:1.05rem}"
    "section p{margin:0 0 .8rem;color:var(--soft);font-size:.95rem}section p:last-child{margin-bottom:0}"
    "pre{margin:auto 0 0;padding:.8rem 1rem;border-radius:9px;background:var(--code);color:var(--codeink);font-size:.82rem;"
    "line-height:1.6;overflow-x:auto}section:not(.wide) pre{white-space:pre-wrap}"
    "pre b{font-weight:400;color:var(--codesoft);user-select:none}"
    "pre em{font-style:normal;color:#8fd3a6}pre u{text-decoration:none;color:#7fd0e4}"
    "code{font-size:.92em}p code{padding:.1em .35em;border-radius:5px;background:var(--hover);color:var(--ink)}"
    "dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem;font-size:.92rem}"
    "dt{color:var(--soft)}dd{margin:0;min-width:0;overflow-wrap:anywhere}"
    "footer{padding:1rem 1.2rem 2.5rem;text-align:center;color:var(--soft);font-size:.85rem}";

inline constexpr std::string_view kWelcomeStyle = Joined<kBaseStyle, kWelcomeRules>::kText;

// A tide gate: two piers, a raised lattice gate between them, three waves that drift by one wavelength (240).
inline constexpr std::string_view kWelcomeDrawing =
    "<svg viewBox=\"0 0 1200 300\" preserveAspectRatio=\"xMidYMax slice\" role=\"img\" aria-label=\"A gate in the tide\">"
    "<path class=\"back\" d=\"M-240 190q60-26 120 0t120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 "
    "0 120 0v120H-240z\"/>"
    "<path class=\"steel thin\" d=\"M520 70v106M560 70v106M600 70v106M640 70v106M680 70v106M490 100h220M490 138h220\"/>"
    "<path class=\"steel\" d=\"M490 66h220v114H490z\"/>"
    "<path class=\"steel thin\" d=\"M560 66V40M640 66V40\"/>"
    "<path class=\"stone\" d=\"M430 40h56v260h-64zM714 40h56l8 260h-64z\"/>"
    "<path class=\"cap\" d=\"M420 26h76v20h-76zM704 26h76v20h-76zM496 30h208v12H496z\"/>"
    "<path class=\"mid\" d=\"M-240 220q60-24 120 0t120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 "
    "0 120 0v90H-240z\"/>"
    "<path class=\"front\" d=\"M-240 254q60-20 120 0t120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 120 0 "
    "120 0 120 0v60H-240z\"/>"
    "</svg>";

}  // namespace tidegate::handlers
