/** The report: one self-contained HTML file that reads from top to bottom like a short article. */
import { duration, percent } from '../terminal/style.js';
import { lineChart } from './chart.js';
import type { ReportData } from './data.js';
import { html, Markup } from './html.js';
import { meanCurve, type Row, summarise } from './statistics.js';
import { episodes } from './strips.js';
import { STYLE } from './style.js';

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
const colour = (index: number) => `c${index % 6}`;
const whole = (share: number) => `${Math.round(100 * share)} %`;

/** Small charts, shown where the runs recorded the metric. */
const DIAGNOSTICS: readonly { key: string; title: string; says: string }[] = [
  {
    key: 'entropy',
    title: 'Entropy of the response',
    says: 'nats per token; falling to 0 means one answer for everything',
  },
  { key: 'thoughtTokens', title: 'Length of the thought', says: 'tokens; a sudden drop is thought collapse' },
  {
    key: 'inputDependence',
    title: 'Dependence on the picture',
    says: 'log p(thought | its picture) − log p(thought | another); near 0 the model no longer looks',
  },
  { key: 'teacherKl', title: 'Distance to the teacher', says: 'nats per thought token' },
  { key: 'referenceKl', title: 'Distance to the start', says: 'nats per token' },
  { key: 'explainedVariance', title: 'Explained variance of the critic', says: '1 is perfect, 0 a constant guess' },
  { key: 'clipFraction', title: 'Clipped ratios', says: 'share of ratios outside the trust region' },
  { key: 'legalRate', title: 'Legal actions while training', says: 'share of steps' },
  { key: 'gradNorm', title: 'Gradient norm', says: 'before clipping' },
];

export function reportPage(data: ReportData, baseline?: string): string {
  const rows = summarise(data.runs, baseline);
  const environments = new Set(data.runs.map((run) => run.envId));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${data.title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${data.title}</h1>
<p class="lead">${data.lead}</p>
${tiles(rows)}
${curves(rows, data)}
${comparison(rows, data, baseline)}
${
  data.strips.length > 0 &&
  html`<h2>What it sees, thinks and does</h2>
<p class="soft">Whole episodes from the evaluation seeds, chosen by seed and not by result. Each step shows the picture that the model saw, its action and its thought.</p>${episodes(data.strips)}`
}
${diagnostics(rows)}
${warmStart(data)}
<h2>Do it again</h2>
<pre>${data.command}</pre>
<dl>
<dt>environment${environments.size > 1 && 's'}</dt><dd>${[...environments].join(', ')}</dd>
<dt>prompts</dt><dd>${data.dialogue}</dd>
<dt>model</dt><dd>${data.model}</dd>
<dt>evaluation</dt><dd>${data.evaluationSeeds.length} fixed seeds, ${data.evaluationSeeds[0]} to ${data.evaluationSeeds.at(-1)}, greedy decoding, the same for every algorithm and every update</dd>
${data.facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
</main>
</body>
</html>
`.text;
}

function tiles(rows: readonly Row[]): Markup {
  return html`<div class="tiles">${rows.map(
    (row, index) => html`<div class="tile ${colour(index)}"><h3>${row.title}</h3>
<div class="big">${whole(row.end)}</div>
<div><span class="delta ${row.gain >= 0 ? 'good' : 'bad'}">${signed(row.gain)} points</span> <span class="soft">from ${whole(row.start)}</span></div></div>`,
  )}</div>`;
}

function curves(rows: readonly Row[], data: ReportData): Markup {
  const several = rows.some((row) => row.runs.length > 1);
  const series = rows.flatMap((row, index) => [
    { label: row.title, className: colour(index), points: meanCurve(row.runs) },
    ...(row.runs.length > 1
      ? row.runs.map((run) => ({
          label: `${row.title}, seed ${run.seed}`,
          className: colour(index),
          faint: true,
          points: run.evaluations.map(({ steps, successes, episodes: count }) => ({ x: steps, y: successes / count })),
        }))
      : []),
  ]);
  return html`<h2>Success on unseen hands</h2>
<figure>${lineChart(series, { width: 1000, height: 400, xLabel: 'environment steps trained on', yDomain: [0, 1], yFormat: whole, title: 'Success rate over environment steps' })}
<figcaption>Share of ${data.evaluationSeeds.length} fixed evaluation episodes that end in success. ${several ? 'Thick: mean over training seeds with its 95 % interval (Student’s t); thin: each seed.' : 'Band: 95 % Wilson interval.'}</figcaption></figure>`;
}

function comparison(rows: readonly Row[], data: ReportData, baseline?: string): Markup {
  const name = rows.find((row) => row.algorithm === baseline)?.title;
  return html`<h2>Side by side</h2>
<div class="scroll"><table>
<thead><tr><th>algorithm</th><th>before</th><th>after</th><th>95 % interval</th><th>gain, points</th>${name && html`<th>against ${name}</th><th>p</th>`}<th>return</th><th>legal actions</th><th>steps</th><th>training</th></tr></thead>
<tbody>${rows.map(
    (
      row,
      index,
    ) => html`<tr><td class="${colour(index)}">${row.title}${row.runs.length > 1 && html` <span class="soft">× ${row.runs.length} seeds</span>`}</td>
<td>${percent(row.start)}</td><td>${percent(row.end)}</td><td>${percent(row.interval[0])} – ${percent(row.interval[1])}</td>
<td>${signed(row.gain)}${row.gains.length > 1 && html` <span class="soft">(${row.gains.map(signed).join(', ')})</span>`}</td>
${name && html`<td>${row.paired ? `${signed(100 * row.paired.difference)} points` : '–'}</td><td>${row.paired ? formatP(row.paired.pValue) : '–'}</td>`}
<td>${row.meanReturn.toFixed(2)}</td><td>${percent(row.legalRate)}</td><td>${Math.round(row.trainedSteps).toLocaleString('en')}</td><td>${duration(row.trainSeconds)}</td></tr>`,
  )}</tbody></table></div>
<p class="soft">Intervals: Wilson, all final evaluation episodes of an algorithm together.${name && ` Against ${name}: paired on equal seeds, exact McNemar test.`} Every number is computed from the runs beside this file (${data.runs.length} runs).</p>`;
}

const formatP = (p: number) => (p < 0.001 ? '< 0.001' : p.toFixed(3));

function diagnostics(rows: readonly Row[]): Markup | false {
  const charts = DIAGNOSTICS.flatMap(({ key, title, says }) => {
    const series = rows.flatMap((row, index) =>
      row.runs.flatMap((run) => {
        const points = (run.metrics[key] ?? [])
          .filter(([, value]) => Number.isFinite(value))
          .map(([x, y]) => ({ x, y }));
        return points.length > 1
          ? [{ label: row.title, className: colour(index), points, faint: row.runs.length > 1 }]
          : [];
      }),
    );
    if (series.length === 0) return [];
    return [
      html`<figure><h3>${title}</h3>${lineChart(series, { width: 480, height: 220, xLabel: 'update', yFormat: (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))), labels: false, yTicks: 4, title })}<figcaption>${says}</figcaption></figure>`,
    ];
  });
  return (
    charts.length > 0 &&
    html`<h2>How training went</h2><p class="soft">${rows.map((row, index) => html`<b class="${colour(index)}">${row.title}</b> `)}</p><div class="multiples">${charts}</div>${alarms(rows)}`
  );
}

function alarms(rows: readonly Row[]): Markup | false {
  const messages = rows.flatMap((row) =>
    row.runs.flatMap((run) => run.alarms.map((text) => `${row.title}, seed ${run.seed}: ${text}`)),
  );
  return messages.length > 0 && html`<h3>Alarms</h3><ul>${messages.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function warmStart({ warmStart: result }: ReportData): Markup | false {
  if (!result || result.loss.length < 2) return false;
  const points = result.loss.map(([x, y]) => ({ x, y }));
  const { seconds, labelledEpisodes: episodes, examples, mistakes } = result;
  const teacher = mistakes > 0 ? 'mediocre teacher' : 'teacher';
  const shown = `${examples.toLocaleString('en')} examples of a ${teacher}`;
  return html`<h2>The common start</h2>
<p class="soft">All algorithms start from the same weights. From random ones, a supervised warm start of ${duration(seconds)} showed the model ${shown}${episodes !== undefined && `, drawn from ${episodes.toLocaleString('en')} episodes`}${mistakes > 0 && `: what it says of the picture is right, but ${Math.round(100 * mistakes)} % of its actions are drawn by chance from those allowed. To play better than the teacher has to be learnt from play`}.</p>
<figure>${lineChart([{ label: 'loss', className: 'c5', points }], { width: 1000, height: 220, xLabel: 'labelled steps seen', yFormat: (value) => value.toFixed(2), title: 'Loss of the warm start' })}<figcaption>Cross-entropy in nats per response token.</figcaption></figure>`;
}
