/** The report on one environment: success, curves, comparison, episodes, diagnostics, warm start. */
import { FALLBACK_WORDS, type Fallback } from '@vlgym/agents';
import type { EnvBaseline } from '@vlgym/core/registry';
import { algorithmCharts } from '../experiment/algorithms.js';
import { controls } from '../experiment/controls/index.js';
import { samplingWords } from '../experiment/evaluation/judgment.js';
import { duration, percent } from '../terminal/style.js';
import { needsStrict } from './answer-columns.js';
import { thoughtText } from './columns.js';
import { comparisonTable } from './comparison-table.js';
import type { EvaluationPoint, RunResult, TaskReport } from './data.js';
import { lineChart, responsiveChart, type Series } from './document/chart.js';
import type { Colors } from './document/colors.js';
import { heading, html, type Markup } from './document/html.js';
import { episodes } from './episode-strips.js';
import { signed, whole } from './format.js';
import { hyperparameters } from './hyperparameters.js';
import { meanCurve, meanSeries, type Row, summarize } from './statistics.js';

/** Small charts, shown where the runs recorded the metric. */
const DIAGNOSTICS: readonly { key: string; title: string; says: string }[] = [
  {
    key: 'entropy',
    title: 'Entropy of the response',
    says: 'nats per token; at 0 the model gives one answer to everything',
  },
  { key: 'thoughtTokens', title: 'Length of the thought', says: 'tokens; a sudden drop is thought collapse' },
  {
    key: 'thoughtSight',
    title: 'Sight of thoughts',
    says: 'nats per token: log p(thought | its picture) − log p(thought | that of another episode); near 0 it does not look',
  },
];

/** The rest of them, below those that algorithms define. */
const MORE_DIAGNOSTICS: typeof DIAGNOSTICS = [
  {
    key: 'actionSight',
    title: 'Sight of actions',
    says: 'the same for the action, given its thought: small where the thought has read the picture',
  },
  { key: 'thoughtSightGray', title: 'Sight of thoughts, gray', says: 'nats per token against a gray picture' },
  { key: 'actionSightGray', title: 'Sight of actions, gray', says: 'nats per token against a gray picture' },
  { key: 'referenceKl', title: 'Distance to the start', says: 'nats per token' },
  { key: 'explainedVariance', title: 'Explained variance of the critic', says: '1 is perfect, 0 a constant guess' },
  { key: 'clipFraction', title: 'Clipped ratios', says: 'share of ratios outside the trust region' },
  {
    key: 'thoughtCorrect',
    title: 'Correct thoughts in training',
    says: 'share of readable ones that the environment could check',
  },
  { key: 'legalRate', title: 'Legal actions in training', says: 'share of steps' },
  {
    key: 'unreadable',
    title: 'Unreadable answers in training',
    says: 'share of steps from which no action could be read',
  },
  { key: 'gradNorm', title: 'Gradient norm', says: 'of the policy, before clipping' },
  { key: 'valueGradNorm', title: 'Gradient norm of the critic', says: 'of the value head, before clipping' },
  { key: 'updateSeconds', title: 'Wall-clock time of an update', says: 'seconds, without evaluation and checkpoint' },
  {
    key: 'tokensPerSecond',
    title: 'Tokens sampled per second',
    says: 'while sampling; several runs may share the machine',
  },
];

/** @param level  Level of the headings inside: 2 on a separate page, 3 below a heading. */
export function taskSection(task: TaskReport, level: number, color: Colors, baseline?: string): Markup {
  const rows = summarize(task.runs, baseline);
  const algorithms = rows.filter((row) => !row.isControl);
  return html`${tiles(algorithms, color)}
${curves(algorithms, task, level, color)}
${heading(level, 'Side by side')}
${comparisonTable(rows, color, baseline)}
${hyperparameters(algorithms)}
${controlNotes(rows, level)}
${
  task.strips.length > 0 &&
  html`${heading(level, 'What it sees, thinks and does')}
<p class="soft">Whole episodes from the evaluation seeds, chosen by seed and not by result. Each step shows the picture that the model saw, its action and its thought.</p>${episodes(task.strips, color)}`
}
${allEpisodes(task)}
${diagnostics(algorithms, level, color)}
${warmStart(task, level)}
<dl>
<dt>environment</dt><dd>${task.title !== undefined && `${task.title}, `}${task.envId}</dd>
${task.baselines && task.baselines.length > 0 && knownScores(task.baselines)}
<dt>options</dt><dd>${JSON.stringify(task.options)}</dd>
<dt>prompts</dt><dd>${task.dialogue}</dd>
<dt>evaluation</dt><dd>${task.evaluationSeeds.length} fixed seeds, ${task.evaluationSeeds[0]} to ${task.evaluationSeeds.at(-1)}, ${task.evaluationTemperature === 0 ? 'greedy decoding' : `sampled at temperature ${task.evaluationTemperature}`}, the same for ${task.runs.length > 1 && 'every algorithm and '}every update</dd>
${judgments(task)}
</dl>`;
}

/** Each way in which policies were judged, once. */
function judgments({ runs }: TaskReport): Markup | false {
  const ways = new Map<string, string[]>();
  for (const { judged, title } of runs) {
    if (!judged) continue;
    const way = `${samplingWords(judged)}; an unreadable answer is ${FALLBACK_WORDS[judged.fallback]}`;
    ways.set(way, [...new Set([...(ways.get(way) ?? []), title])]);
  }
  if (ways.size === 0) return false;
  return html`<dt>answers</dt>${[...ways].map(([way, titles]) => html`<dd>${ways.size > 1 && `${titles.join(', ')}: `}${way}</dd>`)}`;
}

/** Measured elsewhere, so they compare only where the options in their source are those above. */
function knownScores(baselines: readonly EnvBaseline[]): Markup {
  return html`<dt>known scores</dt><dd>${baselines.map(
    ({ agent, successRate, episodes: count, source }) =>
      html`<div>${agent}: ${(100 * successRate).toFixed(1)} %${count !== undefined && ` of ${count} episodes`} <span class="soft">(${source})</span></div>`,
  )}</dd>`;
}

function allEpisodes({ episodePages = [] }: TaskReport): Markup | false {
  return (
    episodePages.length > 0 &&
    html`<p>All evaluated episodes, each step with its picture: ${episodePages.map(
      ({ title, href }, index) => html`${index > 0 && ', '}<a href="${href}">${title}</a>`,
    )}.</p>`
  );
}

function tiles(rows: readonly Row[], color: Colors): Markup {
  return html`<div class="tiles">${rows.map(
    (row) => html`<div class="tile ${color(row.algorithm)}"><p class="name">${row.title}</p>
<div class="big">${whole(row.end.rate)}</div>
<div>${row.gain !== undefined && html`<span class="delta ${row.gain >= 0 ? 'good' : 'bad'}">${signed(row.gain)} points</span>`} <span class="soft">from ${whole(row.start ?? 0)}, on ${row.end.tasks} ${row.notSeparated === undefined ? 'unseen tasks' : 'tasks'}</span></div>
${answersOf(row)}</div>`,
  )}</div>`;
}

/** Below success: how much of it unreadable answers have a part in, and whether thoughts stayed true. */
function answersOf(row: Row): Markup | false {
  const words = [
    ...(needsStrict(row) ? [`strict ${percent(row.strictRate!, 0)}`] : []),
    ...(row.thoughts === undefined ? [] : [`correct thoughts ${thoughtText(row.thoughts)}`]),
  ];
  return words.length > 0 && html`<div class="soft">${words.join(', ')}</div>`;
}

function curves(rows: readonly Row[], task: TaskReport, level: number, color: Colors): Markup {
  const separated = rows.every((row) => row.notSeparated === undefined);
  const thoughts = evaluationSeries(rows, color, ({ thoughtRate }) => thoughtRate);
  const training = metricSeries(rows, color, 'trainingSuccess');
  return html`${heading(level, separated ? 'Success on unseen tasks' : 'Success on the evaluation’s tasks')}
${shares(
  evaluationSeries(rows, color, ({ successes, episodes: count }) => successes / count),
  'Success rate over environment steps',
  'environment steps trained on',
  html`Share of ${task.evaluationSeeds.length} fixed evaluation episodes about ${rows[0]?.end.tasks ?? 0} distinct tasks that end in success. ${seedWords(rows)}The table below has the intervals.`,
)}
${
  thoughts.length > 0 &&
  html`${heading(level, 'Correct thoughts')}
${shares(thoughts, 'Correct thoughts over environment steps', 'environment steps trained on', html`Share of the readable thoughts of the same episodes that the environment finds true. ${seedWords(rows)}`)}`
}
${
  training.length > 0 &&
  html`${heading(level, 'Success in training')}
${shares(training, 'Success in training over updates', 'update', html`The last 200 training episodes at each update, sampled as in training. ${trainingRule(rows)}${seedWords(rows)}`)}`
}`;
}

function shares(series: readonly Series[], title: string, xLabel: string, says: Markup): Markup {
  return html`<figure>${responsiveChart(series, { width: 1000, height: 400, xLabel, yDomain: [0, 1], yFormat: whole, title })}
<figcaption>${says}</figcaption></figure>`;
}

const seedWords = (rows: readonly Row[]): string =>
  rows.some((row) => row.runs.length > 1) ? 'Thick: mean over training seeds; thin: each seed. ' : '';

/** An evaluation over environment steps: the mean of each algorithm, and thin each of its training seeds. */
function evaluationSeries(
  rows: readonly Row[],
  color: Colors,
  value: (point: EvaluationPoint) => number | undefined,
): Series[] {
  return rows.flatMap((row) =>
    withSeeds(row, color, meanCurve(row.runs, value), ({ evaluations }) =>
      evaluations.flatMap((point) => {
        const y = value(point);
        return y === undefined ? [] : [{ x: point.steps, y }];
      }),
    ),
  );
}

/** A metric over updates, drawn in the same way. */
function metricSeries(rows: readonly Row[], color: Colors, key: string): Series[] {
  return rows.flatMap((row) =>
    withSeeds(row, color, meanSeries(row.runs, key), ({ metrics }) =>
      (metrics[key] ?? []).filter(([, value]) => Number.isFinite(value)).map(([x, y]) => ({ x, y })),
    ),
  );
}

function withSeeds(
  { title, algorithm, runs }: Row,
  color: Colors,
  mean: Series['points'],
  pointsOf: (run: RunResult) => Series['points'],
): Series[] {
  const className = color(algorithm);
  const all = [
    { label: title, className, points: mean },
    ...(runs.length > 1
      ? runs.map((run) => ({ label: `${title}, seed ${run.seed}`, className, faint: true, points: pointsOf(run) }))
      : []),
  ];
  return all.filter(({ points }) => points.length > 1);
}

/** Unlike evaluation, training may replace what it cannot read. */
function trainingRule(rows: readonly Row[]): string {
  const rules = new Set(
    rows.flatMap(({ runs }) =>
      runs.flatMap(
        ({ config }) => (config as { rollout?: { fallback?: Fallback } } | undefined)?.rollout?.fallback ?? [],
      ),
    ),
  );
  return [...rules].map((rule) => `An unreadable answer is ${FALLBACK_WORDS[rule]} there. `).join('');
}

/** A description of each control, below the table that shows it. */
function controlNotes(rows: readonly Row[], level: number): Markup | false {
  const used = new Set([
    ...rows.filter((row) => row.isControl).map(({ algorithm }) => algorithm),
    ...rows.flatMap((row) => Object.keys(row.pictures)),
  ]);
  const notes = controls().filter(({ name }) => used.has(name));
  return (
    notes.length > 0 &&
    html`${heading(level, 'What the controls are')}<dl>${notes.map(({ title, says }) => html`<dt>${title}</dt><dd>${says}</dd>`)}</dl>`
  );
}

function diagnostics(rows: readonly Row[], level: number, color: Colors): Markup | false {
  const defined = Object.entries(algorithmCharts()).map(([key, chart]) => ({ key, ...chart }));
  const charts = [...DIAGNOSTICS, ...defined, ...MORE_DIAGNOSTICS].flatMap(({ key, title, says }) => {
    const series = metricSeries(rows, color, key);
    if (series.length === 0) return [];
    return [
      html`<figure><h3>${title}</h3>${lineChart(series, { width: 320, height: 190, xLabel: 'update', yFormat: (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))), labels: false, yTicks: 4, xTicks: 4, title })}<figcaption>${says}</figcaption></figure>`,
    ];
  });
  return (
    charts.length > 0 &&
    html`${heading(level, 'How training went')}<p class="soft">${rows.map((row) => html`<b class="${color(row.algorithm)}">${row.title}</b> `)}</p><div class="multiples">${charts}</div>${alarms(rows)}`
  );
}

function alarms(rows: readonly Row[]): Markup | false {
  const messages = rows.flatMap((row) =>
    row.runs.flatMap((run) => run.alarms.map((text) => `${row.title}, seed ${run.seed}: ${text}`)),
  );
  return messages.length > 0 && html`<h3>Alarms</h3><ul>${messages.map((text) => html`<li>${text}</li>`)}</ul>`;
}

function warmStart({ warmStart: result, runs }: TaskReport, level: number): Markup | false {
  const isShared = runs.length > 1;
  if (result?.from !== undefined) return givenStart(result.from, isShared, level);
  if (!result || result.loss.length < 2) return false;
  const points = result.loss.map(([x, y]) => ({ x, y }));
  const { seconds, labeledEpisodes: episodes, examples, mistakes, tasks } = result;
  const teacher = mistakes > 0 ? 'mediocre teacher' : 'teacher';
  const shown = `${examples.toLocaleString('en')} examples of a ${teacher}`;
  return html`${heading(level, isShared ? 'The shared warm start' : 'The warm start')}
<p class="soft">${isShared && 'All algorithms start from the same weights. '}From random ones, a supervised warm start of ${duration(seconds)} showed the model ${shown}${episodes !== undefined && `, drawn from ${episodes.toLocaleString('en')} episodes`}${tasks !== undefined && ` about ${tasks.toLocaleString('en')} distinct tasks`}${mistakes > 0 && `: what it says of the picture is right, but ${Math.round(100 * mistakes)} % of its actions are drawn at random from those allowed. Playing better than the teacher is learned from play`}.</p>
<figure>${responsiveChart([{ label: 'loss', className: 'neutral', points }], { width: 1000, height: 220, xLabel: 'labeled steps seen', yFormat: (value) => value.toFixed(2), title: 'Loss of the warm start' })}<figcaption>Cross-entropy in nats per response token.</figcaption></figure>`;
}

function givenStart(from: string, isShared: boolean, level: number): Markup {
  return html`${heading(level, isShared ? 'The shared start' : 'The start')}
<p class="soft">${isShared ? 'All algorithms start from the same weights' : 'It starts from weights'}, those of <code>${from}</code>.</p>`;
}
