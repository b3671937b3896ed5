/** The rows of a design for a terminal. */
import { isShare } from '../experiment/claims/outcomes.js';
import type { ClaimRow, Claims } from '../experiment/claims/rows.js';
import { printable } from './printable.js';
import { bold, counted, dim, green, yellow } from './style.js';

export function claimsText({ title, digest, rows, failed, mixed, ...claims }: Claims): string {
  const { isPilot, isPartial, finishedRuns, plannedRuns, cpuHours } = claims;
  const state = [
    ...(isPilot ? ['pilot: for spread and budget only'] : []),
    ...(isPartial ? [`partial: ${finishedRuns} of ${counted(plannedRuns, 'run')}`] : [counted(plannedRuns, 'run')]),
    `${cpuHours.toFixed(1)} CPU-hours`,
  ].join(', ');
  return [
    bold(printable(title)),
    dim(printable(digest)),
    isPartial || isPilot ? yellow(state) : state,
    '',
    ...rows.flatMap((row) => [...rowLines(row), '']),
    ...failed.map(
      ({ world, arm, block, error }) => `${yellow('failed')} ${world}, ${arm}, block ${block}: ${printable(error)}`,
    ),
    ...mixed.map(
      ({ world, arm, configs }) => `${yellow('mixed')} ${world}, ${arm}: runs with ${configs} configurations`,
    ),
    dim(
      'first − second over blocks (warm start × seed): paired permutation, 95 % interval by its inversion, Holm by family',
    ),
  ].join('\n');
}

const COLORS: Partial<Record<ClaimRow['verdict'], (text: string) => string>> = { holds: green, 'cannot tell': yellow };

function rowLines(row: ClaimRow): string[] {
  const { id, claim, world, outcome, test, isPrimary, verdict } = row;
  const what = `${outcome}${test === 'spread' ? ', spread over runs' : ''}${isPrimary ? '' : ' (secondary)'}`;
  const color = COLORS[verdict] ?? ((text: string) => text);
  return [
    `${bold(printable(id))}  ${printable(claim)}: ${color(bold(verdictText(row)))}`,
    `    ${world}, ${what}: ${contrastText(row)}`,
    ...figures(row).map((line) => `    ${line}`),
  ];
}

export function verdictText({ verdict, margin, reason, ...row }: ClaimRow): string {
  if (verdict === 'equal') return `equal within ±${amount(row, margin!)}`;
  return reason === undefined ? verdict : `${verdict} (${reason})`;
}

function figures(row: ClaimRow): string[] {
  const { effect, interval, newTasks, p, pHolm, equivalenceHolm, varianceRatio, detectable, margin } = row;
  const size = `${row.blocks} of ${counted(row.plannedBlocks, 'block')}, ${counted(row.tasks, 'task')}`;
  if (effect === undefined || !interval) return [size];
  return [
    [
      `${signed(row, effect)} [${end(row, interval[0], '−∞')}, ${end(row, interval[1], '∞')}] ${unit(row)}`,
      `p ${chance(p!)}, Holm ${chance(pHolm!)}`,
      ...(equivalenceHolm === undefined ? [] : [`±${amount(row, margin!)}: Holm ${chance(equivalenceHolm)}`]),
      ...(varianceRatio === undefined ? [] : [`variances ${varianceRatio === null ? '∞' : varianceRatio.toFixed(2)}`]),
    ].join(', '),
    [
      size,
      ...(detectable === undefined
        ? []
        : [`detectable at 80 %: ${detectable === null ? 'nothing' : amount(row, detectable)}`]),
      ...(newTasks ? [`new tasks [${signed(row, newTasks[0])}, ${signed(row, newTasks[1])}]`] : []),
    ].join(', '),
  ];
}

/** `first − second`, or the first alone. */
export const contrastText = ({ first, second }: Pick<ClaimRow, 'first' | 'second'>): string =>
  second.length > 0 ? `${side(first)} − ${side(second)}` : side(first);

const side = (arms: readonly string[]) => (arms.length === 1 ? arms[0]! : `mean of ${arms.join(', ')}`);
export const chance = (p: number) => (p < 0.001 ? p.toExponential(1) : p.toFixed(3));

/** Shares in points of a hundred. */
export const unit = ({ outcome }: Pick<ClaimRow, 'outcome'>) =>
  isShare(outcome) ? 'points' : outcome.startsWith('sight') ? 'nats' : 's';

const plain = ({ outcome }: Pick<ClaimRow, 'outcome'>, value: number) =>
  isShare(outcome) ? (100 * value).toFixed(1) : value.toPrecision(3);

const amount = (row: Pick<ClaimRow, 'outcome'>, value: number) => `${plain(row, value)} ${unit(row)}`;

/** An end of an interval. */
export const end = (row: Pick<ClaimRow, 'outcome'>, value: number | null, unbounded: string): string =>
  value === null ? unbounded : signed(row, value);

export const signed = (row: Pick<ClaimRow, 'outcome'>, value: number) =>
  `${value < 0 ? '−' : '+'}${plain(row, Math.abs(value))}`;
