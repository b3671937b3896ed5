/**
 * The point at which a teacher's penalty and the format reward are added: the advantage (before or after normalization), the
 * reward, or the return.
 *
 * These give different numbers. `reward` discounts and reaches earlier steps; the advantage points leave the critic
 * alone; `return-shift` is what the published code does: neither discounted nor propagated, but learned by the critic.
 * Rules: `docs/specs/algorithms.md` 4.4 and 6.3. Pinned by `test/golden/algos/guidance_entry_points.json`.
 */
import { type NormalizeOptions, normalize } from './normalize.js';
import type { Advantages } from './step-gae.js';

export type ShiftEntry = 'advantage' | 'advantage-after-normalization' | 'reward' | 'return-shift';

export interface Shift {
  /** [B] added to the chosen entry point: a format reward, or −β·KL. */
  readonly amount: ArrayLike<number>;
  readonly entry: ShiftEntry;
}

export interface ShiftedAdvantages {
  /** [B] what the policy loss uses. */
  readonly advantages: Float64Array;
  /** [B] the same before normalization, for metrics. */
  readonly raw: Float64Array;
  /** [B] what the critic learns. */
  readonly valueTargets: Float64Array;
}

/**
 * Estimates advantages and applies every shift at its entry point.
 *
 * @param rewards   [B] environment rewards.
 * @param estimate  The advantage estimator, called once with the shifted rewards.
 * @param normalization  Options of `normalize`, or `false` to leave advantages as they are.
 */
export function shiftedAdvantages(
  rewards: ArrayLike<number>,
  shifts: readonly Shift[],
  estimate: (rewards: Float64Array) => Advantages,
  normalization: NormalizeOptions | false,
): ShiftedAdvantages {
  const at = (entry: ShiftEntry) => shifts.filter((shift) => shift.entry === entry);
  const { advantages, returns } = estimate(added(rewards, at('reward')));
  // the value that GAE subtracted is return − advantage, so shifting the return shifts both
  const raw = added(advantages, [...at('return-shift'), ...at('advantage')]);
  const normalized = normalization ? normalize(raw, normalization) : raw;
  return {
    advantages: added(normalized, at('advantage-after-normalization')),
    raw,
    valueTargets: added(returns, at('return-shift')),
  };
}

function added(values: ArrayLike<number>, shifts: readonly Shift[]): Float64Array {
  const sum = Float64Array.from(values);
  for (const { amount } of shifts) for (let i = 0; i < sum.length; i++) sum[i]! += amount[i]!;
  return sum;
}
