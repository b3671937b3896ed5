/**
 * Does an agent keep a promised success rate? Asked episode by episode, so that a clear answer ends it early.
 *
 * A. Wald's sequential probability ratio test ("Sequential Tests of Statistical Hypotheses", Annals of Mathematical
 * Statistics 16, 1945) of the promised rate against the lower one that the full number of episodes could tell from it, cut
 * at that number. All probabilities are exact (`walk`), the cut included; `sequential.test.ts` compares them with
 * simulations.
 *
 * Episodes on different seeds are independent draws, also where two seeds have the same task: the rate is that over the
 * seeds of the environment.
 */
import { checkedInteger, checkedNumber, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { lowerTail, type StoppingRule, walk } from './walk.js';

export interface SequentialRateOptions {
  /** The promised success rate, above 0, at most 1. */
  readonly rate: number;
  /** The most episodes, 1 to 10,000. */
  readonly episodes: number;
  /** The largest probability of an alarm about an agent that keeps the rate; default 0.05. */
  readonly falseAlarms?: number | undefined;
  /** The probability to miss an agent at the rate `detects`; default 0.1. */
  readonly misses?: number | undefined;
}

const SEQUENTIAL_RATE_OPTIONS = names<SequentialRateOptions>({ rate: 0, episodes: 0, falseAlarms: 0, misses: 0 });

/** `pass`: keeps the rate, or cannot be told from one that does; `alarm`: does not. */
export type SequentialVerdict = 'pass' | 'alarm';

export interface SequentialRate extends Required<{ readonly [K in keyof SequentialRateOptions]: number }> {
  /** Exact probability of an alarm about an agent at the promised rate; at most the option. */
  readonly falseAlarms: number;
  /** Agents at this rate or below are found with probability 1 − `misses`, exactly. */
  readonly detects: number;
  readonly rule: StoppingRule;
  /**
   * The verdict of outcomes in the order of the episodes, and after how many it was clear; `undefined` as long as it is not.
   */
  judge(outcomes: readonly boolean[]): { readonly verdict: SequentialVerdict; readonly episodes: number } | undefined;
  /** Expected episodes until the verdict, and the probability of an alarm, for an agent of this rate. */
  expect(rate: number): { readonly episodes: number; readonly alarm: number };
}

/**
 * @throws {InvalidOptionError}  An option is invalid, or so few episodes could never raise an alarm.
 *
 * @example
 * const test = sequentialRate({ rate: 0.8, episodes: 40 });
 * test.judge([true, true, false]); // undefined: not clear yet
 */
export function sequentialRate(options: SequentialRateOptions): SequentialRate {
  checkNames('options', options, SEQUENTIAL_RATE_OPTIONS);
  const { rate } = options;
  if (!(rate > 0 && rate <= 1)) throw new InvalidOptionError('rate', rate, 'a number above 0, at most 1: 0.8 is 80 %');
  const episodes = checkedInteger('episodes', options.episodes, 1, 10_000);
  const allowed = checkedNumber('falseAlarms', options.falseAlarms ?? 0.05, 1e-6, 0.5);
  const misses = checkedNumber('misses', options.misses ?? 0.1, 1e-6, 0.5);
  const rule = ruleFor(rate, episodes, allowed, misses);
  const alarm = (other: number) => walk(other, episodes, rule).alarm;
  return {
    rate,
    episodes,
    misses,
    falseAlarms: alarm(rate),
    detects: highestWith((other) => alarm(other) >= 1 - misses, rate),
    rule,
    judge: (outcomes) => judged(outcomes, rule),
    expect: (other) => {
      const walked = walk(other, episodes, rule);
      return { episodes: walked.trials, alarm: walked.alarm };
    },
  };
}

function judged(outcomes: readonly boolean[], { alarmAt, passAt }: StoppingRule) {
  let successes = 0;
  for (const [index, success] of outcomes.slice(0, alarmAt.length - 1).entries()) {
    if (success) successes += 1;
    if (successes <= alarmAt[index + 1]!) return { verdict: 'alarm' as const, episodes: index + 1 };
    if (successes >= passAt[index + 1]!) return { verdict: 'pass' as const, episodes: index + 1 };
  }
  return undefined;
}

function ruleFor(rate: number, episodes: number, falseAlarms: number, misses: number): StoppingRule {
  const never = { alarmAt: Array<number>(episodes + 1).fill(-1), passAt: counts(episodes, (n) => n + 1) };
  const critical = lowerTail(walk(rate, episodes, never).left, falseAlarms);
  if (critical < 0) {
    const enough = Math.ceil(Math.log(falseAlarms) / Math.log(1 - rate));
    throw new InvalidOptionError('episodes', episodes, `${enough} or more: fewer cannot tell a rate of ${rate} from 0`);
  }
  const fixed = { ...never, alarmAt: never.alarmAt.with(episodes, critical) };
  const worse = highestWith((other) => walk(other, episodes, fixed).alarm >= 1 - misses, rate);
  // half of the false alarms are spent on the way; the cut takes what is left
  const early = waldBounds(rate, worse, episodes, Math.log(2 / falseAlarms), Math.log(misses));
  const { alarm, left } = walk(rate, episodes, early);
  const rest = Math.min(lowerTail(left, falseAlarms - alarm), early.passAt[episodes]! - 1);
  const last = Math.max(early.alarmAt[episodes]!, rest);
  const passAt = early.passAt.map((bound) => Math.min(bound, last + 1)); // from there on, no further failure leads to an alarm
  const alarmAt = early.alarmAt.with(episodes, last);
  return { passAt, alarmAt: counts(episodes, (n) => Math.max(alarmAt[n]!, lostAt(n, passAt))) };
}

/** Where the log-likelihood ratio of `worse` against `rate` reaches a bound. */
function waldBounds(rate: number, worse: number, episodes: number, high: number, low: number): StoppingRule {
  const bySuccess = Math.log(worse / rate);
  const byFailure = Math.log((1 - worse) / (1 - rate)); // infinite for a promised rate of 1
  const ratio = (n: number, successes: number) =>
    (successes > 0 ? successes * bySuccess : 0) + (successes < n ? (n - successes) * byFailure : 0);
  const lastWhere = (n: number, test: (successes: number) => boolean) => {
    let successes = -1;
    while (successes < n && test(successes + 1)) successes += 1;
    return successes;
  };
  return {
    alarmAt: counts(episodes, (n) => (n === 0 ? -1 : lastWhere(n, (successes) => ratio(n, successes) >= high))),
    passAt: counts(episodes, (n) => (n === 0 ? 1 : lastWhere(n, (successes) => ratio(n, successes) > low) + 1)),
  };
}

/** The most successes after n episodes from which not even successes only lead to a pass. */
const lostAt = (n: number, passAt: readonly number[]): number =>
  n === 0 ? -1 : Math.min(...passAt.slice(n).map((bound, more) => bound - 1 - more));

const counts = (episodes: number, of: (n: number) => number): number[] =>
  Array.from({ length: episodes + 1 }, (_, n) => of(n));

/** The highest rate below `limit` with a property that holds for low rates; 0 if it never holds. */
function highestWith(holds: (rate: number) => boolean, limit: number): number {
  let [low, high] = [0, limit];
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
