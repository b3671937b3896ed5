/** The report of agents: who solves what, how sure that is, what it cost, and what failed. Looks like that of training. */

import { reportDocument } from '../document/document.js';
import { html } from '../document/html.js';
import type { AgentReport } from './agent-report.js';
import { environmentSection, matrix } from './agents-sections.js';
import { AGENTS_STYLE } from './agents-style.js';

export function agentReportPage(report: AgentReport): string {
  const { title, lead, command, cells, facts } = report;
  const environments = [...new Set(cells.map(({ environment }) => environment))];
  const body = html`${environments.length > 1 && matrix(report)}
${environments.map((environment) => environmentSection(environment, report))}
<h2>Reproduce</h2>
<pre tabindex="0">${command}</pre>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
  return reportDocument({ title, lead, body, style: AGENTS_STYLE });
}
