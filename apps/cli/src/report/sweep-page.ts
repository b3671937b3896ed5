/** The page of a sweep: a plot of every varied hyperparameter, and the table of points. */
import { scaleLinear, scaleLog, scalePoint } from 'd3-scale';
import type { PointResult, Sensitivity } from '../experiment/sweep/results.js';
import { percent } from '../terminal/style.js';
import { reportDocument } from './document/document.js';
import { html, type Markup } from './document/html.js';
import { whole } from './format.js';

export interface SweepPage {
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly metric: string;
  readonly results: readonly PointResult[];
  readonly sensitivity: readonly Sensitivity[];
}

export function sweepPage({ title, lead, command, metric, results, sensitivity }: SweepPage): string {
  const keys = sensitivity.map(({ key }) => key);
  const body = html`<h2>How much each choice matters</h2>
<p class="soft">A dot is a point of the sweep, whatever its other choices; a bar is the mean of a value. The hyperparameter that moves the mean most comes first. Differences within the spread of the dots may be luck.</p>
${sensitivity.map((each) => html`<h3>${each.key}</h3>${plot(each, metric)}`)}
<h2>Points</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Points"><table>
<thead><tr><th>point</th>${keys.map((key) => html`<th>${key}</th>`)}<th class="number">${metric}</th><th class="number">by seed</th><th class="number">updates</th></tr></thead>
<tbody>${results.map(
    ({ name, values, score, seeds, updates }) =>
      html`<tr><td>${name}</td>${keys.map((key) => html`<td>${textOf(values[key])}</td>`)}<td class="number">${score === undefined ? 'failed' : percent(score)}</td><td class="number">${seeds.map((each) => (each === undefined ? '–' : whole(each))).join(' / ')}</td><td class="number">${updates}</td></tr>`,
  )}</tbody>
</table></div>
<h2>Reproduce</h2>
<pre tabindex="0" id="command">${command}</pre>`;
  return reportDocument({ title, lead, body });
}

const SIZE = { width: 640, height: 220, left: 52, right: 24, top: 12, bottom: 40 };
/** Half the width of the bar of a mean, in pixels. */
const BAR = 14;

function plot({ key, effects }: Sensitivity, metric: string): Markup {
  const { width, height, left, right, top, bottom } = SIZE;
  const x = places(effects.map(({ value }) => value));
  const y = scaleLinear([0, 1], [height - bottom, top]);
  // a range has a value for each point: its means are those of one point each
  const hasMeans = effects.some(({ scores }) => scores.length > 1);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${metric} by ${key}: ${effects.map(({ value, mean }) => `${textOf(value)} ${whole(mean)}`).join(', ')}">
${y.ticks(4).map((tick) => html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${left - 8}" y="${y(tick)}" dy="0.32em" text-anchor="end">${whole(tick)}</text>`)}
${effects.map(
  ({
    value,
    scores,
    mean,
  }) => html`${scores.map((score) => html`<circle class="dot c0" cx="${x(value)}" cy="${y(score)}" r="3.5"/>`)}
${hasMeans && html`<line class="line c0" x1="${x(value) - BAR}" x2="${x(value) + BAR}" y1="${y(mean)}" y2="${y(mean)}"/>`}
${effects.length <= 12 && html`<text class="tick" x="${x(value)}" y="${height - bottom + 18}" text-anchor="middle">${textOf(value)}</text>`}`,
)}
<text class="axis" x="${width - right}" y="${height - 4}" text-anchor="end">${key}</text>
</svg>`;
}

/** Numbers that span more than a decade are spread by their logarithm, a few values evenly. */
function places(values: readonly unknown[]): (value: unknown) => number {
  const range: [number, number] = [SIZE.left + 2 * BAR, SIZE.width - SIZE.right - 2 * BAR];
  const numbers = values.filter((value) => typeof value === 'number');
  if (values.length <= 12 || numbers.length < values.length) {
    const scale = scalePoint(values.map(textOf), range);
    return (value) => scale(textOf(value)) ?? range[0];
  }
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const scale = low > 0 && high / low > 10 ? scaleLog([low, high], range) : scaleLinear([low, high], range);
  return (value) => scale(value as number);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
