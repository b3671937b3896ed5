/** The report: one self-contained HTML file that reads from top to bottom like a short article. */

import { partialText, type ReportData } from './data.js';
import { colorsOf } from './document/colors.js';
import { reportDocument } from './document/document.js';
import { html } from './document/html.js';
import { anchor, nameOf, overview } from './overview.js';
import { taskSection } from './task-section.js';
import { transferSection } from './transfer.js';

export function reportPage(data: ReportData, baseline?: string): string {
  const { tasks, transfers = [] } = data;
  const color = colorsOf(tasks);
  const body = html`${data.partial && html`<p class="partial" role="status">${partialText(data.partial)}</p>`}
${
  tasks.length === 1
    ? taskSection(tasks[0]!, 2, color, baseline)
    : html`${overview(tasks, color, baseline)}
${tasks.map((task) => html`<section class="environment" id="${anchor(task.envId)}"><h2>${nameOf(task, tasks)}</h2>${taskSection(task, 3, color, baseline)}</section>`)}`
}
${transfers.length > 0 && transferSection(transfers)}
<h2>Reproduce</h2>
<pre tabindex="0" id="command">${data.command}</pre>
<dl>
<dt>model</dt><dd>${data.model}</dd>
${data.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>`;
  const { title, lead, partial } = data;
  return reportDocument({ title, lead, body, ...(partial && { tab: `Partial: ${title}` }) });
}
