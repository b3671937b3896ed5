/** The report's style sheet: system fonts, light and dark, prints well, no request leaves the page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --ink: #1d1f21; --soft: #5f636a; --line: #e4e1d9; --card: #ffffff;
  --c0: #2f6f4f; --c1: #b4492f; --c2: #3a5fa8; --c3: #8a5a9e; --c4: #8a6a12; --c5: #2f7480; --c6: #a83a74; --c7: #5f6b1d; --c8: #7a5230; --c9: #5b5fae;
  --good: #2f7d4f; --bad: #b4412f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181a; --ink: #e9e7e1; --soft: #9a9ea6; --line: #2c2f33; --card: #1d2023;
    --c0: #6fc79a; --c1: #ee8b70; --c2: #86a8f0; --c3: #c99be0; --c4: #e0bd62; --c5: #85c0ca; --c6: #f08fbd; --c7: #b7c663; --c8: #d9a878; --c9: #a9adf2;
    --good: #74cf98; --bad: #f0907c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 56px 24px 96px; }
h1 { font-size: 34px; line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 12px; }
h2 { font-size: 21px; letter-spacing: -0.01em; margin: 56px 0 6px; }
h3 { font-size: 15px; margin: 0 0 4px; }
.environment { margin-top: 72px; border-top: 3px solid var(--line); }
.environment h2 { font-size: 26px; margin-top: 20px; }
.environment > h3 { font-size: 19px; margin: 44px 0 6px; }
a { color: inherit; text-underline-offset: 3px; }
p { margin: 0 0 14px; max-width: 72ch; }
.partial { border-left: 4px solid var(--bad); padding-left: 12px; font-weight: 600; }
.lead { font-size: 18px; color: var(--soft); }
.soft, figcaption { color: var(--soft); font-size: 14px; }
code, pre { font: 13px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; overflow-x: auto; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 14px; margin: 28px 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-top: 4px solid currentColor; border-radius: 10px; padding: 14px 16px; }
.tile > * { color: var(--ink); }
.tile .name { font-size: 15px; font-weight: 700; margin: 0 0 4px; }
.tile .big { font-size: 34px; font-weight: 650; letter-spacing: -0.02em; line-height: 1.1; }
.tile .delta { font-weight: 600; }
.good { color: var(--good) !important; } .bad { color: var(--bad) !important; }
figure { margin: 18px 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 16px 10px; }
.chart { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
.grid { stroke: var(--line); stroke-width: 1; }
.tick, .axis { fill: var(--soft); }
.line { fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linejoin: round; }
.line.faint { stroke-width: 1.2; opacity: 0.5; }
.band { fill: currentColor; opacity: 0.13; }
.dot { fill: currentColor; }
.label { fill: currentColor; font-weight: 600; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); } .c6 { color: var(--c6); } .c7 { color: var(--c7); } .c8 { color: var(--c8); } .c9 { color: var(--c9); } .neutral { color: var(--soft); }
.multiples { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 14px; }
.multiples figure { margin: 0; padding: 12px 12px 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14.5px; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 8px 7px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; font-size: 13px; }
thead th { white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
tbody th { color: inherit; font-size: inherit; font-weight: 600; }
tbody th.c0 { color: var(--c0); }tbody th.c1 { color: var(--c1); }tbody th.c2 { color: var(--c2); }tbody th.c3 { color: var(--c3); }tbody th.c4 { color: var(--c4); }tbody th.c5 { color: var(--c5); }tbody th.c6 { color: var(--c6); }tbody th.c7 { color: var(--c7); }tbody th.c8 { color: var(--c8); }tbody th.c9 { color: var(--c9); }
tbody th.soft { color: var(--soft); }
.plain tbody th { font-weight: 400; }
tr.soft td, tr.soft th { color: var(--soft); }
.wide { display: block; } .narrow { display: none; }
.legend { list-style: none; margin: 4px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 14px; font-weight: 600; }
.legend li::before { content: '—'; margin-right: 6px; }
details { margin: 14px 0; } summary { cursor: pointer; color: var(--soft); font-size: 14px; }
:focus-visible { outline: 2px solid var(--c2); outline-offset: 2px; }
.scroll + .scroll { margin: 28px 0 14px; }
.episode { margin: 18px 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
.episode header { display: flex; gap: 10px; align-items: baseline; flex-wrap: wrap; margin-bottom: 10px; }
.badge { font-size: 12px; font-weight: 600; padding: 1px 9px; border-radius: 99px; border: 1px solid currentColor; }
.strip { display: flex; gap: 12px; overflow-x: auto; padding-bottom: 6px; }
.step { flex: 0 0 190px; font-size: 13px; line-height: 1.4; }
.step img { width: 190px; height: auto; border-radius: 6px; display: block; image-rendering: auto; background: #35654d; }
.step .action { display: flex; justify-content: space-between; margin: 8px 0 4px; font-weight: 650; font-size: 15px; }
.step .action code { font-size: 15px; }
.step .thought { color: var(--soft); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; font-size: 14px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  main { padding: 28px 14px 64px; }
  h1 { font-size: 27px; }
  .wide { display: none; } .narrow { display: block; }
  figure { padding: 12px 8px 8px; }
  .multiples { grid-template-columns: minmax(0, 1fr); }
  /* the first column stays in sight while the others scroll */
  .scroll th:first-child { position: sticky; left: 0; background: var(--paper); white-space: normal; min-width: 9em; max-width: 11em; }
  /* wide tables become one card per row */
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; }
  .cards tr { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 12px; margin-bottom: 10px; }
  .cards tbody th:first-child { position: static; background: none; max-width: none; padding: 0 0 4px; border: 0; }
  .cards td { display: flex; justify-content: space-between; gap: 14px; padding: 2px 0; border: 0; white-space: normal; }
  .cards td:not(.wrap) { white-space: nowrap; }
  .cards td.wrap { min-width: 0; text-align: right; }
  .cards td::before { content: attr(data-label); color: var(--soft); font-weight: 400; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .cards td:empty { display: none; }
  .step { flex-basis: 150px; } .step img { width: 150px; }
  dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: 8px; }
}
@media print { .strip { flex-wrap: wrap; } figure, .episode { break-inside: avoid; } }
`;
