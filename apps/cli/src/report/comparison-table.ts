/** Algorithms as rows: success before and after, interval, gain, paired comparison with a baseline. */
import { duration, percent } from '../terminal/style.js';
import { html, type Markup } from './html.js';
import type { Row } from './statistics.js';
import { colour, signed } from './words.js';

/** @param pooled  The rows hold runs on several environments, whose returns and single gains do not compare. */
export function comparisonTable(rows: readonly Row[], baseline?: string, pooled = false): Markup {
  const runs = rows.reduce((sum, row) => sum + row.runs.length, 0);
  const name = rows.find((row) => row.algorithm === baseline)?.title;
  return html`<div class="scroll"><table>
<thead><tr><th>algorithm</th><th>before</th><th>after</th><th>95 % interval</th><th>gain, points</th>${name && html`<th>against ${name}</th><th>p</th>`}${!pooled && html`<th>return</th>`}<th>legal actions</th><th>steps</th><th>training</th></tr></thead>
<tbody>${rows.map(
    (
      row,
      index,
    ) => html`<tr><td class="${colour(index)}">${row.title}${row.runs.length > 1 && html` <span class="soft">× ${row.runs.length} ${pooled ? 'runs' : 'seeds'}</span>`}</td>
<td>${percent(row.start)}</td><td>${percent(row.end)}</td><td>${percent(row.interval[0])} – ${percent(row.interval[1])}</td>
<td>${signed(row.gain)}${row.gains.length > 1 && !pooled && html` <span class="soft">(${row.gains.map(signed).join(', ')})</span>`}</td>
${name && html`<td>${row.paired ? `${signed(100 * row.paired.difference)} points` : '–'}</td><td>${row.paired ? formatP(row.paired.pValue) : '–'}</td>`}
${!pooled && html`<td>${row.meanReturn.toFixed(2)}</td>`}<td>${percent(row.legalRate)}</td><td>${Math.round(row.trainedSteps).toLocaleString('en')}</td><td>${duration(row.trainSeconds)}</td></tr>`,
  )}</tbody></table></div>
<p class="soft">Intervals: Wilson, all final evaluation episodes of an algorithm together.${name && ` Against ${name}: paired on equal environments and seeds, exact McNemar test.`} Every number is computed from the runs beside this file (${runs} runs).</p>`;
}

const formatP = (p: number) => (p < 0.001 ? '< 0.001' : p.toFixed(3));
