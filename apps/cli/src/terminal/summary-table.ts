/** A comparison in a few lines of text: what the report says at length. */
import { titleOf } from '../experiment/algorithms.js';
import type { TaskReport } from '../report/data.js';
import { across, type Row, summarise } from '../report/statistics.js';
import { bold, duration, percent, table } from './style.js';

/** A table per environment, and one for all where there are several. */
export function summaryTable(tasks: readonly TaskReport[], baseline: string): string {
  const shown = tasks.filter(({ runs }) => runs.length > 0);
  if (shown.length === 1) return rows(summarise(shown[0]!.runs, baseline), baseline);
  const parts = shown.map(({ envId, runs }) => `${bold(envId)}\n${rows(summarise(runs, baseline), baseline)}`);
  return [...parts, `${bold('all environments')}\n${rows(across(shown, baseline), baseline)}`].join('\n\n');
}

function rows(summary: readonly Row[], baseline: string): string {
  return table([
    ['', 'before', 'after', '95 % interval', 'gain', `against ${titleOf(baseline)}`, 'time'],
    ...summary.map((row) => [
      row.title,
      percent(row.start),
      percent(row.end),
      `${percent(row.interval[0])} to ${percent(row.interval[1])}`,
      `${row.gain.toFixed(1)}`,
      row.paired ? `${(100 * row.paired.difference).toFixed(1)} (p ${row.paired.pValue.toPrecision(2)})` : '–',
      duration(row.trainSeconds),
    ]),
  ]);
}
