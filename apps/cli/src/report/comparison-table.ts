/** Algorithms and controls as rows: distinct tasks, training seeds, success before and after, and what compares. */
import { columns } from './columns.js';
import { html, type Markup } from './html.js';
import type { Row } from './statistics.js';
import { method, separation, verdicts } from './verdicts.js';
import { colour } from './words.js';

export function comparisonTable(rows: readonly Row[], baseline?: string): Markup {
  const runs = rows.reduce((sum, row) => sum + row.runs.length, 0);
  const shown = columns(rows, baseline);
  const words = verdicts(rows, baseline);
  return html`<div class="scroll"><table>
<thead><tr><th>algorithm</th>${shown.map(({ title }) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (
      row,
      index,
    ) => html`<tr><td class="${row.isControl ? 'soft' : colour(index)}">${row.title}${row.isControl && html` <span class="soft">control</span>`}</td>
${shown.map(({ cell }) => html`<td>${cell(row)}</td>`)}</tr>`,
  )}</tbody></table></div>
${words.length > 0 && html`<ul class="verdicts">${words.map(({ text, comparison }) => html`<li class="${comparison.verdict === 'cannot tell' ? 'soft' : ''}">${text}.</li>`)}</ul>`}
<p class="soft">${separation(rows)} ${method(rows)} CPU time is that of all threads of a run, evaluation apart. Every number is computed from the runs beside this file (${runs} runs).</p>`;
}
