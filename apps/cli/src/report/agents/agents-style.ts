/** Styles of the agents report, added to the report's style sheet. Bars are boxes, so they fit any width. */
export const AGENTS_STYLE = `
.agents { display: grid; grid-template-columns: fit-content(34%) 1fr max-content; gap: 10px 14px; align-items: center; margin: 22px 0 6px; font-variant-numeric: tabular-nums; }
.agents .row { display: contents; }
.agents .name { font-weight: 600; overflow-wrap: anywhere; }
.agents .published { font-weight: 400; color: var(--soft); }
.agents .rate { text-align: right; font-weight: 600; white-space: nowrap; }
.agents .track { position: relative; height: 22px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.agents .track > * { position: absolute; top: 0; bottom: 0; }
.agents .span { background: currentColor; opacity: 0.25; border-radius: 4px; }
.agents .point { width: 3px; margin-left: -1.5px; background: currentColor; border-radius: 2px; }
.agents .hollow { width: 9px; height: 9px; margin: auto 0 auto -4.5px; border: 2px solid var(--soft); border-radius: 99px; background: var(--card); }
.agents .none { color: var(--soft); font-weight: 400; }
.scale { display: grid; grid-template-columns: repeat(3, 1fr); color: var(--soft); font-size: 13px; }
.scale :nth-child(2) { text-align: center; } .scale :nth-child(3) { text-align: right; }
.failures { list-style: none; padding: 0; margin: 0 0 14px; }
.failures li { border-left: 3px solid var(--bad); padding: 4px 0 4px 12px; margin: 8px 0; overflow-wrap: anywhere; }
td.wrap, th.wrap { white-space: normal; text-align: left; min-width: 180px; }
.scroll + .soft { margin-top: 8px; }
main h2 ~ h3 { margin-top: 30px; }
@media (max-width: 560px) {
  main { padding: 32px 16px 64px; }
  h1 { font-size: 28px; }
  .agents { display: block; }
  .agents .row { display: grid; grid-template-columns: 1fr max-content; gap: 3px 12px; margin-bottom: 14px; }
  .agents .track { grid-column: 1 / -1; grid-row: 2; }
}
`;
