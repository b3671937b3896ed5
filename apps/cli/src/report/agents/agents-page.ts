/** The report of agents: who solves what, how sure that is, what it cost, and what failed. Looks like that of training. */

import { html, Markup } from '../html.js';
import { STYLE } from '../style.js';
import type { AgentReport } from './agent-report.js';
import { environmentSection, matrix } from './agents-sections.js';
import { AGENTS_STYLE } from './agents-style.js';

export function agentReportPage(report: AgentReport): string {
  const { title, lead, command, cells, facts } = report;
  const environments = [...new Set(cells.map(({ environment }) => environment))];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Markup(STYLE)}${new Markup(AGENTS_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${environments.length > 1 && matrix(report)}
${environments.map((environment) => environmentSection(environment, report))}
<h2>Reproduce</h2>
<pre tabindex="0">${command}</pre>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</main>
</body>
</html>
`.text;
}
