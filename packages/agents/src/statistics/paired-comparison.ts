/**
 * Two agents on the same seeds: does one succeed more often, and by how much?
 *
 * Pairs are worth more than two separate rates because easy and hard seeds cancel. Test: exact (binomial) McNemar.
 * Interval: R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on
 * paired data" (1998), method 10.
 */
import { InvalidOptionError } from '@vlgym/core';
import { type Interval, wilsonInterval } from './wilson.js';

export interface PairedRow {
  readonly seed: number;
  readonly success: boolean;
  /** False for episodes that say nothing about the agent; they are passed over. */
  readonly counted?: boolean;
}

export interface PairedComparison {
  /** Seeds that both have. */
  readonly pairs: number;
  readonly bothSucceed: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
  /** Success rate of the first minus that of the second. */
  readonly difference: number;
  readonly interval95: Interval;
  /** Two-sided exact McNemar p-value. */
  readonly pValue: number;
}

/**
 * @throws {InvalidOptionError}  No seed is common to both, or one occurs twice.
 *
 * @example
 * const { difference, pValue } = pairedComparison(tuned.episodes, base.episodes);
 */
export function pairedComparison(first: readonly PairedRow[], second: readonly PairedRow[]): PairedComparison {
  const others = bySeed('second', second);
  const pairs = [...bySeed('first', first)].flatMap(([seed, success]) => {
    const other = others.get(seed);
    return other === undefined ? [] : [[success, other] as const];
  });
  if (pairs.length === 0)
    throw new InvalidOptionError('second', second.length, 'episodes that share seeds with the first');
  const count = (a: boolean, b: boolean) => pairs.filter(([x, y]) => x === a && y === b).length;
  const table = {
    bothSucceed: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    neither: count(false, false),
  };
  return {
    pairs: pairs.length,
    ...table,
    difference: (table.onlyFirst - table.onlySecond) / pairs.length,
    interval95: newcombeInterval(table),
    pValue: mcnemarExact(table.onlyFirst, table.onlySecond),
  };
}

/** Two-sided p-value of `b` against `c` discordant pairs under a fair coin; 1 where there are none. */
export function mcnemarExact(b: number, c: number): number {
  const n = b + c;
  let logTerm = -n * Math.LN2; // log of C(n, 0) / 2^n; logarithms keep thousands of pairs from underflowing
  let tail = 0;
  for (let k = 0; k <= Math.min(b, c); k += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

function newcombeInterval(
  table: Pick<PairedComparison, 'bothSucceed' | 'onlyFirst' | 'onlySecond' | 'neither'>,
): Interval {
  const { bothSucceed: a, onlyFirst: b, onlySecond: c, neither: d } = table;
  const n = a + b + c + d;
  const [p1, p2] = [(a + b) / n, (a + c) / n];
  const [low1, high1] = wilsonInterval(a + b, n);
  const [low2, high2] = wilsonInterval(a + c, n);
  const margins = (a + b) * (c + d) * (a + c) * (b + d);
  const product = a * d - b * c;
  const corrected = product > 0 ? Math.max(product - n / 2, 0) : product;
  const phi = margins === 0 ? 0 : corrected / Math.sqrt(margins);
  const reach = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return [p1 - p2 - reach(p1 - low1, high2 - p2), p1 - p2 + reach(high1 - p1, p2 - low2)];
}

function bySeed(option: string, rows: readonly PairedRow[]): Map<number, boolean> {
  const valid = rows.filter(({ counted }) => counted !== false);
  const seeds = new Map(valid.map(({ seed, success }) => [seed, success]));
  if (seeds.size < valid.length) throw new InvalidOptionError(option, rows.length, 'each seed once');
  return seeds;
}
