/** All environments at a glance: a table of success by algorithm and environment, and all of them together. */

import { needsStrict } from './answer-columns.js';
import { comparisonTable } from './comparison-table.js';
import type { TaskReport } from './data.js';
import type { Colors } from './document/colors.js';
import { html, type Markup } from './document/html.js';
import { signed, whole } from './format.js';
import { across, type Row, summarize } from './statistics.js';

/** Id of an environment's section on the page. */
export const anchor = (envId: string) => envId.replace(/[^\w-]+/g, '-');

/** Name of an environment for people; with its id where two tasks have the same name. */
export function nameOf({ title, envId }: TaskReport, tasks: readonly TaskReport[]): string {
  if (title === undefined) return envId;
  return tasks.filter((other) => other.title === title).length > 1 ? `${title} (${envId})` : title;
}

export function overview(tasks: readonly TaskReport[], color: Colors, baseline?: string): Markup {
  const rows = across(tasks, baseline);
  const summaries = tasks.map(({ runs }) => summarize(runs, baseline));
  return html`<h2>All environments</h2>
<div class="scroll" tabindex="0" role="region" aria-label="All environments"><table class="cards">
<thead><tr><th>algorithm</th>${tasks.map((task) => html`<th><a href="#${anchor(task.envId)}">${nameOf(task, tasks)}</a></th>`)}<th>mean gain</th></tr></thead>
<tbody><tr class="soft"><th scope="row">shared warm start</th>${summaries.map((summary, index) => html`<td data-label="${nameOf(tasks[index]!, tasks)}">${maybe(summary[0]?.start, whole)}</td>`)}<td></td></tr>
${rows.map(
  ({ algorithm, title, gain }) => html`<tr><th scope="row" class="${color(algorithm)}">${title}</th>
${summaries.map((summary, index) => {
  const label = nameOf(tasks[index]!, tasks);
  const row = summary.find((each) => each.algorithm === algorithm);
  if (!row) return html`<td data-label="${label}">–</td>`;
  return html`<td data-label="${label}">${whole(row.end.rate)} ${row.gain !== undefined && html`<span class="${row.gain >= 0 ? 'good' : 'bad'}">${signed(row.gain)}</span>`}${strictIn(row)}</td>`;
})}<td data-label="mean gain">${gain === undefined ? '–' : `${signed(gain)} points`}</td></tr>`,
)}</tbody></table></div>
<p class="soft">Success after training, and points gained on the shared warm start, means over training seeds.</p>
${comparisonTable(rows, color, baseline)}`;
}

/** Beside a success that answers without a legal action have a part in. */
const strictIn = (row: Row): Markup | false =>
  needsStrict(row) && html` <span class="soft">strict ${whole(row.strictRate!)}</span>`;

const maybe = (value: number | undefined, write: (value: number) => string) =>
  value === undefined ? '–' : write(value);
