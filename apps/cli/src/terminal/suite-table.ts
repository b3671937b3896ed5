/** A suite in lines of text: a row for each cell, and the corrected tests. */
import type { SuiteCell } from '@vlgym/agents';
import type { CellComparison } from '@vlgym/agents/statistics';
import { pText, verdict } from '../report/agents/agents-sections.js';
import { answerColumns, answerWords, successTitle } from '../report/answer-columns.js';
import { bold, dim, money, percent, red, table } from './style.js';

/** Cells by environment. */
export function suiteTable(cells: readonly SuiteCell[]): string {
  const environments = [...new Set(cells.map(({ environment }) => environment))];
  return environments
    .map((environment) => {
      const own = cells.filter((cell) => cell.environment === environment);
      return `${bold(environment)}\n${cellTable(own)}\n${dim(answerWords(own))}`;
    })
    .join('\n\n');
}

function cellTable(cells: readonly SuiteCell[]): string {
  const isPaid = cells.some(({ usage }) => usage.cost > 0);
  const passes = [...new Set(cells.flatMap(({ passes: each }) => each.map(({ k }) => k)))].filter((k) => k > 1);
  const answers = answerColumns(cells);
  const head = [
    'agent',
    successTitle(cells),
    '95 % interval',
    ...answers.map(({ title }) => title),
    'return',
    'turns',
    'tasks',
    'episodes',
  ];
  return table([
    [...head, ...passes.flatMap((k) => [`pass@${k}`, `pass^${k}`]), ...(isPaid ? ['cost', 'per success'] : [])],
    ...cells.map((cell) => {
      const { agent, scores, planned, usage, costPerSuccess } = cell;
      if (!scores) return [agent, red(cell.failed ? `not played: ${cell.failed.code}` : 'no episode counted')];
      const find = (k: number) => cell.passes.find((pass) => pass.k === k);
      return [
        agent,
        percent(scores.successRate),
        scores.interval95.map((share) => percent(share)).join(' to '),
        ...answers.map(({ cell: text }) => text(scores)),
        scores.meanReturn.toFixed(2),
        scores.meanLength.toFixed(1),
        String(scores.tasks),
        scores.counted === planned ? String(planned) : `${scores.counted} of ${planned}`,
        ...passes.flatMap((k) => [maybe(find(k)?.atLeastOne), maybe(find(k)?.all)]),
        ...(isPaid ? [money(usage.cost), costPerSuccess === undefined ? '–' : money(costPerSuccess)] : []),
      ];
    }),
  ]);
}

const maybe = (share: number | undefined) => (share === undefined ? '–' : percent(share));

export function comparisonsTable(comparisons: readonly CellComparison[]): string {
  const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;
  return table([
    ['comparison', 'points', '95 % interval', 'tasks', 'p, Holm', 'says'],
    ...comparisons.map((each) => [
      `${each.first} − ${each.second} (${each.environment})`,
      points(each.difference),
      each.interval95.map(points).join(' to '),
      String(each.tasks),
      pText(each.pAdjusted),
      verdict(each),
    ]),
  ]);
}

/** Failures of all cells: the first ones in full, the others by their code, so that every cause is reported. */
export function failureLines(cells: readonly SuiteCell[], limit = 6): string[] {
  const lines = cells.flatMap(({ agent, environment, failed, failures }) => [
    ...(failed
      ? [
          {
            code: failed.code,
            count: 1,
            text: `${agent} on ${environment} was not played: ${failed.code} ${failed.message}`,
          },
        ]
      : []),
    ...failures.map(({ count, counted, code, message, seed }) => ({
      code,
      count,
      text: `${agent} on ${environment}: ${count} × ${code} ${message.split('\n', 1)[0]} (first seed ${seed}${counted === 0 ? '; not counted' : ''})`,
    })),
  ]);
  const rest = new Map<string, { count: number; cells: number }>();
  for (const { code, count } of lines.slice(limit)) {
    const sum = rest.get(code) ?? { count: 0, cells: 0 };
    rest.set(code, { count: sum.count + count, cells: sum.cells + 1 });
  }
  return [
    ...lines.slice(0, limit).map(({ text }) => text),
    ...[...rest].map(
      ([code, sum]) =>
        `${sum.count} × ${code} in ${sum.cells} more ${sum.cells === 1 ? 'cell' : 'cells'}; result.json has them all`,
    ),
  ];
}
