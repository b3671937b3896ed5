/** The page's style sheet, of one family with the report's: system fonts, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --ink: #1d1f21; --soft: #5f636a; --line: #e4e1d9; --card: #ffffff; --accent: #2f6f4f; --tint: #e9f1ec;
  --good: #1f6b40; --bad: #a33522; --won: #e9f4ed; --lost: #fbeeeb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181a; --ink: #e9e7e1; --soft: #9a9ea6; --line: #2c2f33; --card: #1d2023; --accent: #6fc79a; --tint: #20302a;
    --good: #74cf98; --bad: #f0907c; --won: #1a2a21; --lost: #2f1f1c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
header { display: flex; gap: 10px 24px; align-items: baseline; justify-content: space-between; padding: 14px 28px; border-bottom: 1px solid var(--line); }
h1 { font-size: 20px; letter-spacing: -0.01em; margin: 0; min-width: 0; overflow-wrap: anywhere; }
#again { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; color: var(--soft); font-size: 14px; margin: 0 0 16px; }
dl { margin: 0; }
#score { display: flex; flex: none; gap: 22px; font-variant-numeric: tabular-nums; }
#score div { display: flex; gap: 7px; align-items: baseline; }
dt { color: var(--soft); font-size: 14px; }
dd { margin: 0; font-weight: 650; }
.good { color: var(--good); } .bad { color: var(--bad); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(270px, 360px); gap: 24px; max-width: 1320px; margin: 0 auto; padding: 20px 28px 56px; }
#task { position: sticky; top: 0; z-index: 1; margin: -10px 0 0; padding: 10px 0 6px; background: var(--paper); font-size: 19px; line-height: 1.35; overflow-wrap: anywhere; }
#guide { border: 0; padding: 0; margin-bottom: 12px; max-width: 75ch; }
#guide p { margin: 0 0 4px; color: var(--ink); font-size: 15px; line-height: 1.4; }
#guide summary { padding: 0; }
figure { margin: 0; }
canvas { display: block; width: 100%; height: auto; border-radius: 10px; background: var(--line); }
canvas.small { image-rendering: pixelated; }
/* as wide as the page, and never higher than the window: a box with the picture's proportions keeps its four round corners */
#eye canvas { width: min(100%, 76vh * var(--ratio, 1)); background: none; }
#more { display: grid; gap: 14px; margin-bottom: 18px; }
#more:empty { display: none; }
#more .small { width: 60%; }
#task::first-letter { text-transform: uppercase; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
#eye { margin-bottom: 14px; }
#site { display: block; width: 100%; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
#talk { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; height: 62vh; overflow-y: auto; }
#talk.beside { height: auto; max-height: 34vh; margin-top: 14px; }
#talk p { margin: 0 0 10px; max-width: 75ch; color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
#talk .action { color: var(--accent); font-weight: 600; display: flex; gap: 14px; }
#talk .action::before { content: '›'; margin-right: -6px; }
#talk .board { font: 15px/1.35 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
#talk .now { color: var(--ink); margin: 0; }
#verdict { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 10px; padding: 10px 16px; margin-bottom: 12px; display: flex; flex-wrap: wrap; gap: 4px 28px; align-items: baseline; }
#verdict p { margin: 0; }
#verdict strong::before { display: inline-block; margin-right: 8px; }
#verdict.won { border-color: var(--good); border-left-width: 8px; background: var(--won); }
#verdict.won strong { color: var(--good); } #verdict.won strong::before { content: '✓' / ''; }
#verdict.lost { border-color: var(--bad); border-left-width: 8px; background: var(--lost); }
#verdict.lost strong { color: var(--bad); } #verdict.lost strong::before { content: '✗' / ''; }
#after { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 14px; }
#go-on { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
#verdict dl { display: flex; flex-wrap: wrap; gap: 2px 22px; font-size: 14px; font-variant-numeric: tabular-nums; }
#verdict dl div { display: flex; gap: 7px; align-items: baseline; }
button, input:not([type='range']) { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 12px; min-height: 40px; min-width: 40px; }
button { cursor: pointer; font-size: 15px; }
button:hover { border-color: var(--accent); }
button:active { background: var(--tint); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#seed { width: 92px; padding: 5px 8px; margin-left: 4px; }
#say { display: flex; gap: 8px; margin-bottom: 10px; }
#words { flex: 1; min-width: 0; }
#note { color: var(--bad); font-size: 14px; margin: 0 0 10px; overflow-wrap: anywhere; }
#actions { display: flex; flex-wrap: wrap; gap: 7px; max-height: 46vh; overflow-y: auto; padding: 2px; }
#actions button { overflow-wrap: anywhere; text-align: left; }
#anyway { margin: -4px 0 12px; border-color: var(--bad); }
#pad { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); grid-template-areas: '. up .' 'left down right'; gap: 7px; max-width: 360px; margin-bottom: 10px; padding: 2px; }
#pad button { display: flex; flex-direction: column-reverse; align-items: center; justify-content: center; gap: 3px; min-height: 58px; padding: 4px; line-height: 1.15; overflow-wrap: anywhere; }
#pad kbd { margin: 0; font-size: 15px; padding: 3px 9px; }
[data-key='up'] { grid-area: up; } [data-key='left'] { grid-area: left; } [data-key='down'] { grid-area: down; } [data-key='right'] { grid-area: right; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
kbd { font: 12px/1 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; color: var(--soft); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; padding: 2px 5px; margin-left: 8px; background: var(--paper); }
#watch { display: grid; gap: 10px; color: var(--soft); font-size: 14px; margin-bottom: 12px; }
#watch div { display: flex; flex-wrap: wrap; gap: 8px; }
#watch p { margin: 0; color: var(--ink); font-weight: 650; overflow-wrap: anywhere; }
#watch label { display: flex; gap: 10px; align-items: center; }
#watch select { flex: 1; min-width: 0; }
#watch input { accent-color: var(--accent); padding: 0; flex: 1; }
select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 8px; min-height: 40px; }
#log { border-top: 1px solid var(--line); padding: 8px 0; font-size: 14px; }
#log h2 { font-size: 14px; font-weight: 500; color: var(--soft); margin: 0 0 6px; }
#log ol { margin: 0; padding: 0; max-height: 34vh; overflow-y: auto; list-style: none; }
#log li { display: grid; grid-template-columns: 3.2em minmax(0, 1fr) auto; gap: 0 8px; padding: 3px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
#log li span:first-child { color: var(--soft); font-variant-numeric: tabular-nums; }
#log li .thought { grid-column: 2 / -1; color: var(--soft); }
#help { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 14px 0; color: var(--soft); }
#advice button { background: var(--tint); border-color: var(--accent); color: var(--ink); }
details { border-top: 1px solid var(--line); padding: 8px 0; color: var(--soft); font-size: 14px; }
summary { cursor: pointer; min-height: 40px; line-height: 40px; }
pre { font: 12px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 40vh; overflow-y: auto; margin: 8px 0; }
#gone { position: fixed; left: 50%; bottom: 24px; transform: translateX(-50%); margin: 0; background: var(--ink); color: var(--paper); border-radius: 10px; padding: 12px 20px; }
body.over main { opacity: 0.5; }
@media (max-width: 840px) {
  main { grid-template-columns: minmax(0, 1fr); padding: 12px 16px 40px; gap: 12px; }
  /* one row: the name gives way to the score */
  header { padding: 8px 16px; align-items: center; }
  h1 { font-size: 16px; line-height: 1.2; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  #score { gap: 14px; font-size: 14px; } #score dt { font-size: 13px; } #score .last { display: none; }
  #task { font-size: 17px; } #guide p { font-size: 14px; }
  /* actions are below the picture, map and small pictures below them */
  aside { display: flex; flex-direction: column; } #more { order: 1; margin-top: 8px; } #again { order: 2; } #log { order: 3; } details { order: 4; }
  #pad { max-width: none; } #pad button { min-height: 64px; }
  #talk { height: auto; max-height: 50vh; }
}
`;
