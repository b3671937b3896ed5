/** The report for a terminal. */
import { type NamedCheck, resultOf, type StaleCassette } from '../check.js';
import { failedText, shortPath, watchLine } from './words.js';

/** Entries that are named for each cassette. */
const MAX_STALE = 5;
const MARKS = { pass: '✓', alarm: '✗', undecided: '?' } as const;

export function reportText(checks: readonly NamedCheck[], cassettes: readonly StaleCassette[] = []): string {
  const lines = checks.flatMap(({ test, check }) => {
    const result = resultOf(check);
    const failed = result === 'pass' || check.isNot ? [] : check.failures.flatMap(failedText);
    return [
      ` ${MARKS[result]} ${test}`,
      `   ${check.text}`,
      ...failed.map((line) => `     ${line}`),
      ...(result === 'pass' || check.folder === undefined ? [] : [`   ${watchLine(check.folder)}`]),
    ];
  });
  return ['', ' Agents', ...lines, ` ${savedText(checks)}`, ...staleText(cassettes), ''].join('\n');
}

/** The first entries of each cassette that nobody asked for. */
export const staleText = (cassettes: readonly StaleCassette[]): string[] =>
  cassettes.flatMap(({ file, entries }) => [
    ` ${shortPath(file)}: ${entries.length} stale ${entries.length === 1 ? 'entry' : 'entries'}, not asked for`,
    ...entries.slice(0, MAX_STALE).map((entry) => `   ${entry}`),
  ]);

/** Episodes that a clear answer made unnecessary, against the fixed number. */
export function savedText(checks: readonly NamedCheck[]): string {
  const played = checks.reduce((sum, { check }) => sum + check.episodes, 0);
  const planned = checks.reduce((sum, { check }) => sum + check.planned, 0);
  const requests = checks.reduce((sum, { check }) => sum + check.usage.requests, 0);
  const cost = checks.reduce((sum, { check }) => sum + check.usage.cost, 0);
  const saved = planned - played;
  return [
    `${played} of ${planned} episodes were needed`,
    requests > 0 && saved > 0
      ? `, about ${Math.round((requests / Math.max(1, played)) * saved)} model calls saved`
      : '',
    requests > 0 ? `; ${requests} model calls` : '',
    cost > 0 ? `, cost ${Number(cost.toPrecision(3))}` : '',
  ].join('');
}
