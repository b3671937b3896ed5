/**
 * Has an agent become worse than it was? Asked pair by pair: what was recorded on a seed, and what happens there now.
 *
 * An alarm is evidence of a loss. Under the null hypothesis a pair that differs favors either side alike, whatever share of
 * the pairs differs, so only those that differ count: a likelihood ratio over several sizes of a loss stops early
 * (H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm", Annals of Mathematical Statistics 41,
 * 1970, pages 1397 to 1409), and the exact sign test decides at the end, with what the early alarms have left of the level.
 *
 * A pass that stops early is evidence that the loss is below `margin`: a product of bets on the mean difference
 * (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024).
 */
import { checkedInteger, checkedNumber } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { SequentialVerdict } from './rate.js';
import { lowerTail } from './walk.js';

export interface SequentialPairsOptions {
  /** The most pairs, 1 to 10,000. */
  readonly pairs: number;
  /** The largest probability of an alarm about an agent that is not worse; default 0.05. */
  readonly falseAlarms?: number | undefined;
  /** A loss of success rate that a pass before the last pair excludes; default 0.1. */
  readonly margin?: number | undefined;
  /** The probability that it does not; default 0.1. */
  readonly misses?: number | undefined;
}

const SEQUENTIAL_PAIRS_OPTIONS = names<SequentialPairsOptions>({ pairs: 0, falseAlarms: 0, margin: 0, misses: 0 });

/** Success before and now, on one seed. */
export type SuccessPair = readonly [before: boolean, now: boolean];

export interface SequentialPairs {
  readonly pairs: number;
  /** The verdict of pairs in their order, and after how many it was clear; `undefined` as long as it is not. */
  judge(pairs: readonly SuccessPair[]): { readonly verdict: SequentialVerdict; readonly pairs: number } | undefined;
}

/** @throws {InvalidOptionError} */
export function sequentialPairs(options: SequentialPairsOptions): SequentialPairs {
  checkNames('options', options, SEQUENTIAL_PAIRS_OPTIONS);
  const most = checkedInteger('pairs', options.pairs, 1, 10_000);
  const falseAlarms = checkedNumber('falseAlarms', options.falseAlarms ?? 0.05, 1e-6, 0.5);
  const margin = checkedNumber('margin', options.margin ?? 0.1, 1e-3, 0.99);
  const misses = checkedNumber('misses', options.misses ?? 0.1, 1e-6, 0.5);
  const { early, last } = alarmBounds(most, falseAlarms);
  return {
    pairs: most,
    judge(pairs) {
      let [gains, differing] = [0, 0];
      const bets = BETS.map(() => 1);
      for (const [index, [before, now]] of pairs.slice(0, most).entries()) {
        const loss = Number(before) - Number(now);
        if (loss !== 0) differing += 1;
        if (loss < 0) gains += 1;
        if (differing > 0 && gains <= early[differing]!) return { verdict: 'alarm', pairs: index + 1 };
        for (const [place, bet] of BETS.entries()) bets[place]! *= 1 - bet * (loss - margin);
        const evidence = bets.reduce((sum, bet) => sum + bet, 0) / bets.length;
        const isLast = index + 1 === most;
        if (isLast) return { verdict: gains <= last[differing]! ? 'alarm' : 'pass', pairs: most };
        if (evidence >= 1 / misses) return { verdict: 'pass', pairs: index + 1 };
      }
      return undefined;
    },
  };
}

/** Shares of one unit that are bet on a loss below the margin; below 1, so that no loss ends the game. */
const BETS = [0.2, 0.5, 0.8, 0.95];
/** Shares of losses among the pairs that differ, as alternatives to one half. */
const LOSS_SHARES = [0.6, 0.7, 0.8, 0.9, 0.98];

/**
 * By the number of pairs that differ: the most gains among them that raise an alarm at once, and at the end. The early bound
 * spends at most half of the level.
 */
function alarmBounds(most: number, falseAlarms: number) {
  const early = [-1];
  const last = [-1];
  let left = new Float64Array(most + 1);
  left[0] = 1;
  let alarmed = 0;
  for (let differing = 1; differing <= most; differing += 1) {
    const next = new Float64Array(most + 1);
    for (let gains = 0; gains < differing; gains += 1) {
      next[gains]! += left[gains]! / 2;
      next[gains + 1]! += left[gains]! / 2;
    }
    let bound = -1;
    while (bound < differing && evidenceOfLoss(bound + 1, differing - bound - 1) >= 2 / falseAlarms) bound += 1;
    for (let gains = 0; gains <= bound; gains += 1) {
      alarmed += next[gains]!;
      next[gains] = 0;
    }
    early.push(bound);
    last.push(Math.max(bound, lowerTail(next.subarray(0, differing + 1), falseAlarms - alarmed)));
    left = next;
  }
  return { early, last };
}

/** Mean likelihood ratio of the alternatives against one half. */
const evidenceOfLoss = (gains: number, losses: number): number =>
  LOSS_SHARES.reduce(
    (sum, share) => sum + Math.exp(losses * Math.log(2 * share) + gains * Math.log(2 * (1 - share))),
    0,
  ) / LOSS_SHARES.length;
