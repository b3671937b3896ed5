/** A comparison in a few lines of text: a summary of the report. */
import { columns } from '../report/columns.js';
import type { TaskReport } from '../report/data.js';
import { points } from '../report/format.js';
import { across, type Row, summarize } from '../report/statistics.js';
import { answers, formatP, method, separation, type Verdict, verdicts, verdictWords } from '../report/verdicts.js';
import { bold, dim, table, wrapText } from './style.js';

const WIDTH = 110;

/** A table per environment, and one for all if there are several. */
export function summaryTable(tasks: readonly TaskReport[], baseline: string): string {
  const shown = tasks.filter(({ runs }) => runs.length > 0);
  if (shown.length === 1) return section(summarize(shown[0]!.runs, baseline), baseline);
  const parts = shown.map(({ envId, runs }) => `${bold(envId)}\n${section(summarize(runs, baseline), baseline)}`);
  return [...parts, `${bold('all environments')}\n${section(across(shown, baseline), baseline)}`].join('\n\n');
}

function section(rows: readonly Row[], baseline: string): string {
  const shown = columns(rows);
  const body = rows.map((row) => [row.title, ...shown.map(({ cell }) => cell(row))]);
  const compared = verdicts(rows, baseline);
  return [
    table([['', ...shown.map(({ title }) => title)], ...body]),
    '',
    ...(compared.length > 0 ? [comparisonsTable(compared), ''] : []),
    dim(wrapText(`${separation(rows)} ${answers(rows)} ${method(rows)}`, WIDTH)),
  ].join('\n');
}

function comparisonsTable(compared: readonly Verdict[]): string {
  return table([
    ['comparison', 'points', '95 % interval', 'p', 'says'],
    ...compared.map(({ first, second, comparison }) => {
      const { difference, interval95, pValue } = comparison;
      return [
        `${first} − ${second}`,
        points(difference),
        `${points(interval95[0])} to ${points(interval95[1])}`,
        pValue === undefined ? '–' : formatP(pValue).replace('= ', ''),
        verdictWords(comparison),
      ];
    }),
  ]);
}
