/** Sections of the report of agents: the matrix, and for each environment bars, tables, tests and failures. */
import type { SuiteCell } from '@vlgym/agents';
import type { CellComparison } from '@vlgym/agents/statistics';
import type { EnvBaseline } from '@vlgym/core/registry';
import { money, percent } from '../../terminal/style.js';
import { answerColumns, answerWords, needsStrict, successTitle } from '../answer-columns.js';
import { cardTable } from '../card-table.js';
import { html, type Markup } from '../document/html.js';
import type { AgentReport } from './agent-report.js';

const NONE = '–';

const decimal = (value: number) => value.toFixed(2).replace('-', '−');

/** Colors that the style sheet has. */
const COLORS = 10;

/** Id of a section. */
const anchorOf = (name: string) => name.replace(/[^\w-]+/g, '-');
const colorOf = (agents: readonly string[], agent: string) => `c${agents.indexOf(agent) % COLORS}`;
const agentsOf = ({ cells }: AgentReport) => [...new Set(cells.map(({ agent }) => agent))];

/** Success of every agent on every environment. */
export function matrix(report: AgentReport): Markup {
  const agents = agentsOf(report);
  const environments = [...new Set(report.cells.map(({ environment }) => environment))];
  const cell = (agent: string, environment: string) =>
    report.cells.find((each) => each.agent === agent && each.environment === environment);
  return html`<h2>All environments</h2>
${cardTable(
  ['agent', ...environments],
  agents.map((agent) => ({
    name: agent,
    color: colorOf(agents, agent),
    values: environments.map((name) => rateText(cell(agent, name))),
  })),
  (name) => (environments.includes(name) ? `#${anchorOf(name)}` : undefined),
)}
<p class="soft">Success rate with its 95 % interval over tasks.</p>`;
}

/** Everything about one environment. */
export function environmentSection(environment: string, report: AgentReport): Markup {
  const cells = report.cells.filter((cell) => cell.environment === environment);
  const agents = agentsOf(report);
  const comparisons = report.comparisons.filter((each) => each.environment === environment);
  return html`<h2 id="${anchorOf(environment)}">${environment}</h2>
${bars(cells, report.baselines[environment] ?? [], agents)}
${scoreTable(cells, agents)}
${passTable(cells, agents)}
${comparisons.length > 0 && comparisonTable(comparisons)}
${cells.map((cell) => breakdown(cell, cells.length > 1))}
${failureList(cells)}`;
}

/** One bar for each agent: the interval, and the rate in it. Published scores stand among them as rings. */
function bars(cells: readonly SuiteCell[], baselines: readonly EnvBaseline[], agents: readonly string[]): Markup {
  const at = (share: number) => `${(100 * share).toFixed(2)}%`;
  const rows = cells.map((cell) => {
    const { agent, scores } = cell;
    const name = html`<div class="name ${colorOf(agents, agent)}">${agent}</div>`;
    if (!scores) {
      return html`<div class="row">${name}<div class="track"></div><div class="rate none">${cell.failed ? 'not played' : 'no episode counted'}</div></div>`;
    }
    const [low, high] = scores.interval95;
    return html`<div class="row">${name}<div class="track ${colorOf(agents, agent)}" role="img" aria-label="${`${percent(scores.successRate)}, 95 % interval ${percent(low)} to ${percent(high)}`}"><div class="span" style="left:${at(low)};width:${at(high - low)}"></div><div class="point" style="left:${at(scores.successRate)}"></div></div><div class="rate">${percent(scores.successRate)}</div></div>`;
  });
  const published = baselines.map(
    ({ agent, successRate, episodes, source }) =>
      html`<div class="row"><div class="name published">${agent}, published</div><div class="track" role="img" aria-label="${percent(successRate)}" title="${source}"><div class="hollow" style="left:${at(successRate)}"></div></div><div class="rate published">${percent(successRate)}${episodes !== undefined && html` <span class="soft">of ${episodes}</span>`}</div></div>`,
  );
  return html`<div class="agents">${rows}${published}</div>
<p class="soft">Success from 0 to 100 %. A band is the 95 % interval over ${unit(cells)}${baselines.length > 0 && '; a ring is a published score'}.</p>`;
}

const unit = (cells: readonly SuiteCell[]) =>
  cells.some(({ scores }) => scores?.tasksBy === 'taskKey') ? 'distinct tasks' : 'seeds';

function scoreTable(cells: readonly SuiteCell[], agents: readonly string[]): Markup {
  const isPaid = cells.some(({ usage }) => usage.requests > 0);
  const answers = answerColumns(cells);
  const head = [
    'agent',
    successTitle(cells),
    '95 % interval',
    ...answers.map(({ title }) => title),
    'tasks',
    'episodes',
    'return',
    'turns',
    'fallback',
  ];
  const paid = isPaid ? ['requests', 'tokens in', 'tokens out', 'cost', 'per success'] : [];
  const rows = cells.map((cell) => {
    const { agent, scores, usage, costPerSuccess, planned } = cell;
    const values = scores
      ? [
          percent(scores.successRate),
          scores.interval95.map((share) => (100 * share).toFixed(1)).join(' – '),
          ...answers.map(({ cell: text }) => text(scores)),
          String(scores.tasks),
          scores.counted === planned ? String(planned) : `${scores.counted} of ${planned}`,
          decimal(scores.meanReturn),
          scores.meanLength.toFixed(1),
          percent(scores.fallbackRate),
        ]
      : [NONE, NONE, ...answers.map(() => NONE), NONE, `0 of ${planned}`, NONE, NONE, NONE];
    const bill = isPaid
      ? [
          usage.requests.toLocaleString('en'),
          usage.inputTokens.toLocaleString('en'),
          usage.outputTokens.toLocaleString('en'),
          usage.cost > 0 ? money(usage.cost) : NONE,
          costPerSuccess === undefined || costPerSuccess === 0 ? NONE : money(costPerSuccess),
        ]
      : [];
    return { name: agent, color: colorOf(agents, agent), values: [...values, ...bill] };
  });
  return html`${cardTable([...head, ...paid], rows)}
<p class="soft">${answerWords(cells)} Fallback: share of turns where that rule decided.</p>`;
}

/** Several attempts at each seed: at least one of k, and all of k. */
function passTable(cells: readonly SuiteCell[], agents: readonly string[]): Markup | false {
  const ks = [...new Set(cells.flatMap(({ passes }) => passes.map(({ k }) => k)))].sort((a, b) => a - b);
  if (ks.length === 0) return false;
  const find = (cell: SuiteCell, k: number) => cell.passes.find((pass) => pass.k === k);
  return html`<h3>Several attempts</h3>
${cardTable(
  ['agent', ...ks.flatMap((k) => [`pass@${k}`, `pass^${k}`])],
  cells.map((cell) => ({
    name: cell.agent,
    color: colorOf(agents, cell.agent),
    values: ks.flatMap((k) => {
      const pass = find(cell, k);
      return [pass ? percent(pass.atLeastOne) : NONE, pass ? percent(pass.all) : NONE];
    }),
  })),
)}
<p class="soft">pass@k: at least one of k attempts succeeds. pass^k: all of them do. Unbiased, from all attempts at a seed.</p>`;
}

function comparisonTable(comparisons: readonly CellComparison[]): Markup {
  const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;
  return html`<h3>Paired comparisons</h3>
${cardTable(
  ['first − second', 'points', '95 % interval', 'tasks', 'only first', 'only second', 'p', 'p, Holm', 'says'],
  comparisons.map((each) => ({
    name: `${each.first} − ${each.second}`,
    values: [
      points(each.difference),
      each.interval95.map(points).join(' to '),
      String(each.tasks),
      String(each.onlyFirst),
      String(each.onlySecond),
      pText(each.pValue),
      pText(each.pAdjusted),
      verdict(each),
    ],
  })),
)}
<p class="soft">Exact tests on the same tasks. The last p-value is corrected for all comparisons of this report.</p>`;
}

export function verdict({ first, second, difference, pAdjusted, dialogues, fallbacks }: CellComparison): string {
  const prompts = `${dialogues ? ' Their prompts differ.' : ''}${fallbacks ? ' Their rules for unreadable answers differ.' : ''}`;
  if (pAdjusted > 0.05) return `No significant difference.${prompts}`;
  const [better, worse] = difference > 0 ? [first, second] : [second, first];
  return `${better} succeeds more often than ${worse}.${prompts}`;
}

export const pText = (p: number) => (p < 0.001 ? '< 0.001' : p.toFixed(3));

function breakdown({ agent, breakdown: groups }: SuiteCell, showAgent: boolean): Markup | false {
  if (!groups) return false;
  const answers = answerColumns(Object.values(groups).map((scores) => ({ scores })));
  return html`<h3>By category${showAgent && `: ${agent}`}</h3>
${cardTable(
  [
    'category',
    'success',
    '95 % interval',
    ...answers.map(({ title }) => title),
    'tasks',
    'episodes',
    'return',
    'turns',
  ],
  Object.entries(groups).map(([name, scores]) => ({
    name,
    values: [
      percent(scores.successRate),
      scores.interval95.map((share) => (100 * share).toFixed(1)).join(' – '),
      ...answers.map(({ cell: text }) => text(scores)),
      String(scores.tasks),
      String(scores.counted),
      decimal(scores.meanReturn),
      scores.meanLength.toFixed(1),
    ],
  })),
)}`;
}

/** The reason why episodes ended with an error, and which of them do not count. */
function failureList(cells: readonly SuiteCell[]): Markup | false {
  const items = cells.flatMap(({ agent, failed, failures }) => [
    ...(failed
      ? [html`<li><strong>${agent}</strong> was not played. <code>${failed.code}</code> ${failed.message}</li>`]
      : []),
    ...failures.map(
      ({ code, message, count, counted, seed }) =>
        html`<li><strong>${agent}</strong>, ${count} ${count === 1 ? 'episode' : 'episodes'} (${counted === count ? 'counted as failures' : counted === 0 ? 'not counted' : `${counted} counted as failures`}), first seed ${seed}. <code>${code}</code> ${message.split('\n', 1)[0]!.slice(0, 300)}</li>`,
    ),
  ]);
  return items.length > 0 && html`<h3>Failures</h3><ul class="failures">${items}</ul>`;
}

function rateText(cell: SuiteCell | undefined): string {
  if (!cell) return NONE;
  if (!cell.scores) return cell.failed ? 'not played' : 'no episode counted';
  const { successRate, interval95 } = cell.scores;
  const strict = needsStrict(cell.scores) ? `, strict ${percent(cell.scores.strictRate)}` : '';
  return `${percent(successRate)} (${interval95.map((share) => (100 * share).toFixed(0)).join(' – ')})${strict}`;
}
