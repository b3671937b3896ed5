/** The distribution of successes of independent trials that may stop early: exact, trial by trial. */

/** Stops as soon as successes are few or many enough; arrays are indexed by the number of trials, from 0. */
export interface StoppingRule {
  /** Alarm at this many successes or fewer; −1: never. */
  readonly alarmAt: readonly number[];
  /** Pass at this many successes or more; more than the trials: never. */
  readonly passAt: readonly number[];
}

export interface Walked {
  /** Probability of an alarm. */
  readonly alarm: number;
  /** Probability of a pass. */
  readonly pass: number;
  /** Expected number of trials. */
  readonly trials: number;
  /** Probability of each number of successes where neither has happened by the last trial. */
  readonly left: Float64Array;
}

/** @param rate  Probability of success of each trial, in [0, 1]. */
export function walk(rate: number, trials: number, { alarmAt, passAt }: StoppingRule): Walked {
  let left = new Float64Array(trials + 1);
  left[0] = 1;
  let [alarm, pass, expected] = [0, 0, 0];
  for (let n = 1; n <= trials; n += 1) {
    const next = new Float64Array(trials + 1);
    for (let successes = 0; successes < n; successes += 1) {
      const chance = left[successes]!;
      if (chance === 0) continue;
      expected += chance;
      next[successes]! += chance * (1 - rate);
      next[successes + 1]! += chance * rate;
    }
    for (let successes = 0; successes <= n; successes += 1) {
      const chance = next[successes]!;
      if (successes <= alarmAt[n]!) alarm += chance;
      else if (successes >= passAt[n]!) pass += chance;
      else continue;
      next[successes] = 0;
    }
    left = next;
  }
  return { alarm, pass, trials: expected, left };
}

/** The largest number of successes whose lower tail holds at most `share`; −1 if not even 0 does. */
export function lowerTail(left: Float64Array, share: number): number {
  let sum = 0;
  let successes = -1;
  for (const chance of left) {
    sum += chance;
    if (sum > share) break;
    successes += 1;
  }
  return Math.min(successes, left.length - 1);
}
