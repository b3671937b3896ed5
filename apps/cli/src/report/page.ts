/** The report: one self-contained HTML file that reads from top to bottom like a short article. */
import { colorsOf } from './colors.js';
import type { ReportData } from './data.js';
import { partialText } from './format.js';
import { html, Markup } from './html.js';
import { anchor, nameOf, overview } from './overview.js';
import { STYLE } from './style.js';
import { taskSection } from './task-section.js';

export function reportPage(data: ReportData, baseline?: string): string {
  const { tasks } = data;
  const color = colorsOf(tasks);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${data.partial ? `Partial: ${data.title}` : data.title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${data.title}</h1>
<p class="lead">${data.lead}</p>
${data.partial && html`<p class="partial" role="status">${partialText(data.partial)}</p>`}
${
  tasks.length === 1
    ? taskSection(tasks[0]!, 2, color, baseline)
    : html`${overview(tasks, color, baseline)}
${tasks.map((task) => html`<section class="environment" id="${anchor(task.envId)}"><h2>${nameOf(task, tasks)}</h2>${taskSection(task, 3, color, baseline)}</section>`)}`
}
<h2>Reproduce</h2>
<pre tabindex="0" id="command">${data.command}</pre>
<dl>
<dt>model</dt><dd>${data.model}</dd>
${data.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
</main>
</body>
</html>
`.text;
}
