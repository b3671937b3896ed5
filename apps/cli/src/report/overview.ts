/** All environments at a glance: a table of success by algorithm and environment, and all of them together. */
import { comparisonTable } from './comparison-table.js';
import type { TaskReport } from './data.js';
import { html, type Markup } from './html.js';
import { across, summarise } from './statistics.js';
import { colour, signed, whole } from './words.js';

/** Id of an environment's section on the page. */
export const anchor = (envId: string) => envId.replace(/[^\w-]+/g, '-');

export function overview(tasks: readonly TaskReport[], baseline?: string): Markup {
  const rows = across(tasks, baseline);
  const summaries = tasks.map(({ runs }) => summarise(runs, baseline));
  return html`<h2>All environments</h2>
<div class="scroll"><table>
<thead><tr><th>algorithm</th>${tasks.map(({ envId }) => html`<th><a href="#${anchor(envId)}">${envId}</a></th>`)}<th>mean gain</th></tr></thead>
<tbody><tr class="soft"><td>common start</td>${summaries.map((summary) => html`<td>${whole(summary[0]!.start)}</td>`)}<td></td></tr>
${rows.map(
  ({ algorithm, title, gain }, index) => html`<tr><td class="${colour(index)}">${title}</td>
${summaries.map((summary) => {
  const row = summary.find((each) => each.algorithm === algorithm);
  return html`<td>${row ? html`${whole(row.end)} <span class="${row.gain >= 0 ? 'good' : 'bad'}">${signed(row.gain)}</span>` : '–'}</td>`;
})}<td>${signed(gain)} points</td></tr>`,
)}</tbody></table></div>
<p class="soft">Success after training, and points gained on the common start, means over training seeds.</p>
${comparisonTable(rows, baseline, true)}`;
}
