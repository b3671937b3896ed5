/** Algorithms and controls as rows: distinct tasks, training seeds, success before and after, and what compares. */

import { columns } from './columns.js';
import type { Colors } from './document/colors.js';
import { html, type Markup } from './document/html.js';
import { points } from './format.js';
import type { Row } from './statistics.js';
import { answers, formatP, method, separation, type Verdict, verdicts, verdictWords } from './verdicts.js';

export function comparisonTable(rows: readonly Row[], color: Colors, baseline?: string): Markup {
  const runs = rows.reduce((sum, row) => sum + row.runs.length, 0);
  const shown = columns(rows);
  const compared = verdicts(rows, baseline);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Results"><table class="cards">
<thead><tr><th scope="col">algorithm</th>${shown.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr><th scope="row" class="${color(row.algorithm)}">${row.title}</th>
${shown.map(({ title, cell }) => html`<td data-label="${title}">${cell(row)}</td>`)}</tr>`,
  )}</tbody></table></div>
${compared.length > 0 && comparisons(compared)}
<p class="soft">${separation(rows)} ${answers(rows)} ${method(rows)} CPU time is that of all threads of a run, without evaluation. Every number is computed from the runs next to this file (${runs} runs).</p>`;
}

function comparisons(compared: readonly Verdict[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Comparisons"><table class="cards">
<thead><tr><th>comparison</th><th>points</th><th>95 % interval</th><th>tasks</th><th>training seeds</th><th>p</th><th>says</th></tr></thead>
<tbody>${compared.map(({ first, second, comparison }) => {
    const { difference, interval95, tasks, seeds, pValue, verdict } = comparison;
    return html`<tr><th scope="row">${first} − ${second}</th><td data-label="points">${points(difference)}</td><td data-label="95 % interval">${points(interval95[0])} to ${points(interval95[1])}</td><td data-label="tasks">${tasks}</td><td data-label="training seeds">${seeds}</td><td data-label="p">${pValue === undefined ? '–' : formatP(pValue).replace('= ', '')}</td><td data-label="says" class="${verdict === 'cannot tell' ? 'soft' : ''}">${verdictWords(comparison)}</td></tr>`;
  })}</tbody></table></div>`;
}
