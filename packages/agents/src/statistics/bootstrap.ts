/** Intervals for means of anything (returns, lengths), by resampling. Method: B. Efron, percentile bootstrap. */
import { Generator, InvalidOptionError } from '@vlgym/core';
import type { Interval } from './wilson.js';

export interface BootstrapOptions {
  readonly seed?: number;
  readonly resamples?: number;
  /** Share of resampled means inside the interval, in (0, 1). */
  readonly confidence?: number;
}

export interface BootstrapMean {
  readonly mean: number;
  readonly interval: Interval;
}

/**
 * @param values  At least one finite number.
 * @returns       The mean and its percentile interval; the same for the same values in the same order and seed.
 */
export function bootstrapMean(
  values: readonly number[],
  { seed = 0, resamples = 10_000, confidence = 0.95 }: BootstrapOptions = {},
): BootstrapMean {
  if (values.length === 0 || !values.every(Number.isFinite)) {
    throw new InvalidOptionError('values', values, 'at least one number, all finite');
  }
  if (!(confidence > 0 && confidence < 1)) throw new InvalidOptionError('confidence', confidence, 'between 0 and 1');
  if (!(Number.isInteger(resamples) && resamples > 0))
    throw new InvalidOptionError('resamples', resamples, '1 or more');
  const rng = new Generator(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) sum += values[rng.integers(values.length)]!;
    return sum / values.length;
  }).sort();
  const tail = (1 - confidence) / 2;
  return { mean: mean(values), interval: [quantile(means, tail), quantile(means, 1 - tail)] };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Linear interpolation between the sorted values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
