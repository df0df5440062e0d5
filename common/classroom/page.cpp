
#include "quoting.hpp"

namespace classroom {

namespace {

constexpr char shared_style[] = R"(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f3f6f8; --ink: #16202a; --soft: #4a5967; --rule: #cdd6dd; --focus: #7a3cc0; --link: #17657f;
  --passed: #1d7a5f; --passed-ink: #ffffff; --other: #1f5fa8; --other-ink: #ffffff; --wrong: #c2410c; --wrong-ink: #ffffff; --broken: #6b2fa5; --broken-ink: #ffffff;
  --open: #fde9b8; --open-ink: #4d3800; --untouched: #e6ebef; --untouched-ink: #43525f;
  --mono: ui-monospace, "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12171c; --panel: #1a2129; --ink: #e8edf2; --soft: #aab8c5; --rule: #36424e; --focus: #d0a6ff; --link: #67c3de;
    --passed: #46b894; --passed-ink: #04140e; --other: #7db4f5; --other-ink: #04101f; --wrong: #ff8a52; --wrong-ink: #1f0b01; --broken: #c39bff; --broken-ink: #170529;
    --open: #5a4a1c; --open-ink: #ffe9b0; --untouched: #2a343e; --untouched-ink: #b8c5d0;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { font-size: clamp(16px, 9px + 0.5vw, 22px); }
body { margin: 0 auto; padding: 1.2rem clamp(0.75rem, 2.2vw, 2.4rem) 3rem; max-width: 120rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { margin: 0; font-size: clamp(1.4rem, 2.6vw, 2rem); font-weight: 650; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.5rem; font-size: 1.2rem; font-weight: 650; }
h3 { margin: 1.3rem 0 0.3rem; font-size: 1.02rem; font-weight: 650; overflow-wrap: anywhere; }
p { margin: 0.3rem 0; }
section { margin-top: 1.8rem; min-width: 0; }
a { color: var(--link); }
code, pre, kbd { font-family: var(--mono); font-size: 0.9em; }
code { overflow-wrap: anywhere; }
kbd { padding: 0 0.35em; border: 1px solid var(--rule); border-radius: 4px; }
pre { margin: 0.4rem 0; padding: 0.6rem 0.8rem; overflow-x: auto; background: var(--panel); border-radius: 6px; line-height: 1.4; }
table { border-collapse: collapse; }
.soft { color: var(--soft); }
.mark { display: inline-block; min-width: 1.6em; padding: 0 0.45em; border-radius: 4px; text-align: center; font-weight: 650; }
.passed { background: var(--passed); color: var(--passed-ink); }
.other { background: var(--other); color: var(--other-ink); }
.wrong { background: var(--wrong); color: var(--wrong-ink); }
.broken { background: var(--broken); color: var(--broken-ink); }
.open { background: var(--open); color: var(--open-ink); }
.untouched { background: var(--untouched); color: var(--untouched-ink); }
.missing, .ungraded { background: transparent; color: var(--soft); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
@media print {
  html { font-size: 9pt; }
  body { padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .mark, .passed, .wrong, .broken, .open, .untouched, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .screen { display: none !important; }
  h2, h3 { break-after: avoid; }
}
)";

}  // namespace

std::string page_of(const std::string& title, const std::string& body, const std::string& style,
                    const std::string& script) {
    const std::string sources = script.empty() ? "style-src 'unsafe-inline'"
                                               : "style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
           "form-action 'none'; " +
           sources + "\">\n<title>" + as_html(title) + "</title>\n<style>" + shared_style + style +
           "</style>\n</head>\n<body>\n" + body +
           (script.empty() ? "" : "<script>" + script + "</script>\n") + "</body>\n</html>\n";
}

}  // namespace classroom
