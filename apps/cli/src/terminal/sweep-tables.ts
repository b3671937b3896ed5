/** The result of a sweep in a terminal: its points in order, and the means by value. */
import type { PointResult, Sensitivity } from '../experiment/sweep/results.js';
import { bold, dim, percent, table } from './style.js';

/** More points are in sweep.json. */
const SHOWN = 20;

export function sweepTables(
  results: readonly PointResult[],
  sensitivity: readonly Sensitivity[],
  metric: string,
): string {
  const keys = sensitivity.map(({ key }) => key);
  const rows = results
    .slice(0, SHOWN)
    .map(({ name, values, score, seeds, updates }) => [
      name,
      ...keys.map((key) => textOf(values[key])),
      score === undefined ? 'failed' : percent(score),
      seeds.map((each) => (each === undefined ? '–' : percent(each, 0))).join(' / '),
      String(updates),
    ]);
  const left = results.length > SHOWN ? `\n${dim(`${results.length - SHOWN} more in sweep.json`)}` : '';
  const head = ['point', ...keys, metric, 'by seed', 'updates'].map((text) => bold(text));
  const effects = sensitivity.map(({ key, effects: all, spread }) => {
    const means =
      all.length <= 8
        ? all.map(({ value, mean }) => `${textOf(value)} ${percent(mean, 0)}`).join('   ')
        : `${all.length} values`;
    return [key, `moves the mean by ${(100 * spread).toFixed(1)} points`, means];
  });
  return `${table([head, ...rows])}${left}\n\n${table(effects)}`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
